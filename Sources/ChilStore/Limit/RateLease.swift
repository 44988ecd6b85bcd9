package import ChilDatabase

/// Leases tokens of buckets that all services share, many buckets in one statement. Runs by PostgreSQL's clock.
package struct RateLease: Statement {
    /// What one bucket is asked.
    package struct Ask: Sendable {
        package let key: RateKey
        package let rule: RateRule
        /// Tokens used since the last ask without a lease.
        package let used: Int32
        /// Tokens wanted: up to so many are granted.
        package let wanted: Int32

        package init(key: RateKey, rule: RateRule, used: Int32, wanted: Int32) {
            self.key = key
            self.rule = rule
            self.used = used
            self.wanted = wanted
        }
    }

    package struct Grant: Sendable, Equatable {
        package let key: RateKey
        package let granted: Int32
        /// What is left in the bucket; below zero: more was used than there was.
        package let balance: Double
    }

    package static let sql = SQL(
        """
        insert into rate_lease as r (lease_key, quota, window_s, reported, asked, granted, balance, as_of)
        select a.lease_key, a.quota, a.window_s, a.reported, a.asked, chil_rate_granted(a.quota - a.reported, a.asked),
               a.quota - a.reported - chil_rate_granted(a.quota - a.reported, a.asked), now()
          from unnest($1::bytea[], $2::integer[], $3::integer[], $4::integer[], $5::integer[])
               as a (lease_key, quota, window_s, reported, asked)
         order by a.lease_key
        on conflict (lease_key) do update
           set quota = excluded.quota, window_s = excluded.window_s, reported = excluded.reported, asked = excluded.asked,
               granted = chil_rate_granted(
                   chil_rate_refilled(r.balance, r.as_of, excluded.quota, excluded.window_s, excluded.as_of) - excluded.reported,
                   excluded.asked
               ),
               balance = greatest(
                   -excluded.quota,
                   chil_rate_refilled(r.balance, r.as_of, excluded.quota, excluded.window_s, excluded.as_of) - excluded.reported
                   - chil_rate_granted(
                       chil_rate_refilled(r.balance, r.as_of, excluded.quota, excluded.window_s, excluded.as_of) - excluded.reported,
                       excluded.asked
                   )
               ),
               as_of = greatest(r.as_of, excluded.as_of)
        returning r.lease_key, r.granted, r.balance
        """
    )

    /// More wait for the next statement.
    package static let asksMax = 512

    let asks: [Ask]

    /// - Parameter asks: each key once.
    package init(_ asks: [Ask]) {
        self.asks = asks
    }

    package func bind(_ values: inout BoundValues) {
        values.append(raws: asks.map(\.key.bytes))
        values.append(int32s: asks.map(\.rule.quota))
        values.append(int32s: asks.map(\.rule.window))
        values.append(int32s: asks.map(\.used))
        values.append(int32s: asks.map(\.wanted))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Grant {
        let bits = row.unsafeBytes(2)
        guard bits.count == 8, let key = RateKey(row.unsafeBytes(0)) else {
            throw DatabaseError(.malformedResult, detail: "rate_lease is not as it was made: run chiladmin migrate")
        }
        return Grant(
            key: key,
            granted: try row.int32(1),
            balance: Double(bitPattern: UInt64(bigEndian: bits.loadUnaligned(as: UInt64.self)))
        )
    }
}

/// How many loops serve requests now: those that hold a slot for ids. Workers hold slots too, and serve nobody.
package struct LoopCount: Statement {
    package static let sql = SQL(
        "select count(*) from loop_slot where expires_at > now() and holder not like '%-worker'"
    )

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int { Int(try row.int64(0)) }
}

/// Removes buckets that are full again: a missing one is full.
package struct RateLeaseSweep: Statement {
    package typealias Row = Void

    package static let countMax = 10_000

    package static let sql = SQL(
        """
        delete from rate_lease where lease_key = any (array(
            select lease_key from rate_lease
             where chil_rate_refilled(balance, as_of, quota, window_s, now()) >= quota limit $1
               for update skip locked
        ))
        """
    )

    package init() {}

    package func bind(_ values: inout BoundValues) {
        values.append(Int64(Self.countMax))
    }

    /// How many it removed.
    package func run(on database: some Database) async throws(DatabaseError) -> Int {
        var batch = Batch(.write, of: nil)
        let slot = batch.add(self)
        return try await database.run(batch).touched(slot)
    }
}
