package import ChilCore
package import ChilDatabase

/// Sets a tenant's own limit of a class, or that there is none. What changes nothing is not audited. True: something changed.
package struct RetentionSet: Sendable {
    package static let daysMax: Int32 = 36_500

    let kind: RetentionClass
    let days: Int32?
    let tenant: TenantID
    let note: OperatorNote

    /// - Parameter days: 1 to `daysMax`; `nil`: for ever.
    package init(_ kind: RetentionClass, to days: Int32?, of tenant: TenantID, note: OperatorNote) {
        self.kind = kind
        self.days = days
        self.tenant = tenant
        self.note = note
    }

    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let slot = batch.add(RetentionUpsert(set: self))
        return try await database.run(batch).first(slot) != nil
    }
}

/// Has the default hold for a class again. True: something changed.
package struct RetentionUnset: Sendable {
    let kind: RetentionClass
    let tenant: TenantID
    let note: OperatorNote

    package init(_ kind: RetentionClass, of tenant: TenantID, note: OperatorNote) {
        self.kind = kind
        self.tenant = tenant
        self.note = note
    }

    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let slot = batch.add(RetentionDelete(unset: self))
        return try await database.run(batch).first(slot) != nil
    }
}

private struct RetentionUpsert: Statement {
    static let sql = SQL(
        """
        with change as (
            insert into retention as r (tenant_id, class, days, updated_at) values ($1, $5::text, $6, $3)
                on conflict (tenant_id, class) do update set days = excluded.days, updated_at = excluded.updated_at
                where r.days is distinct from excluded.days
            returning class::text, days
        ), \(OperatorNote.insert("retention.set", target: "class", detail: "coalesce(days || ' days', 'forever')"))
        select class from change
        """
    )

    let set: RetentionSet

    func bind(_ values: inout BoundValues) {
        set.note.bind(&values, of: set.tenant)
        values.append(set.kind.rawValue)
        values.append(int32: set.days)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

private struct RetentionDelete: Statement {
    static let sql = SQL(
        """
        with change as (
            delete from retention where tenant_id = $1 and class = $5::text and $3::timestamptz is not null returning class::text
        ), \(OperatorNote.insert("retention.unset", target: "class"))
        select class from change
        """
    )

    let unset: RetentionUnset

    func bind(_ values: inout BoundValues) {
        unset.note.bind(&values, of: unset.tenant)
        values.append(unset.kind.rawValue)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
