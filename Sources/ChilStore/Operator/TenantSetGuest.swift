package import ChilCore
package import ChilDatabase

/// Whether a tenant serves callers without a token, and how much they print. What is `nil` stays; what changes nothing is not audited.
///
/// Whoever was the guest before is it again, with the same drawings.
package struct TenantSetGuest: Sendable {
    package struct Change: Sendable, Equatable {
        package let isServed: Bool?
        package let printsPerDay: Int32?

        package init(isServed: Bool?, printsPerDay: Int32?) {
            self.isServed = isServed
            self.printsPerDay = printsPerDay
        }
    }

    let tenant: TenantID
    let change: Change
    let newGuest: UserID?
    let note: OperatorNote

    /// - Parameter newGuest: a fresh number where there was no guest, or the guest was erased; else `nil`.
    package init(_ change: Change, of tenant: TenantID, newGuest: UserID?, note: OperatorNote) {
        self.tenant = tenant
        self.change = change
        self.newGuest = newGuest
        self.note = note
    }

    /// Whether something changed.
    @discardableResult
    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        if let newGuest { batch.add(GuestInsert(tenant: tenant, user: newGuest, now: note.now)) }
        let slot = batch.add(TenantGuestUpdate(set: self))
        batch.add(Notify.tenant(tenant))
        return try await database.run(batch).first(slot) != nil
    }
}

private struct TenantGuestUpdate: Statement {
    static let sql = SQL(
        """
        with change as (
            update tenant t
               set serves_guest = coalesce($5, t.serves_guest), guest_prints_per_day = coalesce($6, t.guest_prints_per_day),
                   guest_user_id = coalesce($7, t.guest_user_id), updated_at = $3
             where t.tenant_id = $1
               and (t.serves_guest, t.guest_prints_per_day, t.guest_user_id) is distinct from
                   (coalesce($5, t.serves_guest), coalesce($6, t.guest_prints_per_day), coalesce($7, t.guest_user_id))
            returning slug, serves_guest, guest_prints_per_day
        ), \(OperatorNote.insert(
            "tenant.guest",
            target: "slug",
            detail: "case when serves_guest then 'served' else 'not served' end || ', ' || guest_prints_per_day || ' prints a day'"
        ))
        select slug from change
        """
    )

    let set: TenantSetGuest

    func bind(_ values: inout BoundValues) {
        set.note.bind(&values, of: set.tenant)
        values.append(flag: set.change.isServed)
        values.append(int32: set.change.printsPerDay)
        values.append(set.newGuest)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
