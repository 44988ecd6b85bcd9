import ChilCore

/// Writes of one kind on their way as one statement and one transaction: all of them commit, or none has happened and each is sent again
/// alone, so that nobody's error is anybody else's.
///
/// Not `Sendable`: it lives on its loop.
final class WriteGroup {
    let sql: SQL
    let flights: [Flight]

    /// - Parameter flights: two or more; they come to stand in the order of their contended rows, so that groups of two loops lock
    ///   alike.
    init(_ flights: [Flight], as sql: SQL) {
        self.sql = sql
        self.flights = flights.sorted { $0.lockOrder < $1.lockOrder }
    }

    var values: BoundValues { BoundValues(gathering: flights, as: sql.arrays) }

    /// The statement's result, before the Sync: nothing is committed yet.
    func take(_ set: ResultSet) {
        if let shares = set.shares(among: flights.count) {
            for (flight, share) in zip(flights, shares) { flight.sets.append(share) }
        } else {
            let fault = DatabaseError.malformedResult("a gathered write did not answer its places in their order")
            for flight in flights { flight.refusal = fault }
        }
    }

    /// An error of the statement or of its commit. Nothing of it has happened, unless it is that the server ends the session.
    func refuse(_ error: DatabaseError) {
        let isSessionOver = error.sqlState.map { SQLStateRule.rule(for: $0).decision == .reconnect } ?? true
        for flight in flights where flight.refusal == nil {
            if isSessionOver { flight.refusal = error } else { flight.wasSkipped = true }
        }
    }
}

extension Flight {
    /// First the tenant, then the row that it contends for.
    fileprivate var lockOrder: (Int64, Int64) {
        (batch.tenant?.rawValue ?? 0, batch.contention?.row ?? 0)
    }
}
