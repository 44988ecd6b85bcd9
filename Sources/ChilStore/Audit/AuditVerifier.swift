package import ChilCore

/// Computes a chain anew from its rows and says where it is not what it says. Fed link by link, in their order; it keeps no rows.
package struct AuditVerifier: Sendable {
    /// What is wrong. Sequences are places in the chain.
    package enum Finding: Sendable, Equatable {
        /// The row is not what it was when it was sealed.
        case changedRow(sequence: Int64, audit: Int64)
        /// The row is gone, its link is there.
        case removedRow(sequence: Int64, audit: Int64)
        /// Links are gone, these included.
        case missingLinks(Int64, through: Int64)
        /// The link does not follow from the one before: links were changed, added or swapped.
        case brokenLink(sequence: Int64)
        /// The row says that it came long before its neighbours: it was added later.
        case lateRow(sequence: Int64, audit: Int64)
        /// Links end before the head that is stored, or behind it.
        case otherHead(stored: Int64, found: Int64)
        /// The chain ends before the head that somebody kept.
        case shortened(kept: Int64, found: Int64)
        /// It had another digest there when somebody kept it.
        case rewritten(sequence: Int64)
        /// A row that was not sealed in time.
        case unsealedRow(audit: Int64)
        /// A row that says it is sealed, and has no link.
        case strayRow(audit: Int64)
    }

    /// A row may come so much later than others that were sealed before it: longer than any transaction lasts.
    package static let lateness = Duration.seconds(600)
    /// Findings that are kept; the rest are counted.
    package static let findingsMax = 100

    package private(set) var findings: [Finding] = []
    package private(set) var findingCount: Int64 = 0
    package private(set) var rowCount: Int64 = 0
    /// As far as it was read.
    package private(set) var head: AuditHead

    private let tenant: TenantID
    private let kept: AuditHead?
    private var newest = Int64.min

    /// - Parameters:
    ///   - base: where the chain begins.
    ///   - kept: a head of before that somebody kept elsewhere.
    package init(of tenant: TenantID, from base: AuditHead, keeping kept: AuditHead? = nil) {
        self.tenant = tenant
        self.kept = kept
        head = base
        if let kept, kept.sequence == base.sequence, kept.digest != base.digest {
            add(.rewritten(sequence: kept.sequence))
        }
    }

    package mutating func add(_ link: AuditLink, _ row: AuditRow?) {
        let isNext = link.sequence == head.sequence + 1
        if isNext {
            if head.next(link.rowDigest).digest != link.chainDigest { add(.brokenLink(sequence: link.sequence)) }
        } else {
            add(.missingLinks(head.sequence + 1, through: link.sequence - 1))
        }
        head = AuditHead(sequence: link.sequence, digest: link.chainDigest)
        if let kept, kept.sequence == link.sequence, kept.digest != link.chainDigest {
            add(.rewritten(sequence: link.sequence))
        }
        guard let row else { return add(.removedRow(sequence: link.sequence, audit: link.audit)) }
        rowCount += 1
        if row.digest(of: tenant) != link.rowDigest {
            add(.changedRow(sequence: link.sequence, audit: link.audit))
        } else if newest != .min, row.recordedAt < newest - Self.lateness.wholeMicroseconds {
            add(.lateRow(sequence: link.sequence, audit: link.audit))
        }
        newest = max(newest, row.recordedAt)
    }

    /// After the last link.
    package mutating func finish(stored: AuditHead) {
        if stored != head { add(.otherHead(stored: stored.sequence, found: head.sequence)) }
        if let kept, kept.sequence > head.sequence { add(.shortened(kept: kept.sequence, found: head.sequence)) }
    }

    package mutating func add(unsealed audit: Int64) {
        add(.unsealedRow(audit: audit))
    }

    package mutating func add(stray audit: Int64) {
        add(.strayRow(audit: audit))
    }

    private mutating func add(_ finding: Finding) {
        findingCount += 1
        if findings.count < Self.findingsMax { findings.append(finding) }
    }
}

extension AuditVerifier.Finding: CustomStringConvertible {
    package var description: String {
        switch self {
        case .changedRow(let sequence, let audit): "row \(audit) (sequence \(sequence)) was changed"
        case .removedRow(let sequence, let audit): "row \(audit) (sequence \(sequence)) was removed"
        case .missingLinks(let first, let last):
            first == last ? "link \(first) was removed" : "links \(first) to \(last) were removed"
        case .brokenLink(let sequence): "link \(sequence) does not follow from the one before"
        case .lateRow(let sequence, let audit): "row \(audit) (sequence \(sequence)) was added long after its time"
        case .otherHead(let stored, let found): "the chain ends at \(found), its head says \(stored)"
        case .shortened(let kept, let found): "the chain ends at \(found), and once reached \(kept)"
        case .rewritten(let sequence): "the chain was rewritten: sequence \(sequence) had another digest"
        case .unsealedRow(let audit): "row \(audit) is not sealed"
        case .strayRow(let audit): "row \(audit) says that it is sealed, and is not in the chain"
        }
    }
}
