import ChilDatabase
import ChilStore
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAPI

/// The quota `requests`, through services as they are shipped. Months, so that no window ends meanwhile.
@Suite(.testBed([]), .ownThread, .serialized)
struct RequestQuotaTests {
    /// A tenant whose rates are far away, with these limits of requests.
    private func tenant(_ slug: String, _ quotas: String...) throws -> Tenant {
        let bed = try TestBed.required
        let tenant = Tenant(slug: slug)
        try bed.administration.add(tenant, bed.issuer)
        try bed.administration.run("limit set \(slug) all all 1000000")
        for quota in quotas { try bed.administration.run("quota set \(slug) requests \(quota) --window month") }
        return tenant
    }

    /// What stands between a service and PostgreSQL, and the service's address of it.
    private func relay() throws -> (relay: Relay, url: String) {
        let url = try TestBed.required.database.url("chil_service")
        let relay = try Relay(toPostgresOf: url)
        var parts = try #require(URLComponents(string: url))
        parts.host = "127.0.0.1"
        parts.port = Int(relay.port)
        parts.queryItems = parts.queryItems?.filter { !["host", "port"].contains($0.name) }
        return (relay, try #require(parts.string))
    }

    private func used(_ tenant: Tenant, by user: Int? = nil) throws -> Int {
        let table = user == nil ? "quota" : "quota_use", subject = user.map { "and x.subject_id = \($0)" } ?? ""
        let rows = try TestBed.required.query(
            "select x.used from \(table) x join tenant t on t.tenant_id = x.tenant_id where t.slug = '\(tenant.slug)' and x.metric = 'requests' \(subject)"
        )
        return try #require(rows.first.flatMap { Int($0) })
    }

    private func expectRefusal(_ answer: Answer, _ what: String) throws {
        try expectProblem(answer, 429, "quota-window-exceeded")
        #expect(answer["Retry-After"].flatMap { Int($0) }.map { (1...2_678_401).contains($0) } == true)
        #expect(try answer.string("detail").contains("The limit of \(what) per month is reached"))
    }

    @Test("a small limit is exactly kept by two replicas of two loops, for a user and for a tenant")
    func aSmallLimitIsExactlyKept() throws {
        let bed = try TestBed.required
        let byUser = try tenant("ten", "10 --scope user"), other = try tenant("ten-other", "10 --scope user")
        // A sign-in is one, which nobody's user is known for.
        let whole = try tenant("whole-ten", "13")
        try bed.withReplicas(2) { services in
            let ann = try App(services[0], byUser, bed.issuer), bob = try App(services[1], byUser, bed.issuer)
            let stranger = try App(services[1], other, bed.issuer)
            for app in [ann, try App(services[0], whole, bed.issuer)] {
                let connections = try (0..<100).map { try Connection(to: services[$0 % 2].port) }
                let answers = try inParallel(100) { try connections[$0].send(app.request("GET", "me")) }
                #expect(answers.count { $0.status == 200 } == (app.tenant.slug == "ten" ? 10 : 12))
                for answer in answers where answer.status != 200 {
                    try expectRefusal(answer, app.tenant.slug == "ten" ? "requests of each user" : "requests")
                }
            }
            #expect(try used(byUser, by: ann.userID) == 10)
            #expect(try used(whole) == 13)
            for app in [bob, stranger] {
                #expect(
                    try (0..<11).map { _ in try app.send("GET", "drawings").status } == .init(repeating: 200, count: 10)
                        + [429]
                )
            }
            // Whoever is refused by the user's limit uses nothing of the tenant's, and the way out is open.
            #expect(try ann.send("POST", "auth/logout").status == 204)
            try expectRefusal(try bob.send("GET", "me/export"), "requests of each user")
            #expect(try bob.service.send(App.refresh(byUser, bob.refreshToken)).status == 200)
        }
    }

