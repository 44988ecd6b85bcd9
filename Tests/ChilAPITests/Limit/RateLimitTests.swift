import ChilStore
import ChilTestSupport
import Foundation
import Testing

/// Limits as clients meet them. Windows are so long that nothing is refilled while a test runs.
@Suite(.testBed(), .ownThread)
struct RateLimitTests {
    private func tenant(_ slug: String, _ limits: String...) throws -> Tenant {
        let bed = try TestBed.required
        let tenant = Tenant(slug: slug)
        try bed.administration.add(tenant, bed.issuer)
        for limit in limits { try bed.administration.run("limit set \(slug) \(limit)") }
        return tenant
    }

    private func app(_ tenant: Tenant, at service: Service? = nil) throws -> App {
        let bed = try TestBed.required
        return try App(try service ?? bed.service(), tenant, bed.issuer)
    }

    /// A service of one loop: of a small limit another loop might hold a token that nobody comes for.
    private func withOneLoop(_ body: (Service) throws -> Void) throws {
        let service = try TestBed.required.start(["CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        try body(service)
        #expect(try service.stop() == 0)
    }

    /// One after another on one connection: how many are served, and the first refusal.
    private func flood(_ port: UInt16, _ request: Request, atMost most: Int) throws -> (served: Int, refusal: Answer?) {
        let connection = try Connection(to: port)
        for served in 0..<most {
            let answer = try connection.send(request)
            if answer.status == 429 { return (served, answer) }
            #expect(answer.status / 100 == 2, "\(answer.text)")
        }
        return (most, nil)
    }

    @Test("A-06 a person's eleventh of ten writes is refused; others, and other tenants, are not touched")
    func aPersonsLimit() throws {
        let tenant = try tenant("a06-user", "user write 10 --per 3600")
        let ann = try app(tenant), bob = try app(tenant), eve = try app(.south)
        let connection = try Connection(to: ann.service.port)
        for left in (0..<10).reversed() {
            let answer = try connection.send(ann.upload(Picture.png()))
            #expect(answer.status == 201)
            #expect(
                answer["RateLimit-Policy"]
                    == #""write-address";q=1000000;w=1, "write-tenant";q=1000000;w=1, "write-user";q=10;w=3600"#
            )
            let field = try #require(answer["RateLimit"])
            #expect(field.hasPrefix(#""write-user";r=\#(left);t="#), "\(field)")
            let seconds = try #require(Int(field.split(separator: "=").last ?? ""))
            #expect((360 * (10 - left) - 30...360 * (10 - left)).contains(seconds), "\(field)")
        }
        let refused = try connection.send(ann.upload(Picture.png()))
        try expectProblem(refused, 429, "rate-limited")
        let wait = try #require(refused["Retry-After"].flatMap { Int($0) })
        #expect((300...360).contains(wait))
        #expect(refused["RateLimit"] == #""write-user";r=0;t=\#(wait)"#)
        #expect(refused["RateLimit-Policy"]?.hasSuffix(#""write-user";q=10;w=3600"#) == true)
        // Her reads are another class, and nothing was stored.
        #expect(try ann.send("GET", "drawings").array("data").count == 10)
        for other in [bob, eve] { #expect(try other.service.send(other.upload(Picture.png())).status == 201) }
        try expectProblem(try connection.send(ann.upload(Picture.png())), 429, "rate-limited")
    }

    @Test("A-06 a tenant's limit is the sum of its people's; another tenant's is not touched")
    func aTenantsLimit() throws {
        let tenant = try tenant("a06-tenant", "tenant write 10 --per 3600")
        let people = try (0..<3).map { _ in try app(tenant) }
        let connection = try Connection(to: people[0].service.port)
        let answers = try (0..<15).map { try connection.send(people[$0 % 3].upload(Picture.png())) }
        #expect(answers.count { $0.status == 201 } == 10)
        let refused = try #require(answers.last)
        try expectProblem(refused, 429, "rate-limited")
        #expect(refused["RateLimit"]?.hasPrefix(#""write-tenant";r=0;t="#) == true)
        // What all together have left is told to nobody before.
        #expect(answers.allSatisfy { $0.status == 429 || $0["RateLimit"]?.contains("tenant") == false })
        let eve = try app(.south)
        #expect(try eve.service.send(eve.upload(Picture.png())).status == 201)
    }

    @Test("A-06 an address has its limit before anybody is known, and it is each tenant's own")
    func anAddressesLimit() throws {
        let one = try tenant("a06-address", "address auth 10 --per 3600")
        let two = try tenant("a06-address-2", "address auth 10 --per 3600")
        let service = try TestBed.required.service()
        for tenant in [one, two] {
            let request = Request("POST", "/\(tenant.slug)/auth/nonce")
            let (served, refusal) = try flood(service.port, request, atMost: 20)
            #expect(served == 10, "I-12 \(tenant.slug)")
            let refused = try #require(refusal)
            try expectProblem(refused, 429, "rate-limited")
            #expect(refused["RateLimit"]?.hasPrefix(#""auth-address";r=0;t="#) == true)
        }
        // Reads of the same address are another class.
        #expect(try service.send(Request("GET", "/\(one.slug)/.well-known/jwks.json")).status == 200)
        for path in ["/healthz", "/readyz"] {
            let answer = try service.send(Request("GET", path))
            #expect(answer.status == 200 && answer["RateLimit"] == nil && answer["RateLimit-Policy"] == nil)
        }
    }

    /// Nobody without a token, and nobody over a limit of their own, uses up what all people of a tenant have.
    @Test func strangersDoNotUseATenantUp() throws {
        let tenant = try tenant("strangers", "tenant read 10 --per 3600", "user read 4 --per 3600")
        let (ann, bob) = (try app(tenant), try app(tenant))
        let connection = try Connection(to: ann.service.port)
        for _ in 0..<30 { #expect(try connection.send(Request("GET", "/\(tenant.slug)/me")).status == 401) }
        for _ in 0..<30 {
            #expect(try connection.send(Request("GET", "/\(tenant.slug)/me", bearer: "x")).status == 401)
        }
        for (count, app) in [(4, ann), (4, bob)] {
            let statuses = try (0..<20).map { _ in try connection.send(app.request("GET", "me")).status }
            #expect(statuses.count { $0 == 200 } == count, "\(statuses)")
        }
    }

    /// What is open to anybody, or comes with nothing good, leaves to a tenant's people what is theirs.
    @Test func strangersLeaveATenantsPeopleTheirs() throws {
        let tenant = try tenant(
            "crowded",
            "tenant auth 10 --per 86400",
            "tenant read 10 --per 86400",
            "tenant write 10 --per 86400"
        )
        try withOneLoop { service in
            let app = try app(tenant, at: service)
            let url = try app.service.send(app.upload(Picture.png())).string("url").dropFirst(Service.publicURL.count)
            let base = "/\(tenant.slug)", connection = try Connection(to: app.service.port)
            func statuses(_ request: Request, _ count: Int) throws -> [Int] {
                try (0..<count).map { _ in try connection.send(request).status }
            }
            // A nonce was one of ten.
            #expect(try statuses(Request("POST", "\(base)/auth/nonce"), 12).count { $0 == 429 } == 3)
            #expect(try statuses(Request("GET", "\(base)/.well-known/jwks.json"), 12).count { $0 == 429 } == 2)
            let refused = try connection.send(Request("GET", "\(base)/retention"))
            try expectProblem(refused, 429, "rate-limited")
            #expect(refused["RateLimit"]?.hasPrefix(#""read-tenant";r=0;t="#) == true)
            let notification = Request("POST", "\(base)/auth/apple/notifications", json: "{\"payload\":\"x\"}")
            #expect(try Set(statuses(notification, 20)) == [400])
            #expect(try Set(statuses(App.refresh(tenant, "x"), 20)) == [401])
            #expect(try Set(statuses(App.signIn(tenant, "x.y.z", nil), 20)) == [401])
            #expect(try Set(statuses(Request("GET", url.dropLast(2) + "AA"), 20)) == [404])
            // A sign-in and an upload were their first.
            var token = app.refreshToken
            for _ in 0..<9 {
                let answer = try connection.send(App.refresh(tenant, token))
                try #require(answer.status == 200)
                token = try answer.string("refreshToken")
            }
            try expectProblem(try connection.send(App.refresh(tenant, token)), 429, "rate-limited")
            #expect(try statuses(Request("GET", String(url)), 5) == Array(repeating: 200, count: 5))
            #expect(try statuses(app.request("GET", "me"), 6) == Array(repeating: 200, count: 5) + [429])
            #expect(try (0..<10).count { _ in try connection.send(app.upload(Picture.png())).status == 201 } == 9)
        }
    }

    /// Whoever has a picture's address may hand it on: its owner's own requests are counted apart, and the tenant's are not used up.
    @Test func aPicturesViewersHaveTheirOwnLimit() throws {
        let tenant = try tenant("viewed", "user read 4 --per 86400", "tenant read 10 --per 86400")
        try withOneLoop { service in
            let ann = try app(tenant, at: service), bob = try app(tenant, at: service)
            let url = try ann.service.send(ann.upload(Picture.png())).string("url").dropFirst(Service.publicURL.count)
            let connection = try Connection(to: ann.service.port)
            let answers = try (0..<6).map { _ in try connection.send(Request("GET", String(url))) }
            #expect(answers.map(\.status) == [200, 200, 200, 200, 429, 429])
            let refused = try #require(answers.last)
            #expect(refused["RateLimit"]?.hasPrefix(#""image-user";r=0;t="#) == true)
            #expect(refused["RateLimit-Policy"] == #""image-user";q=4;w=86400"#)
            #expect(answers[0]["RateLimit"]?.hasPrefix(#""read-address";r="#) == true)
            for (app, served) in [(ann, 4), (bob, 2)] {
                #expect(
                    try (0..<6).count { _ in try connection.send(app.request("GET", "me")).status == 200 } == served
                )
            }
        }
    }

    /// A person has one limit on whatever device, and whatever token proves who they are.
    @Test func signingInAndRefreshingCountForThePerson() throws {
        let bed = try TestBed.required
        let tenant = try tenant("eager", "user auth 3 --per 86400")
        try withOneLoop { service in
            let subject = Planted.subject()
            func signIn(_ subject: String) throws -> Answer {
                let nonce = try App.nonce(service, tenant)
                let token = try IdentityToken(bed.issuer, tenant, subject: subject, nonce: nonce).signed(
                    bed.issuer.es256
                )
                return try service.send(App.signIn(tenant, token, nonce))
            }
            let answers = try (0..<4).map { _ in try signIn(subject) }
            #expect(answers.map(\.status) == [200, 200, 200, 429])
            #expect(answers[3]["RateLimit"]?.hasPrefix(#""auth-user";r=0;t="#) == true)
            #expect(try signIn(Planted.subject()).status == 200)
            var token = try App(service, tenant, answers[0]).refreshToken
            for _ in 0..<3 {
                let answer = try service.send(App.refresh(tenant, token))
                try #require(answer.status == 200)
                token = try answer.string("refreshToken")
            }
            try expectProblem(try service.send(App.refresh(tenant, token)), 429, "rate-limited")
        }
    }

    /// A token that is good but for its session says no more than none at all.
    @Test func anEndedSessionLooksLikeNone() throws {
        let tenant = try tenant("ended", "user read 100 --per 3600")
        let app = try app(tenant)
        #expect(try app.service.send(app.request("POST", "auth/logout", json: "{}")).status == 204)
        let ended = try app.send("GET", "me"), none = try app.service.send(Request("GET", "/\(tenant.slug)/me"))
        #expect(ended.status == 401 && ended.unvarying == none.unvarying)
        #expect(ended["RateLimit"]?.hasPrefix(#""read-address";r="#) == true)
    }

    @Test("A-13 a thousand print jobs at once by one person: thirty are taken, and others print")
    func printsAreLimited() throws {
        let bed = try TestBed.required
        let tenant = try tenant("a13", "user print 30 --per 3600")
        try bed.administration.run("printer add \(tenant.slug) --name far --uri ipp://127.0.0.1:1/ipp/print --default")
        let ann = try app(tenant), bob = try app(tenant)
        func request(_ app: App) throws -> Request {
            app.request("POST", "drawings/print", json: "{\"drawingId\":\(try app.makeDrawing())}")
        }
        let printing = try request(ann)
        let statuses = try inParallel(10) { _ in
            let connection = try Connection(to: ann.service.port)
            return try (0..<100).map { _ in try connection.send(printing).status }
        }.joined()
        #expect(Set(statuses) == [200, 429])
        #expect((28...30).contains(statuses.count { $0 == 200 }), "\(statuses.count { $0 == 200 })")
        let jobs = try bed.query(
            "select count(*) from print_job j join tenant t using (tenant_id) where t.slug = '\(tenant.slug)'"
        )
        #expect(Int(jobs[0]) == statuses.count { $0 == 200 })
        #expect(try bob.service.send(try request(bob)).status == 200)
    }

    @Test func anOperatorsChangeIsFeltWithinASecond() throws {
        let bed = try TestBed.required
        let tenant = try tenant("changed", "user write 2 --per 86400")
        let app = try app(tenant)
        #expect(try flood(app.service.port, app.upload(Picture.png()), atMost: 10).served == 2)
        try bed.administration.run("limit set \(tenant.slug) user write 1000 --per 1")
        #expect(try waitUntil(Promise.news) { try app.service.send(app.upload(Picture.png())).status == 201 })
        try bed.administration.run("limit unset \(tenant.slug) user write")
        let usual = #""write-user";q=240;w=60"#
        let isBack = try waitUntil(Promise.news) {
            try app.send("DELETE", "drawings/1")["RateLimit-Policy"]?.hasSuffix(usual) == true
        }
        #expect(isBack)
    }

    /// What was leased by the rule before is worth nothing: an operator who lowers a limit does not wait for its window's end.
    @Test func aLoweredLimitHoldsWithinASecond() throws {
        let bed = try TestBed.required
        let tenant = try tenant("lowered", "user read 2000 --per 86400")
        try withOneLoop { service in
            let app = try app(tenant, at: service)
            let connection = try Connection(to: service.port)
            // As many as make the loop lease some.
            for _ in 0..<150 { #expect(try connection.send(app.request("GET", "me")).status == 200) }
            try bed.administration.run("limit set \(tenant.slug) user read 10 --per 86400")
            let isHeard = try waitUntil(Promise.news) {
                try connection.send(app.request("GET", "me"))["RateLimit-Policy"]?.hasSuffix(
                    #""read-user";q=10;w=86400"#
                )
                    == true
            }
            #expect(isHeard)
            #expect(try flood(service.port, app.request("GET", "me"), atMost: 30).served < 10)
        }
    }

    /// Names that nobody has are questions to the database: an address has a few. Those that somebody has cost nothing.
    @Test func askingForTenantsThatAreNotIsLimited() throws {
        let bed = try TestBed.required
        let service = try bed.start(["CHIL_TRUSTED_PROXIES": "127.0.0.1", "CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        let connection = try Connection(to: service.port)
        func ask(_ slug: String, from address: String) throws -> Answer {
            try connection.send(Request("POST", "/\(slug)/auth/nonce").adding("X-Forwarded-For", address))
        }
        let quota = Int(RateDefaults.lookup.quota)
        let begun = ContinuousClock.now
        let answers = try (0..<3 * quota).map { try ask("nobody-\($0)", from: "203.0.113.7") }
        let refilled =
            Int((ContinuousClock.now - begun).components.seconds + 1) * quota / Int(RateDefaults.lookup.window)
        #expect((quota * 9 / 10...quota + refilled + 10).contains(answers.count { $0.status == 404 }))
        #expect(Set(answers.map(\.status)) == [404, 429])
        let refused = try #require(answers.first { $0.status == 429 })
        try expectProblem(refused, 429, "rate-limited")
        #expect(refused["RateLimit-Policy"] == #""lookup-address";q=\#(quota);w=60"#)
        #expect(refused["Retry-After"] != nil)
        // Tenants that nobody has asked for yet, from an address that may ask for no more: they are there, so they cost nothing.
        let cold = ["cold-1", "cold-2", "cold-3"]
        for name in cold { try bed.administration.run("tenant create \(name)") }
        var number = 0
        for name in cold {
            // It may ask for two a second again: until it may not.
            let isSpent = try waitUntil(.seconds(20)) {
                number += 1
                return try ask("nobody-again-\(number)", from: "203.0.113.7").status == 429
            }
            let found = try connection.send(
                Request("GET", "/\(name)/retention").adding("X-Forwarded-For", "203.0.113.7")
            )
            #expect(isSpent && found.status == 200)
            #expect(found["RateLimit-Policy"]?.contains("lookup") == false)
        }
        // A tenant that is known, and another address.
        #expect(try ask("north", from: "203.0.113.8").status == 201)
        #expect(try ask("north", from: "203.0.113.7").status == 201)
        #expect(try ask("nobody", from: "203.0.113.8").status == 404)
        #expect(try service.stop() == 0)
    }

    /// Two addresses behind a trusted proxy are two; behind one that is not they are the proxy.
    @Test(arguments: [true, false])
    func proxiesAreBelievedWhereTheOperatorSays(_ isTrusted: Bool) throws {
        let bed = try TestBed.required
        let tenant = try tenant("proxied-\(isTrusted)", "address read 6 --per 86400")
        let service = try bed.start([
            "CHIL_TRUSTED_PROXIES": isTrusted ? "127.0.0.0/8" : "10.0.0.0/8", "CHIL_LOOPS": "1",
        ])
        defer { service.program.signal(SIGKILL) }
        let connection = try Connection(to: service.port)
        func served(_ address: String) throws -> Int {
            let request = Request("GET", "/\(tenant.slug)/.well-known/jwks.json").adding("X-Forwarded-For", address)
            return try (0..<10).count { _ in try connection.send(request).status == 200 }
        }
        // The session remembers the client's address, not the proxy's.
        let nonce = try App.nonce(service, tenant)
        let token = try IdentityToken(bed.issuer, tenant, nonce: nonce).signed(bed.issuer.es256)
        let signIn = App.signIn(tenant, token, nonce).adding("X-Forwarded-For", "198.51.100.1, 203.0.113.44")
        let app = try App(service, tenant, try connection.send(signIn))
        let list = app.request("GET", "auth/sessions").adding("X-Forwarded-For", "203.0.113.45")
        let sessions = try connection.send(list).array("data")
        #expect(sessions.map { $0["ip"] as? String } == [isTrusted ? "203.0.113.44" : "127.0.0.1"])
        // That was one read, of the proxy's where it is not believed.
        #expect(try served("203.0.113.7") == (isTrusted ? 6 : 5))
        #expect(try served("2001:db8:1:2::1") == (isTrusted ? 6 : 0))
        #expect(try served("2001:db8:1:2::2") == 0)
        // A /48 holds 65,536 of them, and has what sixteen have.
        let network = try (0..<24).map { try served("2001:db8:9:\(String($0, radix: 16))::1") }
        #expect(network.reduce(0, +) == (isTrusted ? 96 : 0))
        let request = Request("GET", "/\(tenant.slug)/.well-known/jwks.json")
        let refused = try connection.send(request.adding("X-Forwarded-For", "2001:db8:9:ffff::1"))
        #expect(refused["RateLimit"]?.hasPrefix(isTrusted ? #""read-site";r=0;t="# : #""read-address";r=0;t="#) == true)
        if isTrusted { #expect(refused["RateLimit-Policy"] == #""read-site";q=96;w=86400"#) }
        #expect(try served("2001:db8:a::1") == (isTrusted ? 6 : 0))
        // The right-most hop counts, whatever a client has written left of it.
        #expect(try served("203.0.113.99, 203.0.113.7") == 0)
        #expect(try served("203.0.113.9") == (isTrusted ? 6 : 0))
        #expect(try service.stop() == 0)
        // No address stands in a log or in a bucket.
        #expect(try !bed.logs().contains("203.0.113."))
        #expect(try bed.query("select count(*) from rate_lease where octet_length(lease_key) <> 16") == ["0"])
    }
}
