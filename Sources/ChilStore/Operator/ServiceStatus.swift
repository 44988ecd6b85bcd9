package import ChilCore
package import ChilDatabase

/// What an operator wants to know first: who serves, what waits, what is stuck. Every count is bounded.
package struct ServiceStatus: Statement {
    package struct Row: Sendable, Equatable {
        package let postgres: String
        package let role: String
        package let isReadOnly: Bool
        package let loops: Int64
        package let activeTenants: Int64
        package let suspendedTenants: Int64
        package let due: Int64
        package let stuck: Int64
        package let oldestDue: Timestamp?
        package let disabledPrinters: Int64
    }

    package static let countMax: Int64 = 10_000

    package static let sql = SQL(
        """
        select current_setting('server_version'), current_user::text, current_setting('transaction_read_only') = 'on',
               (select count(*) from loop_slot s where s.expires_at > $1),
               (select count(*) from (select from tenant t where t.state = 'active' limit $2) as some),
               (select count(*) from (select from tenant t where t.state <> 'active' limit $2) as some),
               (select count(*) from (select from work w where w.run_at <= $1 limit $2) as some),
               (select count(*) from (select from work w where w.run_at <= $3 limit $2) as some),
               (select min(w.run_at) from work w where w.run_at <= $1),
               (select count(*) from (select from printer p where p.state = 'disabled' limit $2) as some)
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
        values.append(Self.countMax)
        values.append(lateAt)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            postgres: row.text(0),
            role: row.text(1),
            isReadOnly: try row.bool(2),
            loops: try row.int64(3),
            activeTenants: try row.int64(4),
            suspendedTenants: try row.int64(5),
            due: try row.int64(6),
            stuck: try row.int64(7),
            oldestDue: try row.timestampOrNil(8),
            disabledPrinters: try row.int64(9)
        )
    }
}
