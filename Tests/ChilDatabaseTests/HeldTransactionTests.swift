import ChilCore
import ChilLoop
import ChilTestSupport
import Testing

@testable import ChilDatabase

/// Several batches as one transaction.
@Suite struct HeldTransactionTests {
    private struct Put: Statement {
        static let sql = SQL("insert into note (number) values ($1) returning number")
        let number: Int64
        func bind(_ values: inout BoundValues) { values.append(number) }
        static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
    }

    private struct All: Statement {
        static let sql = SQL("select number from note order by number")
        func bind(_ values: inout BoundValues) {}
        static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
    }

    private struct Entered: Statement {
        static let sql = SQL("select coalesce(current_setting('chil.tenant', true), '')")
        func bind(_ values: inout BoundValues) {}
        static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
    }

    private struct EndOthers: Statement {
        static let sql = SQL(
            "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
        )
        func bind(_ values: inout BoundValues) {}
        static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
    }

    private func withNotes(_ body: (SharedDatabase, HeldTransaction, String) async throws -> Void) async throws {
        let name = try await TestCluster.makeDatabase("chil_held")
        let url = try TestCluster.url(database: name)
        try await DatabaseScript(url: url).runScript(
            """
            create table note (number bigint primary key);
            create function chil_enter(tenant bigint) returns text language sql volatile
                as $$ select set_config('chil.tenant', tenant::text, true) $$;
            """
        )
        let thread = try LoopThread()
        let held = HeldTransaction(url: url)
        var configuration = DatabaseConfiguration(url: url)
        configuration.held = held
        let database = SharedDatabase(configuration, on: thread.loop)
        try await body(database, held, url)
        await held.close()
        await database.close()
        thread.loop.stop()
        try await TestCluster.dropDatabase(name)
    }

    /// Why it failed; `nil`: it did not.
    private func code(_ body: () async throws -> Void) async -> DatabaseError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? DatabaseError)?.code
        }
    }

    private func seen(_ url: String) async throws -> [Int64] {
        try await withDatabase(url) { try await $0.run(All(), .read, of: nil) }
    }

    @Test func batchesAreKeptTogetherOrNotAtAll() async throws {
        try await withNotes { database, held, url in
            for number in [1, 2] as [Int64] { _ = try await database.run(Put(number: number), .write, of: nil) }
            #expect(try await database.run(All(), .read, of: nil) == [1, 2])
            #expect(try await seen(url) == [])
            // A batch that fails is whole in its failure, and the others stay.
            var batch = Batch(.write, of: nil)
            batch.add(Put(number: 3))
            batch.add(Put(number: 1))
            #expect(await code { _ = try await database.run(batch) } == .conflict)
            #expect(try await database.run(All(), .read, of: nil) == [1, 2])
            try await held.commit()
            #expect(try await seen(url) == [1, 2])
            #expect(await code { _ = try await database.run(Put(number: 4), .write, of: nil) } == .unavailable)
        }
        try await withNotes { database, held, url in
            _ = try await database.run(Put(number: 1), .write, of: nil)
            await held.close()
            #expect(try await seen(url) == [])
        }
    }

    @Test func aTenantIsEnteredForItsBatchAlone() async throws {
        try await withNotes { database, _, _ in
            let entered = try await database.run(Entered(), .read, of: TenantID(rawValue: 7))
            let after = try await database.run(Entered(), .read, of: nil)
            #expect(entered == ["7"] && after == [""])
        }
    }

    @Test func aLostConnectionHasKeptNothing() async throws {
        try await withNotes { database, held, url in
            _ = try await database.run(Put(number: 1), .write, of: nil)
            _ = try await withDatabase(url) { try await $0.run(EndOthers(), .read, of: nil) }
            #expect(await code { _ = try await database.run(Put(number: 2), .write, of: nil) } == .unavailable)
            #expect(await code { try await held.commit() } == .unavailable)
            #expect(try await seen(url) == [])
        }
    }
}
