package import ChilCore
package import ChilDatabase

/// Asks for a console that is looked at every other second, as the operator's role: pages by a cursor, counts with a bound, and a time limit of
/// their own, so that looking costs the service nothing that it would notice.
package enum Watch {
    /// What is counted is counted up to here.
    package static let countMax: Int64 = 1_000
    /// So many rows are looked through for a text that no index has.
    package static let searchMax = 5_000

    /// The least number of a row that was made at that moment or later.
    package static func number(at moment: Timestamp) -> Int64 {
        max(0, moment.microseconds / 1_000 - IDGenerator.epochMilliseconds) << 11
    }

    /// One statement under the limit.
    package static func rows<S: Statement>(of statement: S, from database: some Database)
        async throws(DatabaseError)
        -> [S.Row]
    {
        var batch = Batch(.read, of: nil)
        batch.add(WatchLimit())
        let slot = batch.add(statement)
        return try await database.run(batch).rows(slot)
    }
}

/// PostgreSQL gives up by itself, whoever waits. To the end of the transaction.
package struct WatchLimit: Statement {
    package typealias Row = Void

    package static let sql = SQL("select set_config('statement_timeout', '3000', true)")

    package init() {}

    package func bind(_ values: inout BoundValues) {}
}
