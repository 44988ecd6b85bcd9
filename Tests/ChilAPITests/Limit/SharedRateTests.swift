import ChilDatabase
import ChilStore
import ChilTestSupport
import Foundation
import Testing

/// One limit for many loops and replicas.
@Suite(.testBed([]), .ownThread, .serialized)
struct SharedRateTests {
    @Test("quiet people cost the database nothing, busy ones a few statements a second")
    func asksAreFew() throws {
        let bed = try TestBed.required
        let quiet = try SharedRates.tenant("quiet"), busy = try SharedRates.tenant("busy")
        try bed.administration.run("limit unset quiet all all")
        let url = bed.database.url("chil_service")
        let relay = try Relay(toPostgresOf: url)
        defer { relay.close() }
        var parts = try #require(URLComponents(string: url))
        parts.host = "127.0.0.1"
        parts.port = Int(relay.port)
        parts.queryItems = parts.queryItems?.filter { !["host", "port"].contains($0.name) }
        let service = try bed.start(["CHIL_DATABASE_URL": try #require(parts.string), "CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        let people = try (0..<5).map { _ in try App(service, quiet, bed.issuer) }
        let name = RateLease.sql.name
        let before = relay.uses(of: name)
        for app in people { for _ in 0..<10 { #expect(try app.status() == 200) } }
        #expect(!waitUntil(.milliseconds(300)) { relay.uses(of: name) != before })

        let crowd = try (0..<8).map { _ in try App(service, busy, bed.issuer) }
        let begun = ContinuousClock.now, from = relay.uses(of: name)
        _ = try inParallel(crowd.count) { try SharedRates.flood(crowd[$0], until: begun + .seconds(3)) }
        let seconds = Double((ContinuousClock.now - begun).components.seconds) + 1
        #expect(Double(relay.uses(of: name) - from) / seconds <= 12)
        #expect(try service.stop() == 0)
    }

    @Test("with the database away floods are refused all the same, by each loop's part")
    func theDatabaseIsAway() async throws {
        let cluster = try Cluster()
        defer { cluster.remove() }
        let bed = try await TestBed(in: cluster.url)
        let outcome = Result { try Self.floodWithoutDatabase(cluster, bed) }
        try? await bed.remove()
        try outcome.get()
    }

    private static func floodWithoutDatabase(_ cluster: Cluster, _ bed: TestBed) throws {
        try bed.fill([.implicitNamed])
        let service = try bed.service()
        let app = try App(service, .north, bed.issuer)
        for kind in ["auth", "read"] { try bed.administration.run("limit set north address \(kind) 80 --per 86400") }
        let policy = #""read-address";q=80;w=86400"#
        let isSet = try waitUntil(Promise.news) {
            try app.send("GET", "me")["RateLimit-Policy"]?.hasPrefix(policy) == true
        }
        #expect(isSet)
        // Enough of them that each loop has some, and knows the tenant.
        let connections = try (0..<20).map { _ in try Connection(to: service.port) }
        for connection in connections { #expect(try connection.send(app.request("GET", "me")).status == 200) }
        try cluster.crash()
        #expect(try waitUntil(Promise.refusal) { try app.send("DELETE", "drawings/1").status == 503 })
        for request in [app.request("GET", "me"), Request("POST", "/north/auth/nonce")] {
            // Side by side, for each that is not refused waits for the database as long as it may.
            let answers = try inParallel(connections.count) { index in
                try (0..<9).map { _ in try connections[index].send(request) }
            }.flatMap { $0 }
            let away = answers.count { $0.status == 503 }, refused = answers.count { $0.status == 429 }
            #expect(away + refused == answers.count)
            // Two loops: half of eighty each, and what each held.
            #expect(away <= 88, "\(away)")
            #expect(answers.allSatisfy { $0["Retry-After"] != nil })
        }
        try cluster.start()
        let isBack = waitUntil(Promise.recovery) { (try? app.send("GET", ".well-known/jwks.json"))?.status != 503 }
        #expect(isBack)
    }
}
