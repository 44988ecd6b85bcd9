package import ChilCore
package import ChilDatabase

/// A new printer of a tenant; its first one is the default. A taken name is `.conflict` with `printer_name_key`.
package struct PrinterAdd: Sendable {
    let id: PrinterID
    let tenant: TenantID
    let name: String
    let uri: String
    let isDefault: Bool
    let note: OperatorNote

    /// - Parameter isDefault: takes the place of the default printer.
    package init(_ id: PrinterID, to tenant: TenantID, name: String, uri: String, isDefault: Bool, note: OperatorNote) {
        self.id = id
        self.tenant = tenant
        self.name = name
        self.uri = uri
        self.isDefault = isDefault
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> PrinterRecord {
        var batch = Batch(.write, of: tenant)
        if isDefault { batch.add(DefaultPrinterClear(tenant: tenant, now: note.now)) }
        let change = batch.add(PrinterInsert(add: self))
        batch.add(Notify.tenant(tenant))
        guard let record = try await database.run(batch).first(change) else { throw .noRow(of: PrinterInsert.self) }
        return record
    }
}

/// Removes a printer by name. Its jobs keep their history; those that wait fail at their next step.
package struct PrinterRemove: Sendable {
    let name: String
    let tenant: TenantID
    let note: OperatorNote

    package init(named name: String, of tenant: TenantID, note: OperatorNote) {
        self.name = name
        self.tenant = tenant
        self.note = note
    }

    /// What it was; `nil`: there is none of that name.
    package func run(on database: some Database) async throws(DatabaseError) -> PrinterRecord? {
        var batch = Batch(.write, of: tenant)
        let change = batch.add(PrinterMarkRemoved(remove: self))
        batch.add(Notify.tenant(tenant))
        return try await database.run(batch).first(change)
    }
}

private struct DefaultPrinterClear: Statement {
    typealias Row = Void

    static let sql = SQL(
        "update printer set is_default = false, updated_at = $2 where tenant_id = $1 and is_default and state <> 'removed'"
    )

    let tenant: TenantID
    let now: Timestamp

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(now)
    }
}

private struct PrinterInsert: Statement {
    static let sql = SQL(
        """
        with change as (
            insert into printer (tenant_id, printer_id, name, kind, uri, is_default, state, created_at, updated_at)
            select $1, $5, $6, 'ipp', $7,
                   not exists (select from printer where tenant_id = $1 and is_default and state <> 'removed'),
                   'enabled', $3, $3
            returning \(PrinterRecord.columns)
        ), \(OperatorNote.insert("printer.add", target: "name", detail: "uri"))
        select * from change
        """
    )

    let add: PrinterAdd

    func bind(_ values: inout BoundValues) {
        add.note.bind(&values, of: add.tenant)
        values.append(add.id)
        values.append(add.name)
        values.append(add.uri)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterRecord { try PrinterRecord(row) }
}

private struct PrinterMarkRemoved: Statement {
    static let sql = SQL(
        """
        with change as (
            update printer set state = 'removed', updated_at = $3
             where tenant_id = $1 and name = $5 and state <> 'removed'
            returning \(PrinterRecord.columns)
        ), \(OperatorNote.insert("printer.remove", target: "name", detail: "uri"))
        select * from change
        """
    )

    let remove: PrinterRemove

    func bind(_ values: inout BoundValues) {
        remove.note.bind(&values, of: remove.tenant)
        values.append(remove.name)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterRecord { try PrinterRecord(row) }
}
