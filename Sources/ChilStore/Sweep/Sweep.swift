package import ChilCore
package import ChilDatabase

/// Removes what has had its time, of one tenant, a bounded number of rows at a time. The service's role sees one tenant at once,
/// so a sweep of all goes tenant by tenant; run it again while `touched` is full.
package struct Sweep: Sendable {
    package struct Removed: Sendable, Equatable {
        package let nonces: Int
        package let spentTokens: Int
        package let sessions: Int
        package let stagedImages: Int
        package let codeUses: Int
        package let providerEvents: Int
        package let endedSubjects: Int
        package let deletions: Int
        package let revocations: Int
        package let idempotencyKeys: Int
        package let webhooks: Int
        package let quotaUses: Int
        package let reservations: Int
        package let failedDrawings: Int
        package let scans: Int
        package let userEvents: Int

        /// Rows of the kind that had most.
        package var most: Int {
            max(
                max(nonces, spentTokens, sessions, stagedImages, codeUses),
                max(providerEvents, endedSubjects, deletions, revocations),
                max(idempotencyKeys, webhooks, quotaUses, reservations),
                max(failedDrawings, scans, userEvents)
            )
        }
    }

    /// Tokens stay spent for so long past their expiry: the leeway of the check, the five minutes of a code that is made of a token
    /// (its proof is not checked again when the app redeems it), and clocks that differ.
    package static let tokenLeeway = Duration.seconds(600)

    /// A subject whose account has ended is known for so long: an identity token is good for a day at most (`chiladmin client set
    /// --token-age-max`), and a code that is made of it for minutes more.
    package static let endedLife = Duration.seconds(25 * 3_600)

    /// What a user or printer used in a window is shown for so long past its end.
    package static let quotaUseLife = Duration.seconds(86_400)

    /// A drawing that came to nothing is shown for so long.
    package static let failedDrawingLife = Duration.seconds(86_400)

    let tenant: TenantID
    let now: Timestamp
    let countMax: Int
    let pendingMax: Int

    /// - Parameters:
    ///   - countMax: rows of each kind.
    ///   - pendingMax: deliveries that may wait for one endpoint.
    package init(
        of tenant: TenantID,
        at now: Timestamp,
        countMax: Int = 1_000,
        pendingMax: Int = WebhookSweep.pendingMax
    ) {
        self.tenant = tenant
        self.now = now
        self.countMax = countMax
        self.pendingMax = pendingMax
    }

    package func run(on database: some Database) async throws(DatabaseError) -> Removed {
        var batch = Batch(.write, of: tenant)
        // In the order of locks: drawings, and what counts them, before what counts jobs.
        let failed = batch.add(FailedDrawingSweep(sweep: self))
        let nonces = batch.add(NonceSweep(sweep: self))
        let tokens = batch.add(SpentTokenSweep(sweep: self))
        let sessions = batch.add(SessionSweep(sweep: self))
        let images = batch.add(StagedImageSweep(sweep: self))
        let codes = batch.add(CodeUseSweep(sweep: self))
        let events = batch.add(ProviderEventSweep(sweep: self))
        let ended = batch.add(EndedSubjectSweep(sweep: self))
        let deletions = batch.add(AccountDeletionSweep(sweep: self))
        let revocations = batch.add(TokenRevocationSweep(sweep: self))
        let keys = batch.add(IdempotencySweep(sweep: self))
        let webhooks = batch.add(
            WebhookSweep(tenant: tenant, now: now, countMax: countMax, pendingMax: pendingMax)
        )
        let reservations = batch.add(ReservationSweep(sweep: self))
        let uses = batch.add(QuotaUseSweep(sweep: self))
        let scanSessions = batch.add(ScanSessionSweep(sweep: self))
        let scans = batch.add(FailedScanSweep(sweep: self))
        let told = batch.add(UserEventSweep(tenant: tenant, now: now, countMax: countMax))
        let result = try await database.run(batch)
        return Removed(
            nonces: result.touched(nonces),
            spentTokens: result.touched(tokens),
            sessions: result.touched(sessions),
            stagedImages: Int(try result.first(images) ?? 0),
            codeUses: result.touched(codes),
            providerEvents: result.touched(events),
            endedSubjects: result.touched(ended),
            deletions: result.touched(deletions),
            revocations: result.touched(revocations),
            idempotencyKeys: result.touched(keys),
            webhooks: try result.first(webhooks) ?? 0,
            quotaUses: result.touched(uses),
            reservations: Int(clamping: try result.first(reservations) ?? 0),
            failedDrawings: Int(clamping: try result.first(failed) ?? 0),
            scans: max(result.touched(scanSessions), result.touched(scans)),
            userEvents: result.touched(told)
        )
    }

    func bind(_ values: inout BoundValues, before moment: Timestamp) {
        values.append(tenant)
        values.append(moment)
        values.append(Int64(countMax))
    }
}

