import ChilCore
import ChilCrypto
import ChilDatabase
import ChilStore
import ChilTestSupport
import Foundation
import Testing

/// Refreshing seen from PostgreSQL's side: what is asked of it, what becomes of a lost answer and of a lock.
@Suite(.testBed([]), .ownThread, .serialized)
struct DatabaseFaultTests {
    /// Runs `body` with a service whose PostgreSQL is behind a relay, and somebody signed in.
    private func withRelay(_ body: (TestBed, Relay, App) throws -> Void) throws {
        let bed = try TestBed.required
        let url = bed.database.url("chil_service")
        let relay = try Relay(toPostgresOf: url)
        defer { relay.close() }
        var parts = try #require(URLComponents(string: url))
        parts.host = "127.0.0.1"
        parts.port = Int(relay.port)
        parts.queryItems = parts.queryItems?.filter { !["host", "port"].contains($0.name) }
        let service = try bed.start(["CHIL_DATABASE_URL": try #require(parts.string), "CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        try body(bed, relay, try App(service, .north, bed.issuer))
        #expect(try service.stop() == 0)
    }

    @Test("T-02 a refresh token that is not one of ours is refused without a word to the database")
    func garbageIsRefusedHere() throws {
        try withRelay { _, relay, app in
            let token = Array(app.refreshToken)
            var garbage = token.indices.map { index in
                var changed = token
                changed[index] = changed[index] == "A" ? "B" : "A"
                return String(changed)
            }
            garbage += (0..<500).map { _ in
                "chl_rt_" + Base64URL.text(of: (0..<41).map { _ in UInt8.random(in: 0...255) })
            }
            garbage += [
                "", "x", String(token.dropLast()), app.refreshToken + "A", String(token.dropFirst(7)),
                app.accessToken.prefix(512).description,
                String(repeating: "A", count: 512),
            ]
            _ = try app.service.send(App.refresh(.north, garbage[0]))
            let connection = try Connection(to: app.service.port)
            let statements = [SessionCheck.sql.name, SessionRefresh.sql.name]
            let before = statements.map { relay.uses(of: $0) }
            let allBefore = relay.uses(of: nil)
            let begun = ContinuousClock.now
            for text in garbage {
                let answer = try connection.send(App.refresh(.north, text))
                #expect(answer.status == (text.isEmpty ? 422 : 401), "\(text)")
            }
            let seconds = Int((ContinuousClock.now - begun).components.seconds) + 1
            #expect(statements.map { relay.uses(of: $0) } == before)
            // The service's own doings, a few a second: leases of numbers and work.
            #expect(relay.uses(of: nil) - allBefore < 20 + 10 * seconds)
            // A forger who makes the checksum right is asked about, and refused all the same.
            let body = try #require(Base64URL.decode(String(token.dropFirst(7)))).dropLast(4)
            let forged = Array(body.dropLast()) + [body.last! ^ 1]
            let text = "chl_rt_" + Base64URL.text(of: forged + SHA256.digest(of: forged).bytes.prefix(4))
            try expectProblem(try app.service.send(App.refresh(.north, text)), 401, "invalid-refresh-token")
            #expect(relay.uses(of: SessionCheck.sql.name) == before[0] + 1)
            // Nor does another tenant ask about this one's.
            try expectProblem(try app.service.send(App.refresh(.south, app.refreshToken)), 401, "invalid-refresh-token")
            #expect(relay.uses(of: SessionCheck.sql.name) == before[0] + 1)
            #expect(try app.refreshed().status() == 200)
        }
    }

    @Test("T-09 the database's answer to a rotation is lost with its connection: the app's retry succeeds")
    func theRotationsAnswerIsLost() throws {
        try withRelay { bed, relay, app in
            // The statement is prepared and the connections are there.
            let app = try app.refreshed()
            relay.lose(.statement(SessionRefresh.sql.name))
            let connection = try Connection(to: app.service.port)
            connection.write(App.refresh(.north, app.refreshToken).bytes)
            let isStored = try waitUntil(.seconds(3)) {
                try bed.query("select generation from session where session_id = \(try app.sessionID)") == ["3"]
            }
            #expect(isStored)
            relay.cut()
            let answer = try connection.receive()
            try expectProblem(answer, 503, "outcome-unknown")
            #expect(answer["Retry-After"] != nil)
            let next = try app.refreshed()
            #expect(try next.status() == 200)
            #expect(try bed.query("select generation from session where session_id = \(try app.sessionID)") == ["3"])
        }
    }

    @Test("T-10 two hundred refreshes wait for one locked session: other people's calls do not")
    func aLockHoldsUpItsOwnSession() throws {
        let bed = try TestBed.required
        let service = try bed.start(["CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        let locked = try App(service, .north, bed.issuer)
        func people() throws -> [App] { try (0..<8).map { _ in try App(service, .north, bed.issuer) } }
        let others = try people()
        let calm = try Self.waits(of: try people())
        let session = try locked.sessionID
        let holder = try Program(
            "/usr/lib/postgresql/15/bin/psql",
            [
                "-X", "-q", "-c",
                "begin; select from session where session_id = \(session) for update; select pg_sleep(\(20 * Patience.factor)); rollback",
                bed.database.url(nil),
            ],
            output: bed.folder.appendingPathComponent("holder.txt")
        )
        let isHeld = try waitUntil(.seconds(5)) {
            try bed.query(
                "select count(*) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()"
            ) == ["1"]
        }
        #expect(isHeld)
        let crowd = try (0..<200).map { _ in try Connection(to: service.port, patience: .seconds(30)) }
        for connection in crowd { connection.write(App.refresh(.north, locked.refreshToken).bytes) }
        let waits = try Self.waits(of: others)
        #expect(holder.isRunning, "the lock was gone before the others were served")
        // One of the loop's connections waits for the lock, 250 ms at a time; what was on it then waits with it.
        let most =
            max(calm[calm.count * 99 / 100] * 3, Duration.milliseconds(100).patient)
            + Duration.milliseconds(300).patient
        #expect(waits[waits.count * 99 / 100] < most, "\(calm.suffix(3)), \(waits.suffix(3))")
        #expect(
            waits[waits.count / 2] < max(calm[calm.count / 2] * 3, Duration.milliseconds(60).patient),
            "\(calm[calm.count / 2]), \(waits[waits.count / 2])"
        )
        let connections = try bed.query(
            "select count(*) from pg_stat_activity where usename = 'chil_service' and datname = current_database()"
        )
        #expect(Int(connections[0])! <= 16, "\(connections)")
        // They are told within the time of any request that their turn did not come; the lock's end serves whoever comes again.
        let statuses = try crowd.map { try $0.receive().status }
        #expect(Set(statuses) == [503], "\(Set(statuses))")
        try bed.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()"
        )
        _ = try holder.wait(atMost: .seconds(10))
        #expect(try waitUntil(.seconds(5)) { try service.send(App.refresh(.north, locked.refreshToken)).status == 200 })
        #expect(try locked.refreshed().status() == 200)
        #expect(try service.stop() == 0)
    }

    /// Eight people call ten times each, at once: how long each call took, shortest first.
    private static func waits(of apps: [App]) throws -> [Duration] {
        try inParallel(apps.count) { index in
            var app = apps[index]
            app = try app.refreshed()
            return try (0..<10).map { round in
                let begun = ContinuousClock.now
                if round.isMultiple(of: 5) { app = try app.refreshed() } else { #expect(try app.status() == 200) }
                return ContinuousClock.now - begun
            }
        }.joined().sorted()
    }
}
