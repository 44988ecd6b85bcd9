package import ChilCore
package import ChilDatabase

/// Takes the right to get a new token for a printer, for a while by PostgreSQL's clock: of all processes one has it. No row: there is a
/// newer token than `known` by now, or another process is getting one.
package struct EpsonTokenLease: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        update epson_account
           set lease_no = lease_no + 1, leased_until = now() + $4::bigint * interval '1 millisecond'
         where tenant_id = $1 and printer_id = $2 and token_no = $3 and (leased_until is null or leased_until < now())
        returning lease_no
        """
    )

    package let tenant: TenantID
    let printer: PrinterID
    let known: Int64
    let length: Duration

    /// - Parameter known: the number of the token that is of no use any more.
    package init(of printer: PrinterID, in tenant: TenantID, known: Int64, for length: Duration) {
        self.tenant = tenant
        self.printer = printer
        self.known = known
        self.length = length
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(printer)
        values.append(known)
        values.append(length.wholeMicroseconds / 1_000)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

/// Keeps a new token, before anybody uses it, and ends the lease. No row: the lease is another's now, and so is the token.
package struct EpsonTokenStore: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        update epson_account
           set sealed_refresh = coalesce($4, sealed_refresh), sealed_access = $5, access_until = $6,
               epson_device = coalesce($7, epson_device), token_no = token_no + 1, leased_until = null, fault = null, fault_at = null,
               updated_at = $8
         where tenant_id = $1 and printer_id = $2 and lease_no = $3
        returning token_no
        """
    )

    package let tenant: TenantID
    let printer: PrinterID
    let lease: Int64
    let sealedRefresh: [UInt8]?
    let sealedAccess: [UInt8]
    let accessUntil: Timestamp
    let deviceID: String?
    let now: Timestamp

    /// - Parameter sealedRefresh: `nil` leaves the one that is there.
    package init(
        under lease: Int64,
        of printer: PrinterID,
        in tenant: TenantID,
        sealedRefresh: [UInt8]?,
        sealedAccess: [UInt8],
        until accessUntil: Timestamp,
        deviceID: String?,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.printer = printer
        self.lease = lease
        self.sealedRefresh = sealedRefresh
        self.sealedAccess = sealedAccess
        self.accessUntil = accessUntil
        self.deviceID = deviceID
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(printer)
        values.append(lease)
        values.append(sealedRefresh)
        values.append(sealedAccess)
        values.append(accessUntil)
        values.append(deviceID)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

/// Ends the lease without a token. Nothing is touched if it is another's now.
package struct EpsonTokenGiveUp: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        update epson_account
           set leased_until = null, fault = coalesce($4, fault), fault_at = case when $4::text is null then fault_at else $5 end
         where tenant_id = $1 and printer_id = $2 and lease_no = $3
        """
    )

    package let tenant: TenantID
    let printer: PrinterID
    let lease: Int64
    let fault: String?
    let now: Timestamp

    /// - Parameter fault: what a person has to mend; `nil`: the next one may have more luck.
    package init(under lease: Int64, of printer: PrinterID, in tenant: TenantID, fault: String?, at now: Timestamp) {
        self.tenant = tenant
        self.printer = printer
        self.lease = lease
        self.fault = fault
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(printer)
        values.append(lease)
        values.append(fault)
        values.append(now)
    }
}