private struct FailedDrawingSweep: Statement {
    static let sql = SQL("select chil_sweep_failed_drawings($1, $2, $3)")

    let sweep: Sweep

    func bind(_ values: inout BoundValues) {
        sweep.bind(&values, before: sweep.now - Sweep.failedDrawingLife)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

private struct NonceSweep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from nonce where tenant_id = $1 and digest = any (array(
            select digest from nonce where tenant_id = $1 and expires_at < $2 order by expires_at limit $3
        ))
        """
    )

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now) }
}

private struct SpentTokenSweep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from spent_token where tenant_id = $1 and expires_at < $2 and expires_at <= (
            select max(expires_at) from (
                select expires_at from spent_token where tenant_id = $1 and expires_at < $2 order by expires_at limit $3
            ) as oldest
        )
        """
    )

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now - Sweep.tokenLeeway) }
}

private struct SessionSweep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from session where tenant_id = $1 and session_id = any (array(
            select s.session_id from session s
             where s.tenant_id = $1 and s.expires_at < $2
               and not exists (select from user_hold h where h.tenant_id = $1 and h.user_id = s.user_id)
             order by s.expires_at limit $3
        ))
        """
    )

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now) }
}

private struct CodeUseSweep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from code_use where tenant_id = $1 and digest = any (array(
            select digest from code_use where tenant_id = $1 and expires_at < $2 order by expires_at limit $3
        ))
        """
    )

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now) }
}

private struct IdempotencySweep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from idempotency i
         using (
               select user_id, key_digest from idempotency where tenant_id = $1 and expires_at < $2 order by expires_at limit $3
                  for update skip locked
               ) as over
         where i.tenant_id = $1 and i.user_id = over.user_id and i.key_digest = over.key_digest
        """
    )

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now) }
}

/// Chunks go with their image, objects by work that removes them.
private struct StagedImageSweep: Statement {
    static let sql = SQL("select chil_sweep_staged_images($1, $2, $3::bigint::integer)")

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

/// By the tenant's own limit (`provider-events`). What was not acted on stays, however old: its work will come.
private struct ProviderEventSweep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from provider_event where tenant_id = $1 and event_id = any (array(
            select e.event_id from provider_event e
             where e.tenant_id = $1 and e.received_at < chil_retained_from($1, 'provider-events', $2) and e.applied_at is not null
               and not exists (
                    select from identity i join user_hold h on h.tenant_id = $1 and h.user_id = i.user_id
                     where i.tenant_id = $1 and i.provider_id = e.provider_id and i.subject = e.subject
                   )
             order by e.received_at limit $3
        ))
        """
    )

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now) }
}

private struct EndedSubjectSweep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from ended_subject where tenant_id = $1 and digest = any (array(
            select digest from ended_subject where tenant_id = $1 and ended_at < $2 order by ended_at limit $3
        ))
        """
    )

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now - Sweep.endedLife) }
}

/// By the tenant's own limit (`receipts`), as what became of revocations.
private struct AccountDeletionSweep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from account_deletion where tenant_id = $1 and deletion_id = any (array(
            select deletion_id from account_deletion
             where tenant_id = $1 and deleted_at < chil_retained_from($1, 'receipts', $2) order by deleted_at limit $3
        ))
        """
    )

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now) }
}

/// One that is under way stays, however old.
private struct TokenRevocationSweep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from token_revocation where tenant_id = $1 and revocation_id = any (array(
            select revocation_id from token_revocation
             where tenant_id = $1 and updated_at < chil_retained_from($1, 'receipts', $2) and state <> 'pending'
             order by updated_at limit $3
        ))
        """
    )

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now) }
}

private struct QuotaUseSweep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from quota_use u
         using (
               select subject_id, metric, scope, window_kind from quota_use
                where tenant_id = $1 and resets_at < 'infinity' and resets_at < $2 order by resets_at limit $3
                  for update skip locked
               ) as over
         where u.tenant_id = $1 and u.subject_id = over.subject_id and u.metric = over.metric and u.scope = over.scope
           and u.window_kind = over.window_kind
        """
    )

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now - Sweep.quotaUseLife) }
}

/// Given back, if the work that they were for is gone.
private struct ReservationSweep: Statement {
    static let sql = SQL("select chil_give_back_lapsed($1, $2, $3)")

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}
