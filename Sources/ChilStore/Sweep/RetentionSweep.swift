package import ChilCore
package import ChilDatabase

/// Removes what a tenant has kept for as long as it says (`RetentionList`), of one tenant, a bounded number of rows of each class at a time.
/// What hangs on a user who is held stays. The limits are read in the statements that remove.
///
/// What goes by a moment of its own (nonces, sessions at their absolute end), and what a provider told and receipts, is `Sweep`'s.
package struct RetentionSweep: Sendable {
    package struct Removed: Sendable, Equatable {
        package var drawings: Int64 = 0
        package var printJobs = 0
        package var sessions = 0
        package var auditRows = 0
        package var auditAddresses = 0
        package var erasureRequests = 0
        package var consents = 0
        /// Requests for erasure that were found to be overdue.
        package var overdue = 0
        /// Where the next round looks for drawings; `nil`: this round has seen the last of them.
        package var nextDrawing: DrawingID?

        package init() {}

        /// Rows of the class that had most; drawings have their own place.
        package var most: Int {
            max(max(printJobs, sessions, auditRows), max(auditAddresses, erasureRequests, consents))
        }
    }

    let tenant: TenantID
    let afterDrawing: DrawingID
    let audit: AuditID
    let now: Timestamp
    let countMax: Int

    /// - Parameters:
    ///   - afterDrawing: `nextDrawing` of the round before; 0 in the first.
    ///   - audit: a fresh number, used once.
    ///   - countMax: rows of each class; drawings that are looked at.
    package init(
        of tenant: TenantID,
        afterDrawing: DrawingID = DrawingID(rawValue: 0),
        audit: AuditID,
        at now: Timestamp,
        countMax: Int = 500
    ) {
        self.tenant = tenant
        self.afterDrawing = afterDrawing
        self.audit = audit
        self.now = now
        self.countMax = countMax
    }

    package func run(on database: some Database) async throws(DatabaseError) -> Removed {
        var batch = Batch(.write, of: tenant)
        let jobs = batch.add(PrintJobSweep(sweep: self))
        let sessions = batch.add(EndedSessionSweep(sweep: self))
        let requests = batch.add(ErasureRequestSweep(sweep: self))
        let overdue = batch.add(ErasureOverdue(sweep: self))
        let added = batch.add(AddedSweep(sweep: self))
        // Last, as quotas are: whoever ends an account has its sessions before them.
        let drawings = batch.add(DrawingSweep(sweep: self))
        let result = try await database.run(batch)
        var removed = Removed()
        removed.printJobs = result.touched(jobs)
        removed.sessions = result.touched(sessions)
        removed.erasureRequests = result.touched(requests)
        removed.overdue = try result.first(overdue) ?? 0
        guard let swept = try result.first(drawings), let more = try result.first(added) else {
            throw .noRow(of: DrawingSweep.self)
        }
        (removed.drawings, removed.nextDrawing) = swept
        (removed.auditRows, removed.auditAddresses, removed.consents) = more
        return removed
    }

    /// `$1…$3`: tenant, now, how many.
    fileprivate func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(now)
        values.append(Int64(countMax))
    }
}

private struct DrawingSweep: Statement {
    static let sql = SQL("select * from chil_sweep_drawings($1, $2, $3, $4, $5)")

    let sweep: RetentionSweep

    func bind(_ values: inout BoundValues) {
        values.append(sweep.tenant)
        values.append(sweep.afterDrawing)
        values.append(int32: Int32(clamping: sweep.countMax))
        values.append(sweep.audit)
        values.append(sweep.now)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> (Int64, DrawingID?) {
        (try row.int64(0), try row.int64OrNil(1).map(DrawingID.init(rawValue:)))
    }
}

private struct AddedSweep: Statement {
    static let sql = SQL("select * from chil_sweep_added($1, $2, $3)")

    let sweep: RetentionSweep

    func bind(_ values: inout BoundValues) {
        values.append(sweep.tenant)
        values.append(int32: Int32(clamping: sweep.countMax))
        values.append(sweep.now)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> (Int, Int, Int) {
        (Int(try row.int32(0)), Int(try row.int32(1)), Int(try row.int32(2)))
    }
}

/// Jobs that are over; their events go with them (`on delete cascade`).
private struct PrintJobSweep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from print_job where tenant_id = $1 and job_id = any (array(
            select j.job_id from print_job j
             where j.tenant_id = $1 and j.created_at < chil_retained_from($1, 'print-jobs', $2)
               and j.state in ('completed', 'failed', 'canceled', 'expired', 'outcomeUnknown')
               and not exists (select from user_hold h where h.tenant_id = $1 and h.user_id = j.owner_id)
             order by j.created_at limit $3
        ))
        """
    )

    let sweep: RetentionSweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values) }
}

private struct EndedSessionSweep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from session where tenant_id = $1 and session_id = any (array(
            select s.session_id from session s
             where s.tenant_id = $1 and s.ended_at < chil_retained_from($1, 'sessions', $2)
               and not exists (select from user_hold h where h.tenant_id = $1 and h.user_id = s.user_id)
             order by s.ended_at limit $3
        ))
        """
    )

    let sweep: RetentionSweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values) }
}

private struct ErasureRequestSweep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from erasure_request where tenant_id = $1 and request_id = any (array(
            select e.request_id from erasure_request e
             where e.tenant_id = $1 and e.state <> 'open' and e.closed_at < chil_retained_from($1, 'receipts', $2)
               and not exists (select from user_hold h where h.tenant_id = $1 and h.user_id = e.user_id)
             limit $3
        ))
        """
    )

    let sweep: RetentionSweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values) }
}

/// Says once of each request that its time is over, and how many there were.
private struct ErasureOverdue: Statement {
    static let sql = SQL("select chil_tell_overdue($1, $3, $2)")

    let sweep: RetentionSweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Int { Int(try row.int64(0)) }
}
