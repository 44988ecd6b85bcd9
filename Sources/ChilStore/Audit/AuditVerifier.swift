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
        /// The link stands behind a later one, or is there twice.
        case misplacedLink(sequence: Int64)
        /// The row says that it is elsewhere in the chain, or nowhere (`nil`): it was moved, or it is linked twice.
        case otherPlace(sequence: Int64, audit: Int64, says: Int64?)
        /// The chain begins at its first row, and the tenant's making is not in it.
        case noBeginning(slug: String)
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
        /// So many rows say that they are sealed, and the chain has so many.
        case otherCount(rows: Int64, links: Int64)
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
    private let slug: String?
    private var newest = Int64.min
    /// The chain has to have the tenant's making, and it was not seen yet.
    package private(set) var lacksBeginning: Bool

    /// - Parameters:
    ///   - base: where the chain begins.
    ///   - kept: a head of before that somebody kept elsewhere.
    ///   - slug: the tenant's, if a chain without a base has to have its making.
    package init(of tenant: TenantID, from base: AuditHead, keeping kept: AuditHead? = nil, slug: String? = nil) {
        self.tenant = tenant
        self.kept = kept
        self.slug = slug
        lacksBeginning = base == .empty && slug != nil
        head = base
        if let kept, kept.sequence == base.sequence, kept.digest != base.digest {
            add(.rewritten(sequence: kept.sequence))
        }
    }

    /// - Parameter place: where the row itself says that it is.
    package mutating func add(_ link: AuditLink, _ row: AuditRow?, at place: Int64?) {
        if link.sequence <= head.sequence {
            addMisplaced(link.sequence)
        } else {
            if link.sequence > head.sequence + 1 {
                add(.missingLinks(head.sequence + 1, through: link.sequence - 1))
            } else if head.next(link.rowDigest).digest != link.chainDigest {
                add(.brokenLink(sequence: link.sequence))
            }
            head = AuditHead(sequence: link.sequence, digest: link.chainDigest)
        }
        if let kept, kept.sequence == link.sequence, kept.digest != link.chainDigest {
            add(.rewritten(sequence: link.sequence))
        }
        guard let row else { return add(.removedRow(sequence: link.sequence, audit: link.audit)) }
        rowCount += 1
        if row.action == AuditRow.beginning, row.target == slug { lacksBeginning = false }
        if row.digest(of: tenant) != link.rowDigest {
            add(.changedRow(sequence: link.sequence, audit: link.audit))
        } else if place != link.sequence {
            add(.otherPlace(sequence: link.sequence, audit: link.audit, says: place))
        } else if newest != .min, row.recordedAt < newest - Self.lateness.wholeMicroseconds {
            add(.lateRow(sequence: link.sequence, audit: link.audit))
        }
        newest = max(newest, row.recordedAt)
    }

    /// After the last link.
    ///
    /// - Parameter waits: the row of the tenant's making is there, and not sealed yet.
    package mutating func finish(stored: AuditHead, whileBeginningWaits waits: Bool = false) {
        if lacksBeginning, !waits, let slug { add(.noBeginning(slug: slug)) }
        if stored != head { add(.otherHead(stored: stored.sequence, found: head.sequence)) }
        if let kept, kept.sequence > head.sequence { add(.shortened(kept: kept.sequence, found: head.sequence)) }
    }

    package mutating func add(unsealed audit: Int64) {
        add(.unsealedRow(audit: audit))
    }

    package mutating func add(stray audit: Int64) {
        add(.strayRow(audit: audit))
    }

    package mutating func add(sealedRows rows: Int64, links: Int64) {
        add(.otherCount(rows: rows, links: links))
    }

    /// It was taken for removed if it was not there in time.
    private mutating func addMisplaced(_ sequence: Int64) {
        for (index, finding) in findings.enumerated() {
            guard case .missingLinks(let first, let last) = finding, (first...last).contains(sequence) else { continue }
            findings.remove(at: index)
            findingCount -= 1
            if first < sequence { add(.missingLinks(first, through: sequence - 1)) }
            if sequence < last { add(.missingLinks(sequence + 1, through: last)) }
            break
        }
        add(.misplacedLink(sequence: sequence))
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
        case .misplacedLink(let sequence): "link \(sequence) is out of order, or there twice"
        case .otherPlace(let sequence, let audit, let said):
            "row \(audit) (sequence \(sequence)) says that it is \(said.map { "at \($0)" } ?? "not sealed"): moved, or sealed twice"
        case .noBeginning(let slug):
            "the making of '\(slug)' (\(AuditRow.beginning)) is not in it: its beginning was removed"
        case .otherCount(let rows, let links): "\(rows) rows say that they are sealed, the chain has \(links)"
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
