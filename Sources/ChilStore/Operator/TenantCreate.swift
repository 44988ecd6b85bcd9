package import ChilCore
package import ChilDatabase

/// A new tenant with its first signing key, and its guest if it shall serve callers without a token.
/// A taken slug is `.conflict` with the constraint `tenant_slug_key`.
package struct TenantCreate: Sendable {
    let id: TenantID
    let slug: String
    let name: String
    let timeZone: String
    let guest: UserID?
    let key: TenantKeyRecord
    let note: OperatorNote

    /// - Parameters:
    ///   - timeZone: an IANA name that PostgreSQL knows; another is refused with SQLSTATE 22023.
    ///   - guest: a fresh number for the guest; `nil`: none.
    package init(
        _ id: TenantID,
        slug: String,
        name: String,
        timeZone: String,
        guest: UserID?,
        key: TenantKeyRecord,
        note: OperatorNote
    ) {
        self.id = id
        self.slug = slug
        self.name = name
        self.timeZone = timeZone
        self.guest = guest
        self.key = key
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> TenantRecord {
        var batch = Batch(.write, of: id)
        let tenant = batch.add(TenantInsert(create: self))
        if let guest { batch.add(GuestInsert(tenant: id, user: guest, now: note.now)) }
        batch.add(TenantKeyInsert(tenant: id, key: key))
        batch.add(Notify.tenant(id))
        guard let record = try await database.run(batch).first(tenant) else { throw .noRow(of: TenantInsert.self) }
        return record
    }
}

struct TenantInsert: Statement {
    static let sql = SQL(
        """
        with change as (
            insert into tenant (tenant_id, slug, name, time_zone, guest_user_id, serves_guest, created_at, updated_at)
            select $1, $5, $6, $7, $8::bigint, $8::bigint is not null, $3, $3 where (now() at time zone $7) is not null
            returning \(TenantRecord.columns)
        ), \(OperatorNote.insert("tenant.create", target: "slug"))
        select * from change
        """
    )

    let create: TenantCreate

    func bind(_ values: inout BoundValues) {
        create.note.bind(&values, of: create.id)
        values.append(create.slug)
        values.append(create.name)
        values.append(create.timeZone)
        values.append(create.guest)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> TenantRecord { try TenantRecord(row) }
}

struct GuestInsert: Statement {
    typealias Row = Void

    static let sql = SQL("insert into app_user (tenant_id, user_id, created_at, updated_at) values ($1, $2, $3, $3)")

    let tenant: TenantID
    let user: UserID
    let now: Timestamp

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(now)
    }
}

struct TenantKeyInsert: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        insert into tenant_key (tenant_id, key_id, state, public_x, public_y, sealed_private, created_at, activated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)
        """
    )

    let tenant: TenantID
    let key: TenantKeyRecord

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(key.keyID)
        values.append(key.state.rawValue)
        values.append(key.publicX)
        values.append(key.publicY)
        values.append(key.sealedPrivate)
        values.append(key.createdAt)
        values.append(key.activatedAt)
    }
}
