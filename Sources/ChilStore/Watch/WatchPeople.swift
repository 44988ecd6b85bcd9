package import ChilCore
package import ChilDatabase

/// Users of a tenant, newest first, with bounded counts. A text is looked for among the next few thousand: no index has it.
package struct WatchUsers: TenantStatement {
    package struct Row: Sendable {
        package let user: UserRecord
        package let sessions: Int64
        package let drawings: Int64
    }

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select u.user_id, u.state, u.given_name, u.family_name, u.email, u.created_at,
               (select count(*) from (select from session s
                 where s.tenant_id = $1 and s.user_id = u.user_id and s.ended_at is null
                   and s.expires_at > $5 and s.idle_expires_at > $5 limit \(Watch.countMax)) as x),
               (select count(*) from (select from drawing d
                 where d.tenant_id = $1 and d.owner_id = u.user_id limit \(Watch.countMax)) as x)
          from (
                select a.user_id, a.state, a.given_name, a.family_name, a.email, a.created_at
                  from app_user a where a.tenant_id = $1 and a.user_id < $2 order by a.user_id desc limit \(Watch.searchMax)
               ) as u
         where $3 = '' or u.user_id::text = $3
            or position(normalize(lower($3)) in normalize(lower(concat_ws(' ', u.given_name, u.family_name, u.email)))) > 0
         order by u.user_id desc limit $4
        """
    )

    package let tenant: TenantID
    let before: UserID?
    let filter: String
    let countMax: Int
    let now: Timestamp

    package init(of tenant: TenantID, before: UserID?, filter: String, countMax: Int, at now: Timestamp) {
        self.tenant = tenant
        self.before = before
        self.filter = filter
        self.countMax = countMax
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(before?.rawValue ?? .max)
        values.append(filter)
        values.append(Int64(countMax))
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(user: try UserRecord(row), sessions: try row.int64(6), drawings: try row.int64(7))
    }
}

/// Sessions of a tenant or of one of its users, newest first, ended ones until they are swept.
package struct WatchSessions: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(Self.text(of: ""))

    package let tenant: TenantID
    let before: SessionID?
    let filter: String
    let countMax: Int

    package init(of tenant: TenantID, before: SessionID?, filter: String, countMax: Int) {
        self.tenant = tenant
        self.before = before
        self.filter = filter
        self.countMax = countMax
    }

    static func text(of user: String) -> String {
        """
        select \(SessionView.columns)
          from (
                select s.session_id, s.user_id, s.created_at, s.last_used_at, s.idle_expires_at, s.expires_at, s.ended_at, s.device_name,
                       s.address, s.user_agent, s.end_reason
                  from session s where s.tenant_id = $1 and s.session_id < $2 \(user)
                 order by s.session_id desc limit \(Watch.searchMax)
               ) as s
         where $3 = '' or position(normalize(lower($3)) in normalize(lower(concat_ws(' ', device_name, address, user_agent, user_id)))) > 0
         order by session_id desc limit $4
        """
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(before?.rawValue ?? .max)
        values.append(filter)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> SessionView { try SessionView(row) }
}

/// The same of one user, by the index of users' sessions.
package struct WatchSessionsOfUser: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(WatchSessions.text(of: "and s.user_id = $5"))

    let all: WatchSessions
    let user: UserID

    package init(_ user: UserID, _ all: WatchSessions) {
        self.user = user
        self.all = all
    }

    package var tenant: TenantID { all.tenant }

    package func bind(_ values: inout BoundValues) {
        all.bind(&values)
        values.append(user)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> SessionView { try SessionView(row) }
}

/// Drawings of a tenant or of one of its users, newest first.
package struct WatchDrawings: TenantStatement {
    package struct Row: Sendable {
        package let id: DrawingID
        package let owner: UserID
        package let kind: String
        package let status: String
        package let title: String?
        package let width: Int32
        package let height: Int32
        package let byteCount: Int64
        package let mediaType: String
        package let createdAt: Timestamp
    }

    package static let access = Batch.Access.read
    package static let sql = SQL(Self.text(of: ""))

    package let tenant: TenantID
    let before: DrawingID?
    let filter: String
    let countMax: Int

    package init(of tenant: TenantID, before: DrawingID?, filter: String, countMax: Int) {
        self.tenant = tenant
        self.before = before
        self.filter = filter
        self.countMax = countMax
    }

    static func text(of owner: String) -> String {
        """
        select drawing_id, owner_id, kind, status, title, width, height, byte_count, media_type, created_at
          from (
                select d.drawing_id, d.owner_id, d.kind, d.status, d.title, d.width, d.height, d.byte_count, d.media_type, d.created_at
                  from drawing d where d.tenant_id = $1 and d.drawing_id < $2 \(owner)
                 order by d.drawing_id desc limit \(Watch.searchMax)
               ) as d
         where $3 = '' or position(normalize(lower($3)) in normalize(lower(concat_ws(' ', title, kind, status, drawing_id)))) > 0
         order by drawing_id desc limit $4
        """
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(before?.rawValue ?? .max)
        values.append(filter)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            id: try row.id(0),
            owner: try row.id(1),
            kind: row.text(2),
            status: row.text(3),
            title: row.textOrNil(4),
            width: try row.int32(5),
            height: try row.int32(6),
            byteCount: try row.int64(7),
            mediaType: row.text(8),
            createdAt: try row.timestamp(9)
        )
    }
}

/// The same of one user.
package struct WatchDrawingsOfUser: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(WatchDrawings.text(of: "and d.owner_id = $5"))

    let all: WatchDrawings
    let owner: UserID

    package init(_ owner: UserID, _ all: WatchDrawings) {
        self.owner = owner
        self.all = all
    }

    package var tenant: TenantID { all.tenant }

    package func bind(_ values: inout BoundValues) {
        all.bind(&values)
        values.append(owner)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> WatchDrawings.Row { try WatchDrawings.row(row) }
}

/// The image of a drawing, whoever's it is. No row: there is none, or it has no image yet.
package struct WatchDrawingImage: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select owner_id, image_hash, media_type, byte_count from drawing
         where tenant_id = $1 and drawing_id = $2 and image_hash is not null
        """
    )

    package let tenant: TenantID
    let drawing: DrawingID

    package init(of drawing: DrawingID, in tenant: TenantID) {
        self.drawing = drawing
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(drawing)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> DrawingImage {
        DrawingImage(owner: try row.id(0), hash: row.bytes(1), mediaType: row.text(2), byteCount: try row.int64(3))
    }
}
