package import ChilCore
package import ChilDatabase

/// What it takes to speak with Epson Connect for a printer. Secrets are sealed.
package struct EpsonAccount: Sendable {
    /// The columns' names as the sealing binds them.
    package static let secretColumn = "epson_account.sealed_secret"
    package static let apiKeyColumn = "epson_account.sealed_api_key"
    package static let refreshColumn = "epson_account.sealed_refresh"
    package static let accessColumn = "epson_account.sealed_access"

    package let printer: PrinterID
    package let kind: PrinterRecord.Kind
    /// The printer's own at Epson, for generation 1.
    package let address: String?
    package let clientID: String
    package let sealedSecret: [UInt8]
    package let sealedAPIKey: [UInt8]?
    package let apiURL: String
    package let authURL: String
    package let uploadURL: String
    /// Its URLs may lead to addresses that are not public.
    package let isPrivate: Bool
    /// What the service calls the printer, for generation 1.
    package let deviceID: String?
    /// `nil`: nobody has given permission yet (generation 2), or there is none to be had (generation 1).
    package let sealedRefresh: [UInt8]?
    package let sealedAccess: [UInt8]?
    package let accessUntil: Timestamp?
    /// Counts access tokens: whoever comes too late sees by it that there is a newer one.
    package let tokenNumber: Int64
    /// Why there is no token to be had, until a person has done something.
    package let fault: String?

    static let columns = """
        a.printer_id, p.kind, a.address, a.client_id, a.sealed_secret, a.sealed_api_key, a.api_url, a.auth_url, a.upload_url, a.is_private,
        a.epson_device, a.sealed_refresh, a.sealed_access, a.access_until, a.token_no, a.fault
        """

    init(_ row: ResultRow) throws(DatabaseError) {
        printer = try row.id(0)
        kind = try row.word(1)
        address = row.textOrNil(2)
        clientID = row.text(3)
        sealedSecret = row.bytes(4)
        sealedAPIKey = row.bytesOrNil(5)
        apiURL = row.text(6)
        authURL = row.text(7)
        uploadURL = row.text(8)
        isPrivate = try row.bool(9)
        deviceID = row.textOrNil(10)
        sealedRefresh = row.bytesOrNil(11)
        sealedAccess = row.bytesOrNil(12)
        accessUntil = try row.timestampOrNil(13)
        tokenNumber = try row.int64(14)
        fault = row.textOrNil(15)
    }
}

/// The account of a printer, one that was removed too: what it has in hand may have to be cancelled. No row: it has none.
package struct EpsonAccountLoad: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(EpsonAccount.columns)
          from epson_account a join printer p on p.tenant_id = $1 and p.printer_id = a.printer_id
         where a.tenant_id = $1 and a.printer_id = $2
        """
    )

    package let tenant: TenantID
    let printer: PrinterID

    package init(of printer: PrinterID, in tenant: TenantID) {
        self.tenant = tenant
        self.printer = printer
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(printer)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> EpsonAccount { try EpsonAccount(row) }
}
