package import ChilCore
package import ChilDatabase

/// What a service says of itself, again and again. Goes by PostgreSQL's clock.
package struct ServiceBeat: Sendable, Equatable {
    package static let minutesMax = 60
    package static let tenantsMax = 200
    /// How often one is written.
    package static let interval = Duration.seconds(15)
    /// Whoever was not heard for so long is gone.
    package static let goneSeconds: Int64 = 60

    package var replica: String
    package var release: String
    package var roles: String
    package var loops: Int32
    package var startedAt: Timestamp
    package var requests: Int64 = 0
    package var rateMilli: Int32 = 0
    package var loadMilli: Int32 = 0
    package var memoryBytes: Int64 = 0
    package var minutes: [Int32] = []
    package var busy: [(tenant: TenantID, milli: Int32)] = []
    /// When it last looked through all tenants for what has had its time.
    package var sweptAt: Timestamp?

    package init(replica: String, release: String, roles: String, loops: Int32, startedAt: Timestamp) {
        self.replica = replica
        self.release = release
        self.roles = roles
        self.loops = loops
        self.startedAt = startedAt
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.replica == right.replica && left.requests == right.requests && left.minutes == right.minutes
            && left.busy.elementsEqual(right.busy) { $0 == $1 }
    }

    /// Writes it, and removes those of services that are long gone.
    package func write(on database: some Database) async throws(DatabaseError) {
        var batch = Batch(.write, of: nil)
        batch.add(ServiceBeatPut(beat: self))
        batch.add(ServiceBeatSweep())
        _ = try await database.run(batch)
    }

    /// At an orderly end.
    package static func remove(_ replica: String, on database: some Database) async throws(DatabaseError) {
        _ = try await database.run(ServiceBeatRemove(replica: replica), .write, of: nil)
    }
}

private struct ServiceBeatPut: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        insert into service_beat as b
               (replica, release, roles, loops, started_at, seen_at, requests, rate_milli, load_milli, memory_bytes, minutes,
                busy_tenants, busy_milli, swept_at)
        values ($1, $2, $3, $4, $5, now(), $6, $7, $8, $9, $10, $11, $12, $13)
        on conflict (replica) do update
           set seen_at = excluded.seen_at, requests = excluded.requests, rate_milli = excluded.rate_milli,
               load_milli = excluded.load_milli, memory_bytes = excluded.memory_bytes, minutes = excluded.minutes,
               busy_tenants = excluded.busy_tenants, busy_milli = excluded.busy_milli, swept_at = excluded.swept_at
        """
    )

    let beat: ServiceBeat

    func bind(_ values: inout BoundValues) {
        values.append(beat.replica)
        values.append(beat.release)
        values.append(beat.roles)
        values.append(int32: beat.loops)
        values.append(beat.startedAt)
        values.append(beat.requests)
        values.append(int32: beat.rateMilli)
        values.append(int32: beat.loadMilli)
        values.append(beat.memoryBytes)
        values.append(int32s: beat.minutes.suffix(ServiceBeat.minutesMax))
        let busy = beat.busy.prefix(ServiceBeat.tenantsMax)
        values.append(int64s: busy.map(\.tenant.rawValue))
        values.append(int32s: busy.map(\.milli))
        values.append(beat.sweptAt)
    }
}

private struct ServiceBeatSweep: Statement {
    typealias Row = Void

    static let sql = SQL("delete from service_beat where seen_at < now() - interval '1 hour'")

    func bind(_ values: inout BoundValues) {}
}

private struct ServiceBeatRemove: Statement {
    typealias Row = Void

    static let sql = SQL("delete from service_beat where replica = $1")

    let replica: String

    func bind(_ values: inout BoundValues) {
        values.append(replica)
    }
}

/// What the services last said, the newest first: those that are there and those that went within the hour.
package struct ServiceBeatList: Statement {
    package struct Row: Sendable {
        package let beat: ServiceBeat
        package let seenAt: Timestamp
        package let isThere: Bool
    }

    package static let sql = SQL(
        """
        select replica, release, roles, loops, started_at, seen_at, requests, rate_milli, load_milli, memory_bytes,
               array_to_string(minutes, ' '), array_to_string(busy_tenants, ' '), array_to_string(busy_milli, ' '),
               seen_at > now() - \(ServiceBeat.goneSeconds) * interval '1 second'
          from service_beat order by started_at desc, replica limit 1000
        """
    )

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        var beat = ServiceBeat(
            replica: row.text(0),
            release: row.text(1),
            roles: row.text(2),
            loops: try row.int32(3),
            startedAt: try row.timestamp(4)
        )
        beat.requests = try row.int64(6)
        beat.rateMilli = try row.int32(7)
        beat.loadMilli = try row.int32(8)
        beat.memoryBytes = try row.int64(9)
        beat.minutes = row.text(10).split(separator: " ").compactMap { Int32($0) }
        let tenants = row.text(11).split(separator: " ").compactMap { Int64($0) }
        let rates = row.text(12).split(separator: " ").compactMap { Int32($0) }
        beat.busy = zip(tenants, rates).map { (TenantID(rawValue: $0), $1) }
        return Row(beat: beat, seenAt: try row.timestamp(5), isThere: try row.bool(13))
    }
}
