package import ChilCore
package import ChilDatabase

/// A scanner that pushes pages to a tenant.
package struct ScannerRecord: Sendable {
    package let id: ScannerID
    package let name: String
    package let owner: UserID
    package let serial: String?
    package let lastScanAt: Timestamp?
    package let createdAt: Timestamp
    /// By whose account its address is registered at Epson Connect, and what it is called there.
    package let printer: PrinterID?
    package let destinationID: String?

    static let columns = "scanner_id, name, owner_id, serial, last_scan_at, created_at, printer_id, destination_id"

    init(_ row: ResultRow) throws(DatabaseError) {
        id = try row.id(0)
        name = row.text(1)
        owner = try row.id(2)
        serial = row.textOrNil(3)
        lastScanAt = try row.timestampOrNil(4)
        createdAt = try row.timestamp(5)
        printer = try row.int64OrNil(6).map { PrinterID(rawValue: $0) }
        destinationID = row.textOrNil(7)
    }
}

/// A tenant's scanners, by name.
package struct ScannerList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select \(ScannerRecord.columns) from scanner where tenant_id = $1 order by name, scanner_id"
    )

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ScannerRecord { try ScannerRecord(row) }
}
