import ChilCore
package import ChilDatabase

extension DatabaseConfiguration {
    /// For one long batch on a connection of its own, so that nothing waits behind it.
    package func patient(_ patience: Duration) -> DatabaseConfiguration {
        var patient = self
        patient.readConnections = 0
        patient.writeConnections = 1
        patient.writeConnectionsMax = 1
        patient.bulkConnections = 0
        patient.batchPatience = patience + .seconds(5)
        patient.silenceMax = patience + .seconds(10)
        return patient
    }
}

extension TenantStatement {
    /// As `answer(from:)`, by a statement that may take so long. The client must be as patient (`DatabaseConfiguration.patient`).
    package func answer(from database: some Database, patience: Duration) async throws(DatabaseError) -> Row {
        var batch = Batch(Self.access, of: tenant, contending: contention)
        batch.add(StatementPatience(length: patience))
        let slot = batch.add(self)
        guard let row = try await database.run(batch).first(slot) else { throw .noRow(of: Self.self) }
        return row
    }
}

/// How long the statements that follow in the batch may take.
struct StatementPatience: Statement {
    typealias Row = Void

    static let sql = SQL("select set_config('statement_timeout', $1::text, true)")

    let length: Duration

    func bind(_ values: inout BoundValues) {
        values.append("\(length.wholeMicroseconds / 1_000)ms")
    }
}
