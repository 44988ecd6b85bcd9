package import ChilCore
package import ChilDatabase

/// Which server an operator is connected to, and as whom.
package struct ServerState: Statement {
    package struct Row: Sendable, Equatable {
        package let version: String
        package let role: String
        package let isReadOnly: Bool
    }

    package static let sql = SQL(
        """
        select (select s.setting from pg_settings s where s.name = 'server_version'), current_user::text,
               (select s.setting = 'on' from pg_settings s where s.name = 'transaction_read_only')
        """
    )

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(version: row.text(0), role: row.text(1), isReadOnly: try row.bool(2))
    }
}

/// How many tenants there are; more than `countMax` are so many.
package struct TenantCounts: Statement {
    package struct Row: Sendable, Equatable {
        package let active: Int64
        package let suspended: Int64
    }

    package static let countMax: Int64 = 10_000

    package static let sql = SQL(
        """
        select (select count(*) from (select from tenant t where t.state = 'active' limit $1) as active),
               (select count(*) from (select from tenant t where t.state <> 'active' limit $1) as suspended)
        """
    )

    package init() {}

    package func bind(_ values: inout BoundValues) {
        values.append(Self.countMax)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(active: try row.int64(0), suspended: try row.int64(1))
    }
}

/// What waits to be done; more than `TenantCounts.countMax` are so many.
package struct WorkCounts: Statement {
    package struct Row: Sendable, Equatable {
        package let due: Int64
        package let stuck: Int64
        package let oldestDue: Timestamp?
    }

    package static let sql = SQL(
        """
        select (select count(*) from (select from work w where w.run_at <= $1 order by w.run_at limit $2) as due),
               (select count(*) from (select from work w where w.run_at <= $3 order by w.run_at limit $2) as late),
               (select min(w.run_at) from work w where w.run_at <= $1)
        """
    )

    let now: Timestamp
    let lateAt: Timestamp

    /// - Parameter late: what was due so long ago and was not taken is stuck.
    package init(at now: Timestamp, late: Duration) {
        self.now = now
        lateAt = now - late
    }

    package func bind(_ values: inout BoundValues) {
        values.append(now)
        values.append(TenantCounts.countMax)
        values.append(lateAt)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(due: try row.int64(0), stuck: try row.int64(1), oldestDue: try row.timestampOrNil(2))
    }
}
