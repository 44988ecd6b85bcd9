import ChilCore
import ChilCrypto
import Testing

@testable import ChilStore

/// A chain in memory, and what can be done to it.
private struct Chain {
    var links: [(link: AuditLink, row: AuditRow?)] = []
    var head = AuditHead.empty

    init(_ count: Int64) {
        for number in 1...count { append(AuditVerifierTests.row(number)) }
    }

    mutating func append(_ row: AuditRow) {
        let digest = row.digest(of: AuditVerifierTests.tenant)
        head = head.next(digest)
        links.append(
            (AuditLink(sequence: head.sequence, audit: row.id, rowDigest: digest, chainDigest: head.digest), row)
        )
    }

    func findings(
        keeping kept: AuditHead? = nil,
        stored: AuditHead? = nil,
        slug: String? = nil,
        waits: Bool = false
    ) -> [AuditVerifier.Finding] {
        var verifier = AuditVerifier(of: AuditVerifierTests.tenant, from: .empty, keeping: kept, slug: slug)
        for (link, row) in links { verifier.add(link, row, at: link.sequence) }
        verifier.finish(stored: stored ?? head, whileBeginningWaits: waits)
        return verifier.findings
    }
}

@Suite struct AuditVerifierTests {
    static let tenant = TenantID(rawValue: 7)

    static func row(
        _ number: Int64,
        recordedAt: Int64? = nil,
        action: String = "session.create",
        target: String? = nil,
        detail: String? = "accepted"
    ) -> AuditRow {
        AuditRow(
            // Numbers say nothing of the order.
            id: number.isMultiple(of: 2) ? -number : number,
            at: 833_630_400_000_000,
            recordedAt: recordedAt ?? 833_630_400_000_000 + number,
            actorKind: "user",
            actor: "\(number)",
            action: action,
            target: target,
            detail: detail,
            requestID: "r"
        )
    }

    @Test func aWholeChainHasNoFindings() {
        let chain = Chain(50)
        #expect(chain.findings() == [])
        #expect(chain.findings(keeping: chain.head) == [])
        let middle = chain.links[24].link
        #expect(chain.findings(keeping: AuditHead(sequence: 25, digest: middle.chainDigest)) == [])
        #expect(chain.findings(keeping: .empty) == [])
    }

    @Test func aChangedRowIsFound() {
        var chain = Chain(10)
        chain.links[3].row = Self.row(4, detail: "refused")
        #expect(chain.findings() == [.changedRow(sequence: 4, audit: -4)])
    }

    /// With its digest too: then the link does not follow any more.
    @Test func aChangedRowWithItsDigestIsFound() {
        var chain = Chain(10)
        let row = Self.row(4, detail: "refused")
        let old = chain.links[3].link
        chain.links[3] = (
            AuditLink(
                sequence: 4,
                audit: row.id,
                rowDigest: row.digest(of: Self.tenant),
                chainDigest: old.chainDigest
            ), row
        )
        #expect(chain.findings() == [.brokenLink(sequence: 4)])
    }

    @Test func aRemovedRowIsFound() {
        var chain = Chain(10)
        chain.links[3].row = nil
        #expect(chain.findings() == [.removedRow(sequence: 4, audit: -4)])
    }

    @Test func aRemovedLinkIsFound() {
        var chain = Chain(10)
        chain.links.removeSubrange(3...5)
        #expect(chain.findings() == [.missingLinks(4, through: 6)])
    }

    @Test func anotherOrderIsFound() {
        var chain = Chain(10)
        let (first, second) = (chain.links[3], chain.links[4])
        chain.links[3] = (
            AuditLink(
                sequence: 4,
                audit: second.link.audit,
                rowDigest: second.link.rowDigest,
                chainDigest: first.link.chainDigest
            ), second.row
        )
        chain.links[4] = (
            AuditLink(
                sequence: 5,
                audit: first.link.audit,
                rowDigest: first.link.rowDigest,
                chainDigest: second.link.chainDigest
            ), first.row
        )
        #expect(chain.findings() == [.brokenLink(sequence: 4), .brokenLink(sequence: 5)])
    }

