package import ChilCore
package import ChilDatabase

/// Lets a printer take prints or none; its row, or none of that name.
package struct PrinterSetState: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        with change as (
            update printer set state = $6, updated_at = $3
             where tenant_id = $1 and name = $5 and state <> 'removed'
            returning \(PrinterView.columns)
        ), \(OperatorNote.insert("printer.set", target: "name", detail: "state"))
        select * from change
        """
    )

    package let tenant: TenantID
    let name: String
    let state: PrinterRecord.State
    let note: OperatorNote

    package init(_ state: PrinterRecord.State, named name: String, of tenant: TenantID, note: OperatorNote) {
        self.tenant = tenant
        self.name = name
        self.state = state
        self.note = note
    }

    package func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(name)
        values.append(state.rawValue)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterView { try PrinterView(row) }
}

/// Makes a printer the tenant's default; `nil`: there is none of that name.
package struct PrinterSetDefault: Sendable {
    let name: String
    let tenant: TenantID
    let note: OperatorNote

    package init(named name: String, of tenant: TenantID, note: OperatorNote) {
        self.name = name
        self.tenant = tenant
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> PrinterView? {
        var batch = Batch(.write, of: tenant)
        batch.add(PrinterClearDefault(change: self))
        let change = batch.add(PrinterMarkDefault(change: self))
        batch.add(Notify.tenant(tenant))
        return try await database.run(batch).first(change)
    }
}

private struct PrinterClearDefault: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        update printer set is_default = false, updated_at = $3
         where tenant_id = $1 and is_default and name <> $2 and state <> 'removed'
           and exists (select from printer p where p.tenant_id = $1 and p.name = $2 and p.state <> 'removed')
        """
    )

    let change: PrinterSetDefault

    func bind(_ values: inout BoundValues) {
        values.append(change.tenant)
        values.append(change.name)
        values.append(change.note.now)
    }
}

private struct PrinterMarkDefault: Statement {
    static let sql = SQL(
        """
        with change as (
            update printer set is_default = true, updated_at = $3
             where tenant_id = $1 and name = $5 and state <> 'removed'
            returning \(PrinterView.columns)
        ), \(OperatorNote.insert("printer.default", target: "name"))
        select * from change
        """
    )

    let change: PrinterSetDefault

    func bind(_ values: inout BoundValues) {
        change.note.bind(&values, of: change.tenant)
        values.append(change.name)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterView { try PrinterView(row) }
}

/// Looks at all that waits for a printer now, and tells the workers.
package struct PrintsWake: Sendable {
    let place: PrintPlace

    package init(_ place: PrintPlace) {
        self.place = place
    }

    package func run(on database: some Database) async throws(DatabaseError) {
        var batch = Batch(.write, of: place.tenant)
        batch.add(PrintsWakeRows(place: place))
        batch.add(Notify.work)
        _ = try await database.run(batch)
    }
}

private struct PrintsWakeRows: Statement {
    typealias Row = Void

    static let sql = SQL("select chil_wake_prints($1, $2)")

    let place: PrintPlace

    func bind(_ values: inout BoundValues) {
        values.append(place.tenant)
        values.append(place.printer)
    }
}

/// Moves the prints that no printer has yet to another of the tenant's. How many they were.
package struct PrintJobsMove: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        with change as materialized (
            select chil_move_print_jobs($1, $5, $6, $7, $8, $3) as moved
        ), \(OperatorNote.insert("print-job.move", target: "$5::text", detail: "moved || ' to ' || $6::text"))
        select moved from change
        """
    )

    package let tenant: TenantID
    let from: PrinterID
    let target: PrinterID
    let place: PrintPlace
    let note: OperatorNote

    package init(
        from: PrinterID,
        to target: PrinterID,
        at place: PrintPlace,
        of tenant: TenantID,
        note: OperatorNote
    ) {
        self.tenant = tenant
        self.from = from
        self.target = target
        self.place = place
        self.note = note
    }

    package func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(from)
        values.append(target)
        values.append(place.tenant)
        values.append(place.printer)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}
