import ChilCore
package import ChilDatabase

/// A number that no other loop makes ids with, for as long as the lease is kept. A loop that cannot renew it in time must stop
/// making ids. Leases run by PostgreSQL's clock. A slot rests for five seconds after its lease, because numbers may run so far
/// ahead of the clock (`IDGenerator.aheadMaxMilliseconds`).
package struct LoopSlot: Sendable, Equatable {
    /// Never leased: `chiladmin` makes its ids with it.
    package static let ofAdmin: Int32 = 63

    package let number: Int32
    package let fence: Int64

    /// `nil`: all 63 are taken.
    package static func lease(
        holder: String,
        for length: Duration,
        on database: some Database
    ) async throws(DatabaseError) -> LoopSlot? {
        try await database.run(LoopSlotLease(holder: holder, length: length), .write, of: nil).first
    }

    /// False: it was taken by another; this one is lost for good.
    package func renew(holder: String, for length: Duration, on database: some Database) async throws(DatabaseError)
        -> Bool
    {
        var batch = Batch(.write, of: nil)
        let slot = batch.add(LoopSlotRenew(slot: self, holder: holder, length: length))
        return try await database.run(batch).touched(slot) == 1
    }

    /// Gives it back at an orderly end.
    package func release(holder: String, on database: some Database) async throws(DatabaseError) {
        _ = try await renew(holder: holder, for: .zero, on: database)
    }
}

private struct LoopSlotLease: Statement {
    static let sql = SQL(
        """
        with free as materialized (
            select slot from loop_slot where expires_at <= now() - interval '5 seconds' order by expires_at, slot limit 1 for update skip locked
        )
        update loop_slot s
           set holder = $1, fence = s.fence + 1, expires_at = now() + $2::bigint * interval '1 millisecond'
          from free
         where s.slot = free.slot
        returning s.slot, s.fence
        """
    )

    let holder: String
    let length: Duration

    func bind(_ values: inout BoundValues) {
        values.append(holder)
        values.append(length.wholeMicroseconds / 1_000)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> LoopSlot {
        LoopSlot(number: try row.int32(0), fence: try row.int64(1))
    }
}

private struct LoopSlotRenew: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        update loop_slot set expires_at = now() + $4::bigint * interval '1 millisecond'
         where slot = $1 and fence = $2 and holder = $3
        """
    )

    let slot: LoopSlot
    let holder: String
    let length: Duration

    func bind(_ values: inout BoundValues) {
        values.append(int32: slot.number)
        values.append(slot.fence)
        values.append(holder)
        values.append(length.wholeMicroseconds / 1_000)
    }
}
