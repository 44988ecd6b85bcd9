package import ChilCore

/// Something that runs batches: one loop's connections in the service, one connection in `chiladmin` and in tests.
package protocol Database {
    /// Sends the batch as one transaction and returns its results once it is committed.
    func run(_ batch: Batch) async throws(DatabaseError) -> BatchResult
}

extension Database {
    /// One statement as a batch of its own.
    package func run<S: Statement>(_ statement: S, _ access: Batch.Access, of tenant: TenantID?)
        async throws(DatabaseError)
        -> [S.Row]
    {
        var batch = Batch(access, of: tenant)
        let slot = batch.add(statement)
        return try await run(batch).rows(slot)
    }
}
