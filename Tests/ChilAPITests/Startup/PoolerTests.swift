import ChilTestSupport
import Foundation
import Testing

/// Behind PgBouncer 1.18 in transaction mode: what works, and what is refused at the start.
@Suite(.ownThread)
struct PoolerTests {
    private static func withPooler(
        _ command: [String]? = nil,
        _ body: (TestBed, Pooler) throws -> Void
    ) async throws {
        let bed = try await TestBed()
        let outcome = Result {
            try bed.fill([])
            let pooler = try Pooler(bed.database, command)
            defer { pooler.stop() }
            try body(bed, pooler)
        }
        try await bed.remove()
        try outcome.get()
    }

    @Test(
        "I-17 unnamed statements serve everything through PgBouncer",
        arguments: ["implicit", "explicit"],
        ["direct", "none"]
    )
    func theMainJobIsDone(_ segment: String, _ listening: String) async throws {
        try await Self.serve("unnamed", segment, listening)
    }

    @Test(
        "I-17 named statements serve everything through a PgBouncer that keeps them",
        .enabled(if: Pooler.keepingStatements != nil, "CHIL_TEST_PGBOUNCER names no PgBouncer of 1.21 or later"),
        arguments: ["implicit", "explicit"],
        ["direct", "none"]
    )
    func theMainJobIsDoneByName(_ segment: String, _ listening: String) async throws {
        try await Self.serve("named", segment, listening, Pooler.keepingStatements)
    }

    private static func serve(
        _ statements: String,
        _ segment: String,
        _ listening: String,
        _ command: [String]? = nil
    ) async throws {
        try await withPooler(command) { bed, pooler in
            let direct = bed.database.url("chil_service")
            let settings = [
                "CHIL_DATABASE_URL": try pooler.url("chil_service"), "CHIL_STATEMENTS": statements,
                "CHIL_SEGMENT": segment,
                "CHIL_LISTEN_DATABASE_URL": listening == "none" ? "none" : direct,
            ]
            try bed.withReplicas(2, settings) { services in
                let apps = try [Tenant.north, .south].map { try App(services[0], $0, bed.issuer) }
                let drawings = try apps.map { try $0.makeDrawing() }
                for (app, drawing) in zip(apps, drawings) {
                    #expect(try app.send("GET", "drawings").array("data").map { $0["drawingId"] as? Int } == [drawing])
                    #expect(try app.send("GET", "drawings/\(drawing)/image").status == 200)
                    let again = try app.refreshed()
                    #expect(try again.status() == 200)
                    #expect(try App(moving: again, to: services[1]).status() == 200)
                    let large = try app.service.send(app.upload(Picture.jpeg(bytesMin: 1 << 20), type: "image/jpeg"))
                    #expect(large.status == 201, "\(large.text)")
                }
                // An end of a session, a suspension: within the second that is promised, by announcement or by asking.
                let elsewhere = App(moving: apps[0], to: services[1])
                #expect(try elsewhere.status() == 200)
                #expect(try apps[0].service.send(apps[0].request("POST", "auth/logout", json: "{}")).status == 204)
                #expect(try waitUntil(Promise.news) { try elsewhere.status() == 401 })
                let suspended = App(moving: apps[1], to: services[1])
                #expect(try suspended.status() == 200)
                try bed.administration.run("tenant suspend south")
                #expect(try waitUntil(Promise.news + .milliseconds(200)) { try suspended.status() == 403 })
                try bed.administration.run("tenant resume south")
            }
        }
    }

    @Test("I-17 the operator's command works through PgBouncer")
    func theOperatorsToo() async throws {
        try await Self.withPooler { bed, pooler in
            let program = try Program(
                Program.built("chiladmin"),
                ["tenant", "list"],
                environment: ["CHIL_DATABASE_URL": try pooler.url("chil_operator")],
                output: bed.folder.appendingPathComponent("pooled.txt")
            )
            #expect(try program.wait(atMost: .seconds(20)) == 0, "\(program.text)")
            #expect(program.text.contains("north"))
        }
    }

