package import ChilCore
package import ChilDatabase

/// How many tenants there are.
package struct WatchTotals: Statement {
    package static let sql = SQL("select count(*), count(*) filter (where state = 'suspended') from tenant")

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> (tenants: Int64, suspended: Int64) {
        (try row.int64(0), try row.int64(1))
    }
}

/// What waits in the queue of all tenants, the longest due first: each kind by the index that it is claimed by.
package struct WatchQueue: Statement {
    package struct Row: Sendable {
        package let tenant: TenantID
        package let work: Int64
        package let kind: String
        package let subject: Int64
        package let runAt: Timestamp
        package let attempts: Int32
        package let leasedBy: String?
    }

    static let kinds = [
        "kind = 'webhook'", "kind = 'image'", "kind = 'scan'",
        "kind <> 'webhook' and kind <> 'image' and kind <> 'scan'",
    ]

    package static let sql = SQL(
        "select * from ("
            + kinds.map { kind in
                """
                (select tenant_id, work_id, kind, subject_id, run_at, attempts, leased_by from work
                  where \(kind) and ($3 = '' or position($3 in kind) > 0) and run_at >= $1 and (run_at, work_id, tenant_id) > ($1, $2, $5)
                  order by run_at, work_id, tenant_id limit $4)
                """
            }.joined(separator: " union all ") + ") as w order by run_at, work_id, tenant_id limit $4"
    )

    package typealias Place = (runAt: Timestamp, work: Int64, tenant: Int64)

    let after: Place
    let kind: String
    let countMax: Int

    package init(after: Place?, kind: String, countMax: Int) {
        self.after = after ?? (Timestamp(seconds: 0), .min, .min)
        self.kind = kind
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(after.runAt)
        values.append(after.work)
        values.append(kind)
        values.append(Int64(countMax))
        values.append(after.tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            tenant: try row.id(0),
            work: try row.int64(1),
            kind: row.text(2),
            subject: try row.int64(3),
            runAt: try row.timestamp(4),
            attempts: try row.int32(5),
            leasedBy: row.textOrNil(6)
        )
    }
}

/// How much of it is due, up to a bound, and since when. By PostgreSQL's clock, as it is claimed.
package struct WatchDue: Statement {
    package static let countMax: Int64 = 10_000

    package static let sql = SQL(
        "select count(*), coalesce(extract(epoch from now() - min(run_at)), 0)::bigint from ("
            + WatchQueue.kinds.map {
                "(select run_at from work where \($0) and run_at <= now() order by run_at limit \(countMax))"
            }
            .joined(separator: " union all ") + ") as w"
    )

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> (due: Int64, ageSeconds: Int64) {
        (min(countMax, try row.int64(0)), try row.int64(1))
    }
}

/// Slugs of some tenants.
package struct WatchNames: Statement {
    package static let sql = SQL("select tenant_id, slug from tenant where tenant_id = any ($1::bigint[])")

    let tenants: [TenantID]

    package init(of tenants: [TenantID]) {
        self.tenants = tenants
    }

    package func bind(_ values: inout BoundValues) {
        values.append(int64s: tenants.map(\.rawValue))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> (tenant: TenantID, slug: String) {
        (try row.id(0), row.text(1))
    }
}

/// How PostgreSQL is. What it shows of others' sessions is for their roles alone: their number is for all.
package struct WatchDatabase: Statement {
    package struct Row: Sendable {
        package let version: String
        package let startedAt: Timestamp
        package let isStandby: Bool
        package let name: String
        package let bytes: Int64
        package let connections: Int64
        package let connectionsMax: Int64
        package let commits: Int64
        package let rollbacks: Int64
        package let blocksHit: Int64
        package let blocksRead: Int64
        package let deadlocks: Int64
        package let temporaryBytes: Int64
        package let locksWaited: Int64
        package let migration: String?
        package let clock: Timestamp
    }

    package static let sql = SQL(
        """
        select split_part(version(), ' ', 2), pg_postmaster_start_time(), pg_is_in_recovery(), s.datname::text,
               pg_database_size(s.datid), s.numbackends::bigint,
               (select setting::bigint from pg_settings where name = 'max_connections'),
               s.xact_commit, s.xact_rollback, s.blks_hit, s.blks_read, s.deadlocks, s.temp_bytes,
               (select count(*) from pg_locks l where not l.granted),
               (select m.name from schema_migration m order by m.version desc limit 1), clock_timestamp()
          from pg_stat_database s
         where s.datname = current_database()
        """
    )

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            version: row.text(0),
            startedAt: try row.timestamp(1),
            isStandby: try row.bool(2),
            name: row.text(3),
            bytes: try row.int64(4),
            connections: try row.int64(5),
            connectionsMax: try row.int64(6),
            commits: try row.int64(7),
            rollbacks: try row.int64(8),
            blocksHit: try row.int64(9),
            blocksRead: try row.int64(10),
            deadlocks: try row.int64(11),
            temporaryBytes: try row.int64(12),
            locksWaited: try row.int64(13),
            migration: row.textOrNil(14),
            clock: try row.timestamp(15)
        )
    }
}
