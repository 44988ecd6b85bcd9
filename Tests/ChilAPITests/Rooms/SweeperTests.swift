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

    @Test func aSweepEndsWithTheService() async throws {
        let bed = try TestBed.required
        try Self.fill(bed, 500)
        try await Self.sweep(bed, isToldToStop: true)
        #expect(try Self.left(bed) == ["501", "501"])
    }
}
