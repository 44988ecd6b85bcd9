import ChilCore
import ChilDatabase
import ChilLoop
import ChilTestSupport
import Testing

private struct Tenant: Statement {
    static let sql = SQL("select current_setting('chil.tenant')")
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

@Suite struct ClosingTests {
    /// Reads that share a Sync are in libpq's buffer when the connection goes: nobody may write that Sync any more, and whoever
    /// waits is told. (Freed memory often looks well: MALLOC_PERTURB_=165, mallopt(3), or a sanitizer makes it show.)
    @Test func aConnectionThatEndsWithinATurnIsNotTouchedAtItsEnd() async throws {
        try await prepareSchema.value
        let url = try TestCluster.administratorURL()
        let thread = try LoopThread()
        let codes = try await LoopHome(thread.loop).run { loop in
            nonisolated(unsafe) let client = DatabaseClient(DatabaseConfiguration(url: url), on: loop)
            let tenant = TenantID(rawValue: 7)
            client.open()
            _ = try await client.run(Tenant(), .read, of: tenant)
            return await withTaskGroup(of: DatabaseError.Code?.self) { group in
                for number in 0...20 {
                    group.addTask(executorPreference: loop) {
                        // The last one, in the turn of all the others.
                        if number == 20 { client.close() }
                        do throws(DatabaseError) {
                            _ = try await client.run(Tenant(), .read, of: tenant)
                            return nil
                        } catch {
                            return error.code
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(codes.count == 21)
        #expect(codes.allSatisfy { $0 == .unavailable })
        thread.loop.stop()
        thread.join()
    }
}
