package import ChilCore
package import ChilDatabase

/// A guardian asks for erasure. `nil`: there is no such user, or a request is open.
package struct ErasureOpen: Sendable {
    let id: ErasureRequestID
    let user: UserID
    let tenant: TenantID
    let reference: String?
    let note: OperatorNote

    package init(
        _ id: ErasureRequestID,
        for user: UserID,
        of tenant: TenantID,
        reference: String?,
        note: OperatorNote
    ) {
        self.id = id
        self.user = user
        self.tenant = tenant
        self.reference = reference
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> ErasureRequest? {
        var batch = Batch(.write, of: tenant)
        let slot = batch.add(ErasureInsert(open: self))
        return try await database.run(batch).first(slot)
    }
}

/// The end of a request without a deletion: refused for a reason, or there was no account any more. The end of an account ends a request by
/// itself. `nil`: it is not open.
package struct ErasureClose: Sendable {
    package enum Outcome: Sendable, Equatable {
        case done
        case refused(because: String)
    }

    let id: ErasureRequestID
    let outcome: Outcome
    let tenant: TenantID
    let note: OperatorNote

    package init(_ id: ErasureRequestID, of tenant: TenantID, as outcome: Outcome, note: OperatorNote) {
        self.id = id
        self.tenant = tenant
        self.outcome = outcome
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> ErasureRequest? {
        var batch = Batch(.write, of: tenant)
        let slot = batch.add(ErasureUpdate(close: self))
        return try await database.run(batch).first(slot)
    }
}

private struct ErasureInsert: Statement {
    static let sql = SQL(
        """
        with change as (
            insert into erasure_request (tenant_id, request_id, user_id, reference, opened_at, due_at)
            select $1, $5, u.user_id, $7, $3::timestamptz, $3::timestamptz + interval '\(ErasureRequest.days) days'
              from app_user u where u.tenant_id = $1 and u.user_id = $6
                on conflict (tenant_id, user_id) where state = 'open' do nothing
            returning \(ErasureRequest.columns)
        ), \(OperatorNote.insert("erasure.open", target: "user_id::text", detail: "'request ' || request_id"))
        select * from change
        """
    )

    let open: ErasureOpen

    func bind(_ values: inout BoundValues) {
        open.note.bind(&values, of: open.tenant)
        values.append(open.id)
        values.append(open.user)
        values.append(open.reference)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> ErasureRequest { try ErasureRequest(row) }
}

private struct ErasureUpdate: Statement {
    static let sql = SQL(
        """
        with change as (
            update erasure_request
               set state = $6, reason = $7, closed_at = $3, reference = null
             where tenant_id = $1 and request_id = $5 and state = 'open'
            returning \(ErasureRequest.columns)
        ), \(OperatorNote.insert("erasure.close", target: "user_id::text", detail: "'request ' || request_id || ' ' || state"))
        select * from change
        """
    )

    let close: ErasureClose

    func bind(_ values: inout BoundValues) {
        close.note.bind(&values, of: close.tenant)
        values.append(close.id)
        switch close.outcome {
        case .done:
            values.append("done")
            values.appendNull()
        case .refused(let reason):
            values.append("refused")
            values.append(reason)
        }
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> ErasureRequest { try ErasureRequest(row) }
}
