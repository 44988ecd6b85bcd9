package import ChilCore
package import ChilDatabase

/// Takes a new address for what Epson's service tells of a printer's jobs. No row: it has one that leads there, or it was asked for one
/// just now.
package struct EpsonNoticeClaim: TenantStatement {
    package struct Claim: Sendable {
        package let slug: String
        /// The service is a simulator, which may be told of an address that is not public.
        package let isPrivate: Bool
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        update epson_account a
           set notice_digest = $3, notice_base = $4, notice_asked_at = $5, notice_is_set = false
         where a.tenant_id = $1 and a.printer_id = $2 and (not a.notice_is_set or a.notice_base is distinct from $4)
           and (a.notice_asked_at is null or a.notice_asked_at < $5::timestamptz - interval '15 minutes')
        returning (select t.slug from tenant t where t.tenant_id = $1), a.is_private
        """
    )

    package let tenant: TenantID
    let printer: PrinterID
    let digest: [UInt8]
    let base: String
    let now: Timestamp

    /// - Parameters:
    ///   - digest: of what stands in the address.
    ///   - base: the service's public origin.
    package init(_ digest: [UInt8], under base: String, of printer: PrinterID, in tenant: TenantID, at now: Timestamp) {
        self.digest = digest
        self.base = base
        self.printer = printer
        self.tenant = tenant
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(printer)
        values.append(digest)
        values.append(base)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Claim {
        Claim(slug: row.text(0), isPrivate: try row.bool(1))
    }
}

/// Epson's service has taken the address. Nothing is touched if there is a newer one.
package struct EpsonNoticeSet: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.write
    package static let sql = SQL(
        "update epson_account set notice_is_set = true where tenant_id = $1 and printer_id = $2 and notice_digest = $3"
    )

    package let tenant: TenantID
    let printer: PrinterID
    let digest: [UInt8]

    package init(_ digest: [UInt8], of printer: PrinterID, in tenant: TenantID) {
        self.digest = digest
        self.printer = printer
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(printer)
        values.append(digest)
    }
}

/// Somebody has called an address: the prints are looked at that its printer, and others of the same client, have. False: it is none.
package struct EpsonNoticeTake: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL("select chil_hint_prints($1, $2, $3)")

    package let tenant: TenantID
    let digest: [UInt8]
    let now: Timestamp

    /// - Parameter digest: of what stands in the address: no comparison takes a time that tells of it.
    package init(_ digest: [UInt8], of tenant: TenantID, at now: Timestamp) {
        self.digest = digest
        self.tenant = tenant
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(digest)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
