import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore
import ChilTestSupport
import Testing

@testable import ChilAPI

private struct RowCount: Statement {
    struct Row: Equatable {
        let rows: Int64
        let links: Int64
        let unsealed: Int64
    }

    static let sql = SQL(
        "select (select count(*) from audit), (select count(*) from audit_link), (select count(*) from audit where sequence is null)"
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(rows: try row.int64(0), links: try row.int64(1), unsealed: try row.int64(2))
    }
}

/// The sealer by itself, with a database that nobody else seals in.
@Suite struct AuditSealerTests {
    /// A sealer on a loop of its own, as in a service.
    private final class Sealing: Sendable {
        private let thread: LoopThread
        private let running: Task<Void, Never>
        private nonisolated(unsafe) let stopping = StopFlag()

        init(_ database: SharedDatabase, every interval: Duration) throws {
            thread = try LoopThread()
            let loop = thread.loop
            nonisolated(unsafe) let stopping = stopping
            running = Task(executorPreference: loop) {
                await AuditSealer(database, ServiceLog(form: .off), on: loop, stopping, every: interval).run()
            }
        }

        func stop() async {
            nonisolated(unsafe) let stopping = stopping
            thread.loop.post { stopping.isRaised = true }
            await running.value
            thread.loop.stop()
        }
    }

    private struct Place {
        let administrator: SharedDatabase
        /// Of two services.
        let services: [SharedDatabase]
        let url: String

        func count() async throws -> RowCount.Row {
            try await administrator.run(RowCount(), .read, of: nil)[0]
        }

        func script(_ sql: String) async throws { try await DatabaseScript(url: url).runScript(sql) }

        func add(_ count: Int, to tenant: Int, from first: Int = 1) async throws {
            try await script(
                """
                insert into audit (tenant_id, audit_id, at, actor_kind, actor, action)
                    select \(tenant), n, now(), 'user', '1', 'x' from generate_series(\(first), \(first + count - 1)) as n
                """
            )
        }

        func isSealed() async throws -> Bool {
            try await awaitUntil(.seconds(30)) { try await count().unsealed == 0 }
        }

        /// As `chiladmin audit verify`.
        func findings(_ tenant: Int) async throws -> [AuditVerifier.Finding] {
            let id = TenantID(rawValue: Int64(tenant))
            guard let chain = try await AuditChainOne(of: id).first(from: administrator) else { return [] }
            var verifier = AuditVerifier(of: id, from: chain.base)
            for row in try await AuditLinkPage(of: id, after: 0, countMax: 1_000_000).rows(from: administrator) {
                verifier.add(row.link, row.row, at: row.place)
            }
            verifier.finish(stored: chain.head)
            return verifier.findings
        }
    }

    private static func withPlace(_ body: (Place) async throws -> Void) async throws {
        let name = try await TestCluster.makeMigratedDatabase("chil_seal")
        let url = try TestCluster.url(database: name),
            service = try TestCluster.url(database: name, role: "chil_service")
        try await withDatabase(url) { administrator in
            try await withDatabase(service) { first in
                try await withDatabase(service) { second in
                    let place = Place(administrator: administrator, services: [first, second], url: url)
                    try await place.script(
                        "insert into tenant (tenant_id, slug, name, created_at, updated_at) select n, 't' || n, 'T', now(), now() from generate_series(1, 3) as n"
                    )
                    try await body(place)
                }
            }
        }
        try await TestCluster.dropDatabase(name)
    }

    /// One pass, without a clock: two turns for each tenant, twenty pages of a thousand rows in each.
    @Test func aPassSealsEverybodyAndNobodyForTooLong() async throws {
        try await Self.withPlace { place in
            try await place.add(40_007, to: 1)
            try await place.add(3, to: 2)
            let thread = try LoopThread()
            let loop = thread.loop, database = place.services[0]
            func pass() async {
                let task = Task(executorPreference: loop) {
                    await AuditSealer(database, ServiceLog(form: .off), on: loop, StopFlag()).pass()
                }
                await task.value
            }
            await pass()
            #expect(try await place.count() == RowCount.Row(rows: 40_010, links: 40_003, unsealed: 7))
            #expect(try await place.findings(2) == [])
            await pass()
            #expect(try await place.count() == RowCount.Row(rows: 40_010, links: 40_010, unsealed: 0))
            #expect(try await place.findings(1) == [])
            thread.loop.stop()
        }
    }

    @Test func whatCannotBeSealedLeavesTheOthersTheirTurn() async throws {
        try await Self.withPlace { place in
            for tenant in 1...3 { try await place.add(5, to: tenant) }
            try await place.script(
                """
                create function refuse() returns trigger language plpgsql as $$
                    begin
                        if new.tenant_id = 1 then
                            raise exception 'no';
                        end if;
                        return new;
                    end $$;
                create trigger refuse before insert on audit_link for each row execute function refuse();
                """
            )
            let sealing = try Sealing(place.services[0], every: .milliseconds(20))
            #expect(try await awaitUntil(.seconds(30)) { try await place.count().unsealed == 5 })
            await sealing.stop()
            #expect(try await place.count() == RowCount.Row(rows: 15, links: 10, unsealed: 5))
        }
    }

    @Test func whatWasThereAndWhatComesIsSealed() async throws {
        try await Self.withPlace { place in
            try await place.add(5, to: 1)
            let sealing = try Sealing(place.services[0], every: .milliseconds(20))
            #expect(try await place.isSealed())
            try await place.add(5, to: 2)
            #expect(try await place.isSealed())
            await sealing.stop()
            #expect(try await place.count() == RowCount.Row(rows: 10, links: 10, unsealed: 0))
        }
    }

    /// All connections of the services are cut in the middle, again and again: what a transaction had sealed is sealed or not, never half.
    @Test("two services, cut off in between, make one chain of each tenant") func servicesThatAreCutOffMakeOneChain()
        async throws
    {
        try await Self.withPlace { place in
            let sealings = try place.services.map { try Sealing($0, every: .milliseconds(1)) }
            for round in 0..<20 {
                for tenant in 1...3 { try await place.add(500, to: tenant, from: 1 + round * 500) }
                try await place.script(
                    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'chil_service' and datname = current_database()"
                )
            }
            #expect(try await place.isSealed())
            for sealing in sealings { await sealing.stop() }
            #expect(try await place.count() == RowCount.Row(rows: 30_000, links: 30_000, unsealed: 0))
            for tenant in 1...3 { #expect(try await place.findings(tenant) == []) }
        }
    }
}
