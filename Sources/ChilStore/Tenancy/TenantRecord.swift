package import ChilCore
package import ChilDatabase

/// A tenant's row.
package struct TenantRecord: Sendable {
    package enum State: String, Sendable { case active, suspended }

    package let id: TenantID
    package let slug: String
    package let name: String
    package let state: State
    /// An IANA name; day and month quotas turn over by it.
    package let timeZone: String
    /// Who callers without `Authorization` are; `nil`: nobody is served without.
    package let guest: Guest?
    /// Who they are or were: a guest whom nobody serves any more keeps the drawings, until erased.
    package let knownGuest: UserID?
    package let createdAt: Timestamp
    /// The set of limits that it shares with others; `nil`: none.
    package let plan: String?
    /// `countMax` is a quota, and no part of the row: whoever reads that too sets it (`with(sessionsMax:)`).
    package private(set) var sessionRules: SessionRules
    package let consentPolicy: ConsentPolicy
    package let printing: PrintingRules
    /// It was deleted, and goes then.
    package let purgeAt: Timestamp?

    static let columns = """
        tenant_id, slug, name, state, time_zone, guest_user_id, created_at, session_idle_s, session_absolute_s, plan,
        consent_scopes, consent_notice, serves_guest, guest_prints_per_day, print_fit, print_paper, prints_mark,
        purge_at
        """

    init(_ row: ResultRow) throws(DatabaseError) {
        id = try row.id(0)
        slug = row.text(1)
        name = row.text(2)
        state = try row.word(3)
        timeZone = row.text(4)
        let guest = try row.int64OrNil(5).map(UserID.init(rawValue:))
        let (servesGuest, printsPerDay) = (try row.bool(12), try row.int32(13))
        self.guest = servesGuest ? guest.map { Guest(user: $0, printsPerDay: printsPerDay) } : nil
        knownGuest = guest
        createdAt = try row.timestamp(6)
        sessionRules = SessionRules(
            idle: .seconds(try row.int32(7)),
            absolute: .seconds(try row.int32(8)),
            countMax: nil
        )
        plan = row.textOrNil(9)
        consentPolicy = try ConsentPolicy(row, from: 10)
        printing = try PrintingRules(row, from: 14)
        purgeAt = try row.timestampOrNil(17)
    }

    /// - Parameter sessionsMax: the limit `sessions_per_user`.
    package func with(sessionsMax: Int64?) -> Self {
        var record = self
        record.sessionRules = SessionRules(
            idle: sessionRules.idle,
            absolute: sessionRules.absolute,
            countMax: sessionsMax.map { Int32(clamping: $0) }
        )
        return record
    }
}

/// One tenant by its place in URLs. A reference table: no tenant needs to be entered.
package struct TenantBySlug: Statement {
    package static let sql = SQL("select \(TenantRecord.columns) from tenant where slug = $1")

    let slug: String

    package init(slug: String) {
        self.slug = slug
    }

    package func bind(_ values: inout BoundValues) {
        values.append(slug)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> TenantRecord { try TenantRecord(row) }
}

/// One tenant by number, as notifications name it.
package struct TenantByID: Statement {
    package static let sql = SQL("select \(TenantRecord.columns) from tenant where tenant_id = $1")

    let id: TenantID

    package init(id: TenantID) {
        self.id = id
    }

    package func bind(_ values: inout BoundValues) {
        values.append(id)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> TenantRecord { try TenantRecord(row) }
}

/// All tenants by slug.
package struct TenantList: Statement {
    package static let sql = SQL("select \(TenantRecord.columns) from tenant order by slug")

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> TenantRecord { try TenantRecord(row) }
}
