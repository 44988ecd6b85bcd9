import ChilCore
import ChilDatabase
import ChilLoop
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAPI

/// A sweep of more than a turn takes.
@Suite(.testBed([]), .ownThread, .serialized)
struct SweeperTests {
    private static let now = Timestamp(seconds: 1_796_000_000)

    /// As many nonces for each of both tenants, over at `now`, and one that is not.
    private static func fill(_ bed: TestBed, _ count: Int) throws {
        try bed.query(
            """
            delete from nonce;
            insert into nonce (tenant_id, digest, expires_at)
            select tenant_id, sha256((slug || n)::bytea), to_timestamp(1796000000) - interval '1 hour'
              from tenant, generate_series(1, \(count)) n;
            insert into nonce (tenant_id, digest, expires_at)
            select tenant_id, sha256('later'), to_timestamp(1796000000) + interval '1 hour' from tenant
            """
        )
    }

    private static func left(_ bed: TestBed) throws -> [String] {
        try bed.query("select count(*) from nonce join tenant using (tenant_id) group by slug order by slug")
    }

    private static func retain(_ bed: TestBed) async throws -> Bool {
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            thread.join()
        }
        return await Retention(bed.database.url("chil_service"), on: thread.loop).run(at: now)
    }

    private static func sweep(_ bed: TestBed, isToldToStop: Bool) async throws {
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            thread.join()
        }
        let url = bed.database.url("chil_service")
        await LoopHome(thread.loop).run { loop in
            let database = DatabaseClient(DatabaseConfiguration(forTestsAt: url), on: loop)
            database.open()
            let flag = StopFlag()
            flag.isRaised = isToldToStop
            await Sweeper(database, ServiceLog(form: .off), flag).sweep(at: now)
            database.close()
        }
    }

    @Test func aSweepGoesOnUntilNothingIsLeft() async throws {
        let bed = try TestBed.required
        try Self.fill(bed, 51_500)
        try await Self.sweep(bed, isToldToStop: false)
        #expect(try Self.left(bed) == ["1", "1"])
    }

    /// North is the first of both.
    @Test func whatFailsForOneTenantIsDoneForTheNext() async throws {
        let bed = try TestBed.required
        try Self.fill(bed, 500)
        try bed.query(
            """
            begin;
            create function refuse_north() returns trigger language plpgsql as $$
                begin
                    if old.tenant_id = (select tenant_id from tenant where slug = 'north') then
                        raise exception 'no';
                    end if;
                    if tg_op = 'DELETE' then
                        return old;
                    end if;
                    return new;
                end $$;
            create trigger refuse_north before delete on nonce for each row execute function refuse_north();
            create trigger refuse_north before update on audit for each row execute function refuse_north();
            alter function refuse_north() security definer;
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, address)
                select tenant_id, -5, to_timestamp(1), 'service', 'x', 'old', '192.0.2.1' from tenant;
            commit
            """
        )
        try await Self.sweep(bed, isToldToStop: false)
        #expect(try Self.left(bed) == ["501", "1"])
        #expect(try await Self.retain(bed))
        let kept = "select slug from audit join tenant using (tenant_id) where action = 'old' and address is not null"
        #expect(try bed.query(kept) == ["north"])
        try bed.query("drop function refuse_north() cascade")
    }

    @Test func aSweepEndsWithTheService() async throws {
        let bed = try TestBed.required
        try Self.fill(bed, 500)
        try await Self.sweep(bed, isToldToStop: true)
        #expect(try Self.left(bed) == ["501", "501"])
    }
}

/// A retention sweeper on a loop, as a worker has it.
private actor Retention {
    private nonisolated let loop: EventLoop
    private let database: DatabaseClient
    private let ids: IDSource

    init(_ url: String, on loop: EventLoop) {
        self.loop = loop
        database = DatabaseClient(DatabaseConfiguration(forTestsAt: url), on: loop)
        ids = IDSource(holder: "test", on: loop) {}
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func run(at now: Timestamp) async -> Bool {
        database.open()
        var isDone = false
        let loop = loop
        await withDiscardingTaskGroup { group in
            group.addTask(executorPreference: loop) { await self.keepIDs() }
            while !ids.isReady { await loop.sleep(.milliseconds(10)) }
            isDone = await RetentionSweeper(database, ids, ServiceLog(form: .off), StopFlag()).sweep(at: now)
            ids.stop()
        }
        database.close()
        return isDone
    }

    private func keepIDs() async {
        await ids.keep(on: database)
    }
}
