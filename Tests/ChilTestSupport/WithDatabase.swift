package import ChilDatabase
import ChilLoop

/// Runs `body` with connections to the database at `url`, on a loop of their own.
package func withDatabase<Value>(
    _ url: String,
    _ body: (SharedDatabase) async throws -> Value
) async throws -> Value {
    let thread = try LoopThread()
    let database = SharedDatabase(DatabaseConfiguration(url: url), on: thread.loop)
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
