import ChilTestSupport
import Foundation
import Testing

/// Large accounts that end: each takes a database connection of its own, so they are few at once.
@Suite(.testBed([]), .ownThread)
struct LongDeletionTests {
    /// On one loop at once.
    private static let places = 4

    @Test func fewLargeAccountsEndAtOnceAndSmallOnesDoNotWait() throws {
        let bed = try TestBed.required
        let service = try bed.start(["CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        let large = try (0...Self.places).map { _ in try App(service, .north, bed.issuer) }
        let small = try App(service, .north, bed.issuer), stranger = try App(service, .south, bed.issuer)
        // 80 MB each by the account's own books.
        let users = large.map { "\($0.userID)" }.joined(separator: ", ")
        try bed.query(
            """
            insert into image (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count)
            select tenant_id, user_id, sha256(n::text::bytea), 16000000, 'image/jpeg', 16, 8, 1
              from app_user, generate_series(1, 5) n where user_id in (\(users))
            """
        )
        // Whoever connects from now on waits for a lock as long as it takes, which the deletions then do.
        try bed.query(
            "do $$ begin execute format('alter role chil_service in database %I set lock_timeout = 0', current_database()); end $$"
        )
        let holder = try Program(
            "/usr/lib/postgresql/15/bin/psql",
            [
                "-X", "-q", "-c",
                "begin; select from app_user where user_id in (\(users)) for update; select pg_sleep(\(60 * Patience.factor)); rollback",
                bed.database.url(nil),
            ],
            output: bed.folder.appendingPathComponent("holder.txt")
        )
        defer { holder.signal(SIGKILL) }
        func count(_ condition: String) throws -> String? {
            try bed.query("select count(*) from pg_stat_activity where datname = current_database() and \(condition)")
                .first
        }
        #expect(try waitUntil(.seconds(5)) { try count("wait_event = 'PgSleep'") == "1" })
        let waiting = try large[..<Self.places].map { app in
            let connection = try Connection(to: service.port, patience: .seconds(60))
            connection.write(app.request("DELETE", "me").bytes)
            return connection
        }
        let wait = "usename = 'chil_service' and wait_event_type = 'Lock'"
        #expect(try waitUntil(.seconds(5)) { try count(wait) == "\(Self.places)" })
        let refused = try large[Self.places].send("DELETE", "me")
        try expectProblem(refused, 503, "overloaded")
        #expect(refused["Retry-After"] != nil)
        #expect(try count(wait) == "\(Self.places)")
        #expect(try small.send("DELETE", "me").status == 202 && stranger.send("DELETE", "me").status == 202)
        // The lock's end ends them, and there is room for the last.
        try bed.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'"
        )
        #expect(try waiting.map { try $0.receive().status } == Array(repeating: 202, count: Self.places))
        #expect(try large[Self.places].send("DELETE", "me").status == 202)
        #expect(try service.stop() == 0)
    }
}
