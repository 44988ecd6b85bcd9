package import ChilCore
package import ChilDatabase

/// Leases pages that wait to become drawings.
package struct ScanClaim: SharedClaim {
    package static let sql = SQL(ShareClaim.text(of: .scan))

    package let share: ShareClaim

    package init(_ share: ShareClaim) {
        self.share = share
    }
}

/// A page that waits to become a drawing.
package struct ScanTask: Sendable {
    package let owner: UserID
    package let page: DrawingImage
    /// Which one of a document; else 1.
    package let pageNumber: Int
    /// Of the drawing whose printed page it is.
    package let sourceTitle: String?
}

/// No row: there is nothing to do for it any more.
package struct ScanLoad: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select s.owner_id, s.hash, s.media_type, s.byte_count, d.title, s.page
          from scan s left join drawing d on d.tenant_id = $1 and d.owner_id = s.owner_id and d.drawing_id = s.source_id
         where s.tenant_id = $1 and s.scan_id = $2 and s.state = 'waiting'
        """
    )

    let item: WorkItem

    package init(_ item: WorkItem) {
        self.item = item
    }

    package var tenant: TenantID { item.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.subject)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ScanTask {
        let owner: UserID = try row.id(0)
        return ScanTask(
            owner: owner,
            page: DrawingImage(
                owner: owner,
                hash: row.bytes(1),
                mediaType: row.text(2),
                byteCount: try row.int64(3)
            ),
            pageNumber: Int(try row.int32(5)),
            sourceTitle: row.textOrNil(4)
        )
    }
}

/// A page becomes a drawing: quotas taken, picture and page published, or nothing (`chil_settle_scan` in `sql/`).
package struct ScanSettle: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        case created
        /// The lease is another's now.
        case lost
        /// Scan or owner are.
        case gone
        /// Bytes are missing.
        case unstaged
        /// Nothing was taken or stored, the refusal is audited.
        case overQuota(QuotaRefusal)
        case noConsent(ConsentLack)
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(
        entering: "select chil_settle_scan($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"
    )

    let item: WorkItem
    let drawing: DrawingID
    let title: String?
    let image: ImageFacts
    let bytes: [UInt8]?
    let next: ScanID?
    let source: DrawingID?
    let isLimited: Bool
    let now: Timestamp

    /// - Parameters:
    ///   - image: what is shown.
    ///   - bytes: all of it, else `nil` after `ImageStore.stage`.
    ///   - next: what the page that follows in the document is called; `nil`: none does.
    ///   - source: the drawing that was printed, by the page's mark; `nil`: what the scan's address says.
    package init(
        _ item: WorkItem,
        as drawing: DrawingID,
        titled title: String?,
        showing image: ImageFacts,
        bytes: [UInt8]?,
        next: ScanID? = nil,
        source: DrawingID? = nil,
        isLimited: Bool = true,
        at now: Timestamp
    ) {
        self.item = item
        self.drawing = drawing
        self.title = title
        self.image = image
        self.bytes = bytes
        self.next = next
        self.source = source
        self.isLimited = isLimited
        self.now = now
    }

    package var tenant: TenantID { item.tenant }

    package var contention: Batch.ContentionKey? { QuotaMetric.drawings.contention(of: tenant, isLimited: isLimited) }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.subject)
        values.append(item.fence)
        values.append(drawing)
        values.append(title)
        values.append(image.hash)
        values.append(image.byteCount)
        values.append(image.mediaType)
        values.append(int32: image.width)
        values.append(int32: image.height)
        values.append(bytes)
        values.append(next)
        values.append(source)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        let verdict = row.text(0)
        if let lack = ConsentLack(verdict: verdict) { return .noConsent(lack) }
        switch verdict {
        case "created": return .created
        case "lost": return .lost
        case "gone", "owner": return .gone
        case "unstaged": return .unstaged
        default:
            guard let refusal = QuotaRefusal(verdict: verdict) else { throw .unknownWord(verdict) }
            return .overQuota(refusal)
        }
    }
}

/// A page becomes no drawing: its bytes go, why is kept. False: the lease is another's now.
package struct ScanFail: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(entering: "select chil_fail_scan($1, $2, $3, $4, $5, $6, $7)")

    let item: WorkItem
    let audit: AuditID
    let fault: String
    let next: ScanID?
    let now: Timestamp

    /// - Parameter next: as in `ScanSettle`.
    package init(
        _ item: WorkItem,
        because fault: String,
        next: ScanID? = nil,
        audit: AuditID,
        at now: Timestamp
    ) {
        self.item = item
        self.fault = fault
        self.next = next
        self.audit = audit
        self.now = now
    }

    package var tenant: TenantID { item.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.subject)
        values.append(item.fence)
        values.append(audit)
        values.append(fault)
        values.append(next)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
