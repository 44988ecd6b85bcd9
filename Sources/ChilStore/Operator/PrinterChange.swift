package import ChilCore
package import ChilDatabase

/// A new printer of a tenant, within its limit; its first one is the default. A taken name is `.conflict` with `printer_name_key`.
package struct PrinterAdd: Sendable {
    package enum Outcome: Sendable {
        case added(PrinterRecord)
        /// The limit that refused: nothing was done.
        case overQuota(QuotaRefusal)
    }

    let id: PrinterID
    let tenant: TenantID
    let name: String
    let uri: String
    let isDefault: Bool
    let disclosedTo: String?
    let note: OperatorNote

    /// - Parameters:
    ///   - isDefault: takes the place of the default printer.
    ///   - disclosedTo: the party whose service it is, as `ConsentScope` names one; `nil`: it is the tenant's own.
    package init(
        _ id: PrinterID,
        to tenant: TenantID,
        name: String,
        uri: String,
        isDefault: Bool,
        disclosedTo: String? = nil,
        note: OperatorNote
    ) {
        self.id = id
        self.tenant = tenant
        self.name = name
        self.uri = uri
        self.isDefault = isDefault
        self.disclosedTo = disclosedTo
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> Outcome {
        try await run(on: database, with: nil)
    }

    /// - Parameter borrow: what makes it another tenant's.
    func run(on database: some Database, with borrow: PrinterBorrow?) async throws(DatabaseError) -> Outcome {
        var batch = Batch(.write, of: tenant, contending: QuotaMetric.printers.contention(of: tenant, isLimited: true))
        let change = batch.add(PrinterInsert(add: self))
        if let borrow { batch.add(borrow) }
        let printers = batch.add(PrinterList(of: tenant))
        batch.add(Notify.tenant(tenant))
        let result = try await database.run(batch)
        if let refusal = try result.first(change) ?? nil { return .overQuota(refusal) }
        let record = try result.rows(printers).first { $0.id == id }
        guard let record else { throw .noRow(of: PrinterInsert.self) }
        return .added(record)
    }
}

/// Removes a printer by name. Its jobs keep their history; those that wait are canceled at their next step.
package struct PrinterRemove: Sendable {
    let name: String
    let tenant: TenantID
    let leavesJobs: Bool
    let note: OperatorNote

    /// - Parameter leavesJobs: removes it though jobs have not ended there.
    package init(named name: String, of tenant: TenantID, leavesJobs: Bool = true, note: OperatorNote) {
        self.name = name
        self.tenant = tenant
        self.leavesJobs = leavesJobs
        self.note = note
    }

    /// What it was; `nil`: there is none of that name, or jobs have not ended there.
    package func run(on database: some Database) async throws(DatabaseError) -> PrinterRecord? {
        var batch = Batch(.write, of: tenant, contending: QuotaMetric.printers.contention(of: tenant, isLimited: true))
        let change = batch.add(PrinterMarkRemoved(remove: self))
        batch.add(Notify.tenant(tenant))
        return try await database.run(batch).first(change)
    }
}

private struct PrinterInsert: Statement {
    static let sql = SQL(
        """
        with change as materialized (
            select chil_add_printer($1, $5, $6, $7, $8, $9, $3) as refusal
        ), \(OperatorNote.insert("printer.add", target: "$6::text", detail: "coalesce('quota ' || refusal, $7::text)"))
        select refusal from change
        """
    )

    let add: PrinterAdd

    func bind(_ values: inout BoundValues) {
        add.note.bind(&values, of: add.tenant)
        values.append(add.id)
        values.append(add.name)
        values.append(add.uri)
        values.append(add.isDefault)
        values.append(add.disclosedTo)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> QuotaRefusal? {
        guard let text = row.textOrNil(0) else { return nil }
        guard let refusal = QuotaRefusal(text: text) else { throw .unknownWord(text) }
        return refusal
    }
}

private struct PrinterMarkRemoved: Statement {
    static let sql = SQL(
        """
        with change as (
            update printer set state = 'removed', updated_at = $3
             where tenant_id = $1 and name = $5 and state <> 'removed'
               and ($6 or not exists (
                    select from print_job j
                     where j.tenant_id = $1 and j.printer_id = printer.printer_id
                       and j.state not in ('completed', 'failed', 'canceled', 'expired', 'outcomeUnknown')
                   ))
            returning \(PrinterRecord.columns)
        ), \(OperatorNote.insert("printer.remove", target: "name", detail: "uri"))
        select change.*, chil_forget_printer($1, printer_id) from change
        """
    )

    let remove: PrinterRemove

    func bind(_ values: inout BoundValues) {
        remove.note.bind(&values, of: remove.tenant)
        values.append(remove.name)
        values.append(remove.leavesJobs)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterRecord { try PrinterRecord(row) }
}
