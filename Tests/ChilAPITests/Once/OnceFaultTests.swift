import ChilCore
import ChilDatabase
import ChilStore
import ChilTestSupport
import Foundation
import Testing

/// What becomes of a key when something dies at the wrong moment.
@Suite(.testBed(), .ownThread, .serialized)
struct OnceFaultTests {
    /// Runs `body` with a service whose PostgreSQL is behind a relay, and somebody signed in at the bed's own too.
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
    }

    private func drawings(_ bed: TestBed, _ app: App) throws -> [String] {
        try bed.query("select drawing_id from drawing where owner_id = \(app.userID)")
    }

    @Test("A-10 the answer to a create is lost with the database's connection: the repeat finds it")
    func theAnswerIsLost() throws {
        try withRelay { bed, relay, app in
            let warm = app.upload(Picture.png()).adding("Idempotency-Key", "warm")
            #expect(try app.service.send(warm).status == 201)
            let before = try drawings(bed, app)
            let request = app.upload(Picture.png()).adding("Idempotency-Key", "lost")
            relay.lose(.statement(DrawingCreateOnce.sql.name))
            let connection = try Connection(to: app.service.port)
            connection.write(request.bytes)
            #expect(try waitUntil(.seconds(3)) { try drawings(bed, app).count == before.count + 1 })
            // Killed before it can look: nobody ever got an answer.
            app.service.program.signal(SIGKILL)
            let other = App(moving: app, to: try bed.service())
            let answer = try other.service.send(request)
            #expect(answer.status == 201)
            let made = Set(try drawings(bed, app)).subtracting(before)
            #expect(made == ["\(try answer.int("drawingId"))"])
        }
    }

    @Test(
        "A-10 kill -9 between the steps of a large upload: the key is free when its lease is over, and makes one drawing"
    )
    func killedBetweenSteps() async throws {
        let bed = try TestBed.required
        let jpeg = Picture.jpeg(bytesMin: 700_000)
        var app: App?
        try withRelay { _, relay, signedIn in
            app = signedIn
            // The first chunk's answer never comes.
            relay.lose(.statement(ImageChunkPut.sql.name))
            let connection = try Connection(to: signedIn.service.port)
            connection.write(
                signedIn.upload(jpeg, type: "image/jpeg").adding("Idempotency-Key", "large").bytes
            )
            let isRunning = try waitUntil(.seconds(5)) {
                try bed.query(
                    "select count(*) from idempotency i join image_chunk c on c.owner_id = i.user_id"
                        + " where i.user_id = \(signedIn.userID) and i.running_until is not null"
                ) != ["0"]
            }
            #expect(isRunning)
            signedIn.service.program.signal(SIGKILL)
        }
        let dead = try #require(app)
        let other = App(moving: dead, to: try bed.service())
        let request = other.upload(jpeg, type: "image/jpeg").adding("Idempotency-Key", "large")
        try expectProblem(try other.service.send(request), 409, "idempotency-key-running")
        #expect(try drawings(bed, other) == [])
        let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        try await StillService.with(bed, at: now + .seconds(61)) { service in
            let first = try service.send(request)
            #expect(first.status == 201, "\(first.text)")
            let again = try service.send(request)
            #expect(again.status == 201 && again.text == first.text)
            #expect(try drawings(bed, other) == ["\(try first.int("drawingId"))"])
        }
    }

    /// The bytes are there and their create does not get its turn: the key is not held up by what did not happen.
    @Test func aLargeUploadThatCannotBeStoredLeavesTheKeyFree() throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "once-locked")
        try bed.administration.add(tenant, bed.issuer)
        try bed.administration.run("quota set once-locked drawings 5")
        let app = try App(try bed.service(), tenant, bed.issuer)
        let holder = try Program(
            "/usr/lib/postgresql/15/bin/psql",
            [
                "-X", "-q", "-c",
                "begin; select from quota q join tenant t using (tenant_id) where t.slug = 'once-locked' for update of q; "
                    + "select pg_sleep(\(20 * Patience.factor)); rollback",
                bed.database.url(nil),
            ],
            output: bed.folder.appendingPathComponent("once-holder.txt")
        )
        defer { holder.signal(SIGKILL) }
        let sleeping = "wait_event = 'PgSleep' and datname = current_database()"
        #expect(
            try waitUntil(.seconds(5)) {
                try bed.query("select count(*) from pg_stat_activity where \(sleeping)") == ["1"]
            }
        )
        let request = app.upload(Picture.jpeg(bytesMin: 300_000), type: "image/jpeg").adding("Idempotency-Key", "held")
        try expectProblem(try app.service.send(request), 503, "database-away")
        #expect(try bed.query("select count(*) from idempotency where user_id = \(app.userID)") == ["0"])
        try bed.query("select pg_terminate_backend(pid) from pg_stat_activity where \(sleeping)")
        let first = try app.service.send(request)
        #expect(first.status == 201)
        #expect(try app.service.send(request).text == first.text)
        #expect(try drawings(bed, app) == ["\(try first.int("drawingId"))"])
    }

    /// A refusal after the lease was taken leaves nothing behind.
    @Test func aLargeUploadOverItsQuotaLeavesTheKeyFree() throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "once-quota")
        try bed.administration.add(tenant, bed.issuer)
        try bed.administration.run("quota set once-quota drawings 0")
        let app = try App(try bed.service(), tenant, bed.issuer)
        let request = app.upload(Picture.jpeg(bytesMin: 300_000), type: "image/jpeg").adding("Idempotency-Key", "over")
        try expectProblem(try app.service.send(request), 403, "quota-exceeded")
        #expect(try bed.query("select count(*) from idempotency where user_id = \(app.userID)") == ["0"])
        try bed.administration.run("quota set once-quota drawings 5")
        #expect(try waitUntil(Promise.news) { try app.service.send(request).status == 201 })
    }
}
