package import ChilDatabase
import ChilLoop

extension DatabaseConfiguration {
    /// One whose limits are met where all is slower, too.
    package init(forTestsAt url: String) {
        self.init(url: url)
        availabilityWait = availabilityWait.patient
        batchPatience = batchPatience.patient
        silenceMax = silenceMax.patient
    }
}

/// Runs `body` with connections to the database at `url`, on a loop of their own.
package func withDatabase<Value>(
    _ url: String,
    _ body: (SharedDatabase) async throws -> Value
) async throws -> Value {
    let thread = try LoopThread()
    let database = SharedDatabase(DatabaseConfiguration(forTestsAt: url), on: thread.loop)
    let outcome: Result<Value, any Error>
    do {
        outcome = .success(try await body(database))
    } catch {
        outcome = .failure(error)
    }
    await database.close()
    thread.loop.stop()
    thread.join()
    return try outcome.get()
}
