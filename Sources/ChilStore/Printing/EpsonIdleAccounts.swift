package import ChilCore
package import ChilDatabase

/// Printers whose permission nobody has used for a while: Epson lets it end when it is not renewed in time.
package struct EpsonIdleAccounts: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select a.printer_id
          from epson_account a join printer p on p.tenant_id = $1 and p.printer_id = a.printer_id
         where a.tenant_id = $1 and a.sealed_refresh is not null and a.fault is null and a.updated_at < $2 and p.state <> 'removed'
         order by a.printer_id limit $3
        """
    )

    package let tenant: TenantID
    let since: Timestamp
    let countMax: Int

    package init(of tenant: TenantID, since: Timestamp, countMax: Int) {
        self.tenant = tenant
        self.since = since
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(since)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterID { try row.id(0) }
}
