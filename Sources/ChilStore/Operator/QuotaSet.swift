package import ChilCore
package import ChilDatabase

/// Sets a limit for a tenant, in place of its plan's. What is in use counts from the first day: a new limit on something lasting starts at
/// what there is, one for a window at nothing. A limit below use is legal: nothing more is given until enough is freed.
package struct QuotaSet: Sendable {
    let tenant: TenantID
    let key: QuotaKey
    let terms: QuotaTerms
    let note: OperatorNote

    package init(_ key: QuotaKey, to terms: QuotaTerms, of tenant: TenantID, note: OperatorNote) {
        self.tenant = tenant
        self.key = key
        self.terms = terms
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> QuotaRecord {
        var batch = Batch(.write, of: tenant, contending: key.metric.contention(of: tenant, isLimited: true))
        batch.add(QuotaUpsert(set: self))
        let list = batch.add(QuotaList(of: tenant, at: note.now))
        batch.add(Notify.tenant(tenant))
        let record = try await database.run(batch).rows(list).first { $0.key == key }
        guard let record else { throw .noRow(of: QuotaUpsert.self) }
        return record
    }
}

/// Takes away a limit that was set for a tenant; its plan's, if it has one, holds again.
package struct QuotaUnset: Sendable {
    package enum Outcome: Sendable, Equatable {
        case removed
        /// The plan has such a limit too: it holds now.
        case planHolds
        /// It is the plan's: nothing was done.
        case isOfPlan
        case missing
    }

    let tenant: TenantID
    let key: QuotaKey
    let note: OperatorNote

    package init(_ key: QuotaKey, of tenant: TenantID, note: OperatorNote) {
        self.tenant = tenant
        self.key = key
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> Outcome {
        var batch = Batch(.write, of: tenant, contending: key.metric.contention(of: tenant, isLimited: true))
        let change = batch.add(QuotaDelete(unset: self))
        batch.add(Notify.tenant(tenant))
        guard let outcome = try await database.run(batch).first(change) else { throw .noRow(of: QuotaDelete.self) }
        return outcome
    }
}

private struct QuotaUpsert: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        with change as materialized (
            select chil_set_quota($1, $5, $6, $7, $8, $9, $10, 'tenant', $3) as done
        ), \(OperatorNote.insert(
            "quota.set",
            target: "concat_ws(' ', $5::text, $6::text, $7::text)",
            detail: "concat_ws(' ', $8::bigint, $10::text, 'from ' || $9::bigint)"
        ))
        select done from change
        """
    )

    let set: QuotaSet

    func bind(_ values: inout BoundValues) {
        set.note.bind(&values, of: set.tenant)
        set.key.bind(&values)
        set.terms.bind(&values)
    }
}

private struct QuotaDelete: Statement {
    static let sql = SQL(
        """
        with outcome as materialized (
            select chil_unset_quota($1, $5, $6, $7, $3) as word
        ), change as (
            select word from outcome where word in ('removed', 'plan')
        ), \(OperatorNote.insert("quota.unset", target: "concat_ws(' ', $5::text, $6::text, $7::text)", detail: "word"))
        select word from outcome
        """
    )

    let unset: QuotaUnset

    func bind(_ values: inout BoundValues) {
        unset.note.bind(&values, of: unset.tenant)
        unset.key.bind(&values)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> QuotaUnset.Outcome {
        switch row.text(0) {
        case "removed": .removed
        case "plan": .planHolds
        case "of-plan": .isOfPlan
        case "missing": .missing
        case let word: throw .unknownWord(word)
        }
    }
}

extension QuotaKey {
    func bind(_ values: inout BoundValues) {
        values.append(metric.rawValue)
        values.append(scope.rawValue)
        values.append(window.rawValue)
    }
}