    @Test("a large limit is kept within a chunk, by few statements, and what was not used is given back")
    func aLargeLimitIsKeptByChunks() throws {
        let bed = try TestBed.required
        let limit = 3_000
        let large = try tenant("large", "\(limit) --scope user"), none = try tenant("large-none")
        let relay = try relay()
        defer { relay.relay.close() }
        let name = RequestLease.sql.name
        let services = try (0..<2).map { _ in try bed.start(["CHIL_DATABASE_URL": relay.url]) }
        defer { for service in services { service.program.signal(SIGKILL) } }
        let quiet = try App(services[0], none, bed.issuer)
        for _ in 0..<50 { #expect(try quiet.send("GET", "me").status == 200) }
        // Where there is no limit nothing is asked.
        #expect(relay.relay.uses(of: name) == 0)

        let app = try App(services[0], large, bed.issuer)
        let served = try inParallel(8) { index in
            let connection = try Connection(to: services[index % 2].port)
            var served = 0
            while try connection.send(app.request("GET", "me")).status == 200 { served += 1 }
            return served
        }.reduce(0, +)
        #expect(served <= limit && served >= limit * 14 / 16, "\(served)")
        let asks = relay.relay.uses(of: name)
        #expect(asks < served / 4, "\(asks) statements for \(served) requests")
        #expect(try quiet.send("GET", "me").status == 200)
        // What a loop held is there for the others when it stops.
        for service in services { #expect(try service.stop() == 0) }
        #expect(try used(large, by: app.userID) == served)
        try bed.administration.run("quota recount --check")
    }

    @Test("a killed replica loses no more than its loops' leases; idle ones come back by themselves")
    func aKilledReplicaLosesItsLease() throws {
        let bed = try TestBed.required
        let limit = 6_400
        let tenant = try tenant("killed", "\(limit)"), other = try self.tenant("killed-other", "\(limit)")
        let services = try (0..<2).map { _ in try bed.start() }
        defer { for service in services { service.program.signal(SIGKILL) } }
        var app = try App(services[0], tenant, bed.issuer)
        let stranger = try App(services[1], other, bed.issuer)
        var served = 1
        for _ in 0..<300 { served += try app.send("GET", "me").status == 200 ? 1 : 0 }
        #expect(served == 301)
        services[0].program.signal(SIGKILL)
        _ = try? services[0].program.wait(atMost: .seconds(5))
        let lost = try used(tenant) - served
        #expect((0...limit / 16).contains(lost), "\(lost)")
        app = App(moving: app, to: services[1])
        for _ in 0..<40 { served += try app.send("GET", "me").status == 200 ? 1 : 0 }
        #expect(served == 341)
        // The other replica's loops give back what nobody comes for.
        #expect(try waitUntil(.seconds(60)) { try used(tenant) == served + lost })
        #expect(try waitUntil(.seconds(60)) { try used(other) == 1 })
        #expect(try stranger.send("GET", "me").status == 200)
    }

    /// What needs no credentials, or comes with none that are good, is worth nothing to whoever wants to use a tenant's month up.
    @Test func strangersUseUpNothing() throws {
        let bed = try TestBed.required
        let tenant = try tenant("coveted", "20"), other = try self.tenant("coveted-other", "20")
        try bed.withReplicas(1) { services in
            let app = try App(services[0], tenant, bed.issuer), stranger = try App(services[0], other, bed.issuer)
            let nonce = try App.nonce(services[0], tenant)
            let spent = try IdentityToken(bed.issuer, tenant, nonce: nonce).signed(bed.issuer.es256)
            let url = try app.service.send(app.upload(Picture.png())).string("url").dropFirst(Service.publicURL.count)
            #expect(try services[0].send(App.signIn(tenant, spent, nonce)).status == 200)
            #expect(try used(tenant) == 3)
            let base = "/\(tenant.slug)", form = "application/x-www-form-urlencoded"
            func token(_ form: String) -> Request {
                Request(
                    "POST",
                    "\(base)/auth/oauth2/token",
                    type: "application/x-www-form-urlencoded",
                    body: Array(form.utf8)
                )
            }
            let rows: [(request: Request, status: Int)] = [
                (Request("GET", "\(base)/.well-known/jwks.json"), 200), (Request("GET", "\(base)/retention"), 200),
                (Request("POST", "\(base)/auth/nonce"), 201), (Request("GET", "\(base)/auth/apple/authorize"), 400),
                (Request("POST", "\(base)/auth/apple/callback", type: form, body: Array("state=x".utf8)), 400),
                (Request("POST", "\(base)/auth/apple/notifications", json: "{\"payload\":\"x\"}"), 400),
                (App.refresh(tenant, "x"), 401), (App.refresh(tenant, stranger.refreshToken), 401),
                (App.signIn(tenant, "x.y.z", nil), 401), (App.signIn(tenant, spent, nonce), 401),
                (Request("POST", "\(base)/auth/oauth2/token", json: "{\"code\":\"x\"}"), 503),
                (token("grant_type=x"), 400),
                (token("grant_type=refresh_token&refresh_token=x"), 400),
                (token("grant_type=authorization_code&code=x"), 503),
                (Request("GET", url.dropLast(2) + "AA"), 404), (Request("GET", "\(base)/drawings/1/image"), 401),
                (Request("GET", "\(base)/me", bearer: "x"), 401),
                (Request("POST", "\(base)/scan/x", type: form, body: []), 404),
            ]
            let connection = try Connection(to: services[0].port)
            for row in rows {
                for _ in 0..<3 {
                    let answer = try connection.send(row.request)
                    #expect(answer.status == row.status, "\(row.request.method) \(row.request.path) \(answer.text)")
                }
            }
            // What was taken for nothing is given back when nobody comes for it.
            #expect(try waitUntil(.seconds(60)) { try used(tenant) == 3 })
            #expect(try used(other) == 1)
            // What is good counts.
            #expect(try services[0].send(Request("GET", String(url))).status == 200)
            #expect(try services[0].send(App.refresh(tenant, app.refreshToken)).status == 200)
            #expect(try app.send("GET", "me").status == 200)
            #expect(try used(tenant) == 6)
        }
    }

    @Test("an operator's change holds at once, more and less")
    func aChangeHoldsAtOnce() throws {
        let bed = try TestBed.required
        let tenant = try tenant("changed", "0 --scope user"), other = try self.tenant("changed-other")
        try bed.withReplicas(1) { services in
            let app = try App(services[0], tenant, bed.issuer), stranger = try App(services[0], other, bed.issuer)
            try expectRefusal(try app.send("GET", "me"), "requests of each user")
            try bed.administration.run("quota set changed requests 5 --scope user --window month")
            #expect(try waitUntil(.seconds(20)) { try app.send("GET", "me").status == 200 })
            try bed.administration.run("quota unset changed requests --scope user --window month")
            #expect(
                try waitUntil(.seconds(20)) { try (0..<9).allSatisfy { _ in try app.send("GET", "me").status == 200 } }
            )
            try bed.administration.run("quota set changed requests 0 --window month")
            #expect(try waitUntil(.seconds(20)) { try app.send("GET", "me").status == 429 })
            try expectRefusal(try services[0].send(App.refresh(tenant, app.refreshToken)), "requests")
            // What ends something is never refused for it.
            #expect(try app.send("DELETE", "me").status == 202)
            #expect(try stranger.send("GET", "me").status == 200)
        }
    }
}
