import ChilDatabase
import ChilStore
import ChilTestSupport
import Foundation
import Testing

/// One limit for many loops and replicas.
@Suite(.testBed([]), .ownThread, .serialized)
struct SharedRateTests {
    private static let quota = 400

    private func tenant(_ slug: String, _ limits: String...) throws -> Tenant {
        let bed = try TestBed.required
        let tenant = Tenant(slug: slug)
        try bed.administration.add(tenant, bed.issuer)
        for limit in limits { try bed.administration.run("limit set \(slug) \(limit)") }
        return tenant
    }

    /// Asks without a pause until `end`: how often it was served.
    private func flood(_ app: App, until end: ContinuousClock.Instant) throws -> Int {
        let connection = try Connection(to: app.service.port)
        var served = 0
        while ContinuousClock.now < end {
            switch try connection.send(app.request("GET", "me")).status {
            case 200: served += 1
            case 429: break
            case let status: Issue.record("\(status)")
            }
        }
        return served
    }

    @Test("two replicas of two loops: the total is within 10 % of the limit")
    func twoReplicasShareOneLimit() throws {
        let bed = try TestBed.required
        let tenant = try tenant("shared", "user read \(Self.quota) --per 60")
        try bed.withReplicas(2) { services in
            let ann = try App(services[0], tenant, bed.issuer)
            let bob = try App(services[1], tenant, bed.issuer)
            let begun = ContinuousClock.now, end = begun + .seconds(4)
            let served = try inParallel(12) { index in
                try flood(App(moving: ann, to: services[index % 2]), until: end)
            }
            let seconds = Double((ContinuousClock.now - begun).components.seconds)
            let total = Double(served.reduce(0, +)), allowed = Double(Self.quota) * (1 + seconds / 60)
            #expect(total >= allowed * 0.9 && total <= allowed * 1.1, "\(total) of \(allowed): \(served)")
            // Another person has all of it still.
            let others = Set(try (0..<20).map { _ in try bob.status() })
            #expect(others == [200])
        }
    }

    @Test("one client on one connection gets the whole limit, however many loops there are")
    func oneConnectionGetsTheWholeLimit() throws {
        let bed = try TestBed.required
        let tenant = try tenant("whole", "user read \(Self.quota) --per 86400")
        try bed.withReplicas(2) { services in
            let app = try App(services[0], tenant, bed.issuer)
            let connection = try Connection(to: services[0].port)
            var statuses: [Int] = []
            while statuses.last != 429, statuses.count < 2 * Self.quota {
                statuses.append(try connection.send(app.request("GET", "me")).status)
            }
            let served = statuses.count { $0 == 200 }
            #expect(served >= Self.quota * 95 / 100 && served <= Self.quota * 11 / 10, "\(served)")
        }
    }

    @Test("quiet people cost the database nothing, busy ones a few statements a second")
    func asksAreFew() throws {
        let bed = try TestBed.required
        let quiet = try tenant("quiet"), busy = try tenant("busy")
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
        _ = try inParallel(crowd.count) { try flood(crowd[$0], until: begun + .seconds(3)) }
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