    /// Each would seem to work, and answer wrongly now and then.
    @Test(
        "I-17 a wrong combination is refused at the start, with the reason",
        arguments: [
            (["CHIL_STATEMENTS": "named", "CHIL_LISTEN_DATABASE_URL": "direct"], "CHIL_STATEMENTS must be unnamed"),
            (["CHIL_STATEMENTS": "unnamed"], "CHIL_LISTEN_DATABASE_URL must lead to PostgreSQL itself"),
            (
                ["CHIL_STATEMENTS": "unnamed", "CHIL_LISTEN_DATABASE_URL": "pooled"],
                "CHIL_LISTEN_DATABASE_URL must lead to PostgreSQL itself"
            ),
        ] as [([String: String], String)]
    )
    func aWrongCombinationIsRefused(_ settings: [String: String], _ says: String) async throws {
        try await Self.withPooler { bed, pooler in
            let addresses = ["direct": bed.database.url("chil_service"), "pooled": try pooler.url("chil_service")]
            var environment = bed.settings.merging(settings.mapValues { addresses[$0] ?? $0 }) { $1 }
            environment["CHIL_DATABASE_URL"] = addresses["pooled"]
            let program = try Program(
                Program.built("chilapi"),
                environment: environment,
                output: bed.folder.appendingPathComponent("refused.log")
            )
            #expect(try program.wait(atMost: .seconds(20)) == 78)
            #expect(program.text.contains("chilapi: \(says)"), "\(program.text)")
        }
    }

    /// The database comes later than the service, and is not what the settings say.
    @Test func whatIsWrongIsFoundOnceTheDatabaseIsThere() async throws {
        let bed = try await TestBed()
        let outcome = Result {
            try bed.fill([])
            let relay = try Relay(toPostgresOf: bed.database.url("chil_service"))
            let port = relay.port
            relay.close()
            var environment = bed.settings
            environment["CHIL_DATABASE_URL"] = try bed.database.url("chil_service", throughPort: port)
            let log = bed.folder.appendingPathComponent("later.log")
            let service = try Service(environment, log: log, untilReady: false)
            defer { service.program.signal(SIGKILL) }
            #expect(try service.send(Request("GET", "/readyz")).status == 503)
            let pooler = try Pooler(bed.database, port: port)
            defer { pooler.stop() }
            #expect(try service.program.wait(atMost: .seconds(20)) == 78)
            #expect(service.program.text.contains("chilapi: CHIL_STATEMENTS must be unnamed"))
        }
        try await bed.remove()
        try outcome.get()
    }

    @Test func aDistributedDatabaseWantsTransactions() async throws {
        let bed = try await TestBed()
        let outcome = Result {
            try bed.fill([])
            // As `chiladmin distribute` leaves it.
            try bed.query(
                "create or replace function chil_enter(tenant bigint) returns text language plpgsql volatile as "
                    + "$$ begin execute format('set local chil.tenant = %L', tenant); return tenant::text; end $$"
            )
            let program = try Program(
                Program.built("chilapi"),
                environment: bed.settings,
                output: bed.folder.appendingPathComponent("distributed.log")
            )
            #expect(try program.wait(atMost: .seconds(20)) == 78)
            #expect(program.text.contains("chilapi: CHIL_SEGMENT must be explicit"), "\(program.text)")
            try bed.withReplicas(1, ["CHIL_SEGMENT": "explicit"]) { services in
                let apps = try [Tenant.north, .south].map { try App(services[0], $0, bed.issuer) }
                let drawings = try apps.map { try $0.makeDrawing() }
                for (index, app) in apps.enumerated() {
                    #expect(
                        try app.send("GET", "drawings").array("data").map { $0["drawingId"] as? Int } == [
                            drawings[index]
                        ]
                    )
                    try expectProblem(try app.send("GET", "drawings/\(drawings[1 - index])"), 404, "not-found")
                }
            }
        }
        try await bed.remove()
        try outcome.get()
    }
}
