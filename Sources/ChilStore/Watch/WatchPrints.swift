package import ChilCore
package import ChilDatabase

/// Prints of a tenant, newest first, at one printer or at all.
package struct WatchJobs: TenantStatement {
    package struct Row: Sendable {
        package let id: PrintJobID
        package let state: PrintJobState
        package let reason: String?
        package let printer: String
        package let owner: UserID
        package let copies: Int32
        package let createdAt: Timestamp
    }

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select j.job_id, j.state, j.reason,
               (select p.name from printer p where p.tenant_id = $1 and p.printer_id = j.printer_id), j.owner_id, j.copies, j.created_at
          from (
                select w.job_id, w.state, w.reason, w.printer_id, w.owner_id, w.copies, w.created_at from print_job w
                 where w.tenant_id = $1 and w.job_id < $2
                 order by w.tenant_id, w.job_id desc limit \(Watch.searchMax)
               ) as j
         where ($3::bigint is null or j.printer_id = $3)
           and ($4 = '' or position(lower($4) in lower(concat_ws(' ', j.state, j.reason, j.job_id))) > 0)
         order by j.job_id desc limit $5
        """
    )

    package let tenant: TenantID
    let before: PrintJobID?
    let printer: PrinterID?
    let filter: String
    let countMax: Int

    package init(of tenant: TenantID, before: PrintJobID?, at printer: PrinterID?, filter: String, countMax: Int) {
        self.tenant = tenant
        self.before = before
        self.printer = printer
        self.filter = filter
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(before?.rawValue ?? .max)
        values.append(printer)
        values.append(filter)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            id: try row.id(0),
            state: try row.word(1),
            reason: row.textOrNil(2),
            printer: row.text(3),
            owner: try row.id(4),
            copies: try row.int32(5),
            createdAt: try row.timestamp(6)
        )
    }
}

/// How many prints wait at each printer of a tenant, whoever's they are.
package struct WatchLines: Statement {
    package static let sql = SQL(
        """
        select e.printer,
               (select count(*) from (select from work w
                 where w.place_tenant_id = $1 and w.place_id = e.printer limit \(Watch.countMax)) as x)
          from unnest($2::bigint[]) as e (printer)
        """
    )

    let tenant: TenantID
    let printers: [PrinterID]

    package init(at printers: [PrinterID], of tenant: TenantID) {
        self.printers = printers
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(int64s: printers.map(\.rawValue))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> (printer: PrinterID, waiting: Int64) {
        (try row.id(0), try row.int64(1))
    }
}

/// Printers of a tenant by name, behind one.
package struct WatchPrinters: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(PrinterView.columns) from printer
         where tenant_id = $1 and state <> 'removed' and name > $2
           and ($3 = '' or position(normalize(lower($3)) in normalize(lower(name))) > 0)
         order by name limit $4
        """
    )

    package let tenant: TenantID
    let after: String
    let filter: String
    let countMax: Int

    package init(of tenant: TenantID, after: String?, filter: String, countMax: Int) {
        self.tenant = tenant
        self.after = after ?? ""
        self.filter = filter
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(after)
        values.append(filter)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterView { try PrinterView(row) }
}
