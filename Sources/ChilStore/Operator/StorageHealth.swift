package import ChilCore
package import ChilDatabase

/// What of PostgreSQL's storage an operator can be told: whether WAL is archived, where the data lies, and whether it lies here.
package struct StorageHealth: Statement {
    package struct Row: Sendable, Equatable {
        /// `max_wal_size`.
        package let walBytesMax: Int64
        /// Why WAL stays: since when nothing was archived any more; `nil`: it is archived, or is not to be.
        package let archivingFailsSince: Timestamp?
        /// `nil`: this role is not shown where the data lies.
        package let dataDirectory: String?
        /// Whether the server is on the machine that asks.
        package let isLocal: Bool
        /// Whether this role may ask `WALFolder`.
        package let maySeeWAL: Bool
    }

    package static let sql = SQL(
        """
        select (select s.setting::bigint * 1048576 from pg_settings s where s.name = 'max_wal_size'),
               (select a.last_failed_time from pg_stat_archiver a
                 where a.last_failed_time > coalesce(a.last_archived_time, '-infinity')),
               (select s.setting from pg_settings s where s.name = 'data_directory'),
               coalesce(inet_server_addr() <<= '127.0.0.0/8' or inet_server_addr() = '::1', true),
               has_function_privilege(current_user, 'pg_ls_waldir()', 'execute')
        """
    )

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            walBytesMax: try row.int64(0),
            archivingFailsSince: try row.timestampOrNil(1),
            dataDirectory: row.textOrNil(2),
            isLocal: try row.bool(3),
            maySeeWAL: try row.bool(4)
        )
    }
}

/// How much WAL lies in its folder. Refused to roles that may not look there.
package struct WALFolder: Statement {
    package static let sql = SQL("select coalesce(sum(w.size), 0)::bigint from pg_ls_waldir() w")

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

/// Replication slots, the one that holds most first.
package struct ReplicationSlots: Statement {
    package struct Row: Sendable, Equatable {
        package let name: String
        /// Somebody reads it now.
        package let isActive: Bool
        /// What it wants is gone: whoever read it cannot go on.
        package let isLost: Bool
        /// WAL that stays because of it.
        package let heldBytes: Int64

        package init(name: String, isActive: Bool, isLost: Bool, heldBytes: Int64) {
            (self.name, self.isActive, self.isLost, self.heldBytes) = (name, isActive, isLost, heldBytes)
        }
    }

    package static let sql = SQL(
        """
        select s.slot_name::text, s.active, coalesce(s.wal_status = 'lost', false),
               coalesce(greatest(0, pg_wal_lsn_diff(
                   case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, s.restart_lsn)), 0)::bigint
          from pg_replication_slots s
         order by 4 desc, 1 limit 100
        """
    )

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(name: row.text(0), isActive: try row.bool(1), isLost: try row.bool(2), heldBytes: try row.int64(3))
    }
}
