package import ChilCore
package import ChilDatabase

/// A new printer of a tenant by Epson's service, within its limit. As `PrinterAdd` else.
package struct EpsonPrinterAdd: Sendable {
    /// What is stored of it: secrets are sealed.
    package struct Draft: Sendable {
        package let name: String
        package let kind: PrinterRecord.Kind
        package let isDefault: Bool
        package let disclosedTo: String?
        package let address: String?
        package let clientID: String
        package let sealedSecret: [UInt8]
        package let sealedAPIKey: [UInt8]?
        package let apiURL: String
        package let authURL: String
        package let uploadURL: String
        package let isPrivate: Bool

        package init(
            name: String,
            kind: PrinterRecord.Kind,
            isDefault: Bool,
            disclosedTo: String?,
            address: String?,
            clientID: String,
            sealedSecret: [UInt8],
            sealedAPIKey: [UInt8]?,
            apiURL: String,
            authURL: String,
            uploadURL: String,
            isPrivate: Bool
        ) {
            self.name = name
            self.kind = kind
            self.isDefault = isDefault
            self.disclosedTo = disclosedTo
            self.address = address
            self.clientID = clientID
            self.sealedSecret = sealedSecret
            self.sealedAPIKey = sealedAPIKey
            self.apiURL = apiURL
            self.authURL = authURL
            self.uploadURL = uploadURL
            self.isPrivate = isPrivate
        }
    }

    let id: PrinterID
    let tenant: TenantID
    let draft: Draft
    let note: OperatorNote

    package init(_ id: PrinterID, to tenant: TenantID, _ draft: Draft, note: OperatorNote) {
        self.id = id
        self.tenant = tenant
        self.draft = draft
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> PrinterAdd.Outcome {
        var batch = Batch(.write, of: tenant, contending: QuotaMetric.printers.contention(of: tenant, isLimited: true))
        let change = batch.add(EpsonPrinterInsert(add: self))
        let printers = batch.add(PrinterList(of: tenant))
        batch.add(Notify.tenant(tenant))
        let result = try await database.run(batch)
        if let refusal = try result.first(change) ?? nil { return .overQuota(refusal) }
        let record = try result.rows(printers).first { $0.id == id }
        guard let record else { throw .noRow(of: EpsonPrinterInsert.self) }
        return .added(record)
    }
}

private struct EpsonPrinterInsert: Statement {
    static let sql = SQL(
        """
        with change as materialized (
            select chil_add_epson_printer($1, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $3) as refusal
        ), \(OperatorNote.insert("printer.add", target: "$6::text", detail: "coalesce('quota ' || refusal, $7::text)"))
        select refusal from change
        """
    )

    let add: EpsonPrinterAdd

    func bind(_ values: inout BoundValues) {
        add.note.bind(&values, of: add.tenant)
        values.append(add.id)
        values.append(add.draft.name)
        values.append(add.draft.kind.rawValue)
        values.append(add.draft.isDefault)
        values.append(add.draft.disclosedTo)
        values.append(add.draft.address)
        values.append(add.draft.clientID)
        values.append(add.draft.sealedSecret)
        values.append(add.draft.sealedAPIKey)
        values.append(add.draft.apiURL)
        values.append(add.draft.authURL)
        values.append(add.draft.uploadURL)
        values.append(add.draft.isPrivate)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> QuotaRefusal? {
        guard let text = row.textOrNil(0) else { return nil }
        guard let refusal = QuotaRefusal(text: text) else { throw .unknownWord(text) }
        return refusal
    }
}

/// The owner of a printer has given permission: what was had before is of no use any more, nor is a refresh that is under way. No row:
/// there is no such account.
package struct EpsonAuthorize: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        with change as (
            update epson_account
               set sealed_refresh = $6, sealed_access = $7, access_until = $8, token_no = token_no + 1, lease_no = lease_no + 1,
                   leased_until = null, fault = null, fault_at = null, updated_at = $3
             where tenant_id = $1 and printer_id = $5
            returning printer_id
        ), \(OperatorNote.insert("printer.authorize", target: "printer_id::text"))
        select printer_id from change
        """
    )

    package let tenant: TenantID
    let printer: PrinterID
    let sealedRefresh: [UInt8]
    let sealedAccess: [UInt8]
    let accessUntil: Timestamp
    let note: OperatorNote

    package init(
        _ printer: PrinterID,
        of tenant: TenantID,
        sealedRefresh: [UInt8],
        sealedAccess: [UInt8],
        until accessUntil: Timestamp,
        note: OperatorNote
    ) {
        self.tenant = tenant
        self.printer = printer
        self.sealedRefresh = sealedRefresh
        self.sealedAccess = sealedAccess
        self.accessUntil = accessUntil
        self.note = note
    }

    package func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(printer)
        values.append(sealedRefresh)
        values.append(sealedAccess)
        values.append(accessUntil)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterID { try row.id(0) }
}