    /// As in a file whose lines were moved: nothing was removed, and it says so.
    @Test func movedLinesAreNotTakenForRemovedOnes() {
        func findings(_ places: [Int]) -> [AuditVerifier.Finding] {
            var chain = Chain(5)
            chain.links = places.map { chain.links[$0 - 1] }
            return chain.findings()
        }
        #expect(findings([1, 2, 4, 3, 5]) == [.misplacedLink(sequence: 3)])
        #expect(
            findings([1, 5, 3, 2, 4]) == [
                .misplacedLink(sequence: 3), .misplacedLink(sequence: 2), .misplacedLink(sequence: 4),
            ]
        )
        #expect(findings([1, 2, 2, 3, 4, 5]) == [.misplacedLink(sequence: 2)])
        // One was removed, and another stands behind its time.
        #expect(
            findings([1, 5, 3, 4]) == [
                .missingLinks(2, through: 2), .misplacedLink(sequence: 3), .misplacedLink(sequence: 4),
            ]
        )
    }

    @Test func aRowThatSaysItIsElsewhereIsFound() {
        let chain = Chain(3)
        for said in [3, nil] as [Int64?] {
            var verifier = AuditVerifier(of: Self.tenant, from: .empty)
            for (link, row) in chain.links { verifier.add(link, row, at: link.sequence == 2 ? said : link.sequence) }
            verifier.finish(stored: chain.head)
            #expect(verifier.findings == [.otherPlace(sequence: 2, audit: -2, says: said)])
        }
    }

    /// A tenant that is there was made: its chain says so, unless its beginning has had its time.
    @Test func aChainWithoutItsBeginningIsFound() {
        var chain = Chain(3)
        #expect(chain.findings(slug: "north") == [.noBeginning(slug: "north")])
        chain.append(Self.row(4, action: "tenant.create", target: "north"))
        #expect(chain.findings(slug: "north") == [])
        #expect(chain.findings(slug: "south") == [.noBeginning(slug: "south")])
        chain.links = []
        #expect(chain.findings(stored: .empty, slug: "north") == [.noBeginning(slug: "north")])
        #expect(chain.findings(stored: .empty, slug: "north", waits: true) == [])
        var pruned = AuditVerifier(of: Self.tenant, from: Chain(2).head, slug: "north")
        pruned.finish(stored: Chain(2).head)
        #expect(pruned.findings == [])
    }

    @Test func aShortenedChainIsFound() {
        var chain = Chain(10)
        let kept = chain.head
        chain.links.removeLast(2)
        #expect(chain.findings() == [.otherHead(stored: 10, found: 8)])
        // Whoever shortens it mends the head too: then only who kept it knows.
        let last = chain.links[7].link
        let mended = AuditHead(sequence: 8, digest: last.chainDigest)
        #expect(chain.findings(stored: mended) == [])
        #expect(chain.findings(keeping: kept, stored: mended) == [.shortened(kept: 10, found: 8)])
    }

    /// All of it computed anew behind a change: sound by itself.
    @Test func aRewrittenChainIsFoundByWhoKeptAHead() {
        let kept = Chain(10).head
        var chain = Chain(3)
        chain.append(Self.row(4, detail: "refused"))
        for number: Int64 in 5...10 { chain.append(Self.row(number)) }
        #expect(chain.findings() == [])
        #expect(chain.findings(keeping: kept) == [.rewritten(sequence: 10)])
    }

    @Test func aRowThatIsAddedLateIsFound() {
        var chain = Chain(10)
        chain.append(Self.row(11, recordedAt: 833_630_400_000_000 - 3_600_000_000))
        #expect(chain.findings() == [.lateRow(sequence: 11, audit: 11)])
        var honest = Chain(10)
        honest.append(Self.row(11, recordedAt: 833_630_400_000_000 - 300_000_000))
        #expect(honest.findings() == [])
    }

    /// Two rows whose texts are cut elsewhere are not the same bytes, and no text is as no text.
    @Test func theDigestIsUnambiguous() {
        func digest(_ actor: String, _ action: String, _ target: String?) -> Digest256 {
            AuditRow(
                id: 1,
                at: 0,
                recordedAt: 0,
                actorKind: "user",
                actor: actor,
                action: action,
                target: target,
                detail: nil,
                requestID: nil
            ).digest(of: Self.tenant)
        }
        let all = [
            digest("ab", "c", nil), digest("a", "bc", nil), digest("ab", "c", ""), digest("ab", "c", "-"),
            digest("a", "b1:c", nil), digest("ab1:c", "", nil),
        ]
        #expect(Set(all).count == all.count)
    }

    @Test func manyFindingsAreCountedAndSomeKept() {
        var verifier = AuditVerifier(of: Self.tenant, from: .empty)
        for number: Int64 in 1...1_000 { verifier.add(unsealed: number) }
        #expect(verifier.findingCount == 1_000)
        #expect(verifier.findings.count == AuditVerifier.findingsMax)
    }
}
