import ChilCore
import ChilCrypto
import ChilStore
import ChilTestSupport
import Foundation
import Testing

/// The catalogue's T rows about refreshing, over HTTP.
@Suite(.testBed(), .ownThread)
struct RefreshTests {
    private static let crowd = 50

    private func app() throws -> App {
        let bed = try TestBed.required
        return try App(try bed.service(), .north, bed.issuer, subject: "refresh-\(UInt64.random(in: 0...UInt64.max))")
    }

    private func row(_ app: App, _ columns: String) throws -> String {
        try TestBed.required.query("select \(columns) from session where session_id = \(try app.sessionID)").first ?? ""
    }

    /// As if that much time had passed since the newest token was first used.
    private func pass(_ seconds: Int, since app: App) throws {
        try TestBed.required.query(
            "update session set child_used_at = now() - interval '\(seconds) seconds' where session_id = \(try app.sessionID)"
        )
    }

    @Test("T-03 a dump of the database has no token, nor anything to make one of")
    func theDatabaseHasNoTokens() throws {
        let bed = try TestBed.required
        let first = try app()
        let apps = [first, try first.refreshed(), try app()]
        for app in apps { #expect(try app.status() == 200) }
        let dump = try bed.dump().lowercased()
        #expect(dump.contains(String(try first.sessionID)))
        for token in apps.flatMap({ [$0.accessToken, $0.refreshToken] }) {
            let bytes = Array(token.utf8)
            let signature = String(token.suffix(27))
            #expect(!dump.contains(token.lowercased()) && !dump.contains(signature.lowercased()))
            #expect(!dump.contains(SHA256.digest(of: bytes).hex))
            // Without its checksum, the code that makes it one of ours.
            if let body = Base64URL.decode(String(token.dropFirst(7))), body.count > 20 {
                #expect(!dump.contains(Hex.text(of: Array(body.dropLast(4).suffix(16)))))
            }
        }
        #expect(!dump.contains(String(repeating: "5a", count: 16)))
    }

    @Test("T-04 a hundred rotations, and the tokens before are dead")
    func aHundredRotations() throws {
        var apps = [try app()]
        for _ in 0..<100 { apps.append(try apps[apps.count - 1].refreshed()) }
        #expect(Set(apps.map(\.refreshToken)).count == 101 && Set(apps.map(\.accessToken)).count == 101)
        #expect(try row(apps[0], "generation") == "101")
        // Access tokens live their time: the session goes on.
        #expect(try [apps[0], apps[100]].map { try $0.status() } == [200, 200])
        let service = apps[0].service
        try expectProblem(try service.send(App.refresh(.north, apps[50].refreshToken)), 401, "invalid-refresh-token")
        try expectProblem(try service.send(App.refresh(.north, apps[100].refreshToken)), 401, "invalid-refresh-token")
    }

    @Test("T-05 fifty refreshes of one token at once: fifty times the same new token, one rotation")
    func fiftyAtOnce() throws {
        let app = try app()
        let connections = try (0..<Self.crowd).map { _ in try Connection(to: app.service.port) }
        let answers = try inParallel(Self.crowd) { try connections[$0].send(App.refresh(.north, app.refreshToken)) }
        #expect(answers.map(\.status) == Array(repeating: 200, count: Self.crowd))
        #expect(Set(try answers.map { try $0.string("refreshToken") }).count == 1)
        #expect(try row(app, "generation, ended_at is null") == "2|t")
        let next = try app.refreshed()
        #expect(try next.status() == 200)
    }

    @Test("T-06 an answer that a proxy dropped: the old token again gives the same new one")
    func aDroppedAnswer() throws {
        let app = try app()
        let relay = try Relay(to: .port(app.service.port))
        defer { relay.close() }
        relay.lose(.everything)
        let lost = try Connection(to: relay.port, patience: .milliseconds(300))
        #expect(throws: Connection.Broken.self) { try lost.send(App.refresh(.north, app.refreshToken)) }
        #expect(try waitUntil(.seconds(2)) { try row(app, "generation") == "2" })
        let next = try app.refreshed()
        #expect(try row(app, "generation") == "2")
        #expect(try next.status() == 200)
        // In use for less than a minute: once more, for an app that lost this answer too.
        #expect(try app.refreshed().refreshToken == next.refreshToken)
        try pass(61, since: app)
        try expectProblem(try app.service.send(App.refresh(.north, app.refreshToken)), 401, "invalid-refresh-token")
    }

    @Test("T-07 a token two generations old: 401, the session dead on every replica, an audit event without an address")
    func twoGenerationsBack() throws {
        let bed = try TestBed.required
        try bed.withReplicas(1) { replicas in
            let app = try app()
            let second = try app.refreshed(), third = try second.refreshed()
            let bystander = try self.app()
            let everywhere = [third, App(moving: third, to: replicas[0])]
            for app in everywhere { #expect(try app.status() == 200) }
            try expectProblem(try app.service.send(App.refresh(.north, app.refreshToken)), 401, "invalid-refresh-token")
            for app in everywhere { #expect(try waitUntil(Promise.news) { try app.status() == 401 }) }
            for token in [second, third].map(\.refreshToken) {
                for service in [app.service, replicas[0]] {
                    try expectProblem(try service.send(App.refresh(.north, token)), 401, "invalid-refresh-token")
                }
            }
            #expect(try row(app, "end_reason") == "reused")
            let trail = try bed.query(
                "select action, detail, address is null, request_id is not null from audit where target = '\(try app.sessionID)'"
                    + " and action = 'session.end'"
            )
            #expect(trail == ["session.end|refresh token reused: counter 1 of 3|t|t"])
            #expect(try bystander.status() == 200)
        }
    }

    @Test("T-07 the parent a minute after its child's first use is theft, too")
    func theParentTooLate() throws {
        let app = try app()
        let next = try app.refreshed()
        #expect(try next.status() == 200)
        try pass(59, since: app)
        #expect(try app.refreshed().refreshToken == next.refreshToken)
        try pass(61, since: app)
        try expectProblem(try app.service.send(App.refresh(.north, app.refreshToken)), 401, "invalid-refresh-token")
        #expect(try waitUntil(Promise.news) { try next.status() == 401 })
    }

    @Test(
        "T-12 an idle or outlived session takes its access token with it",
        arguments: ["idle_expires_at", "expires_at"]
    )
    func timesAreOver(_ column: String) throws {
        let bed = try TestBed.required
        let app = try app(), next = try self.app()
        func end(_ app: App, in length: String) throws {
            try bed.query(
                "update session set \(column) = now() + interval '\(length)' where session_id = \(try app.sessionID)"
            )
        }
        try end(app, in: "-1 second")
        #expect(try app.status() == 401)
        try expectProblem(try app.service.send(App.refresh(.north, app.refreshToken)), 401, "invalid-refresh-token")
        // A token that was seen before knows when its session ends.
        try end(next, in: "2 seconds")
        #expect(try next.status() == 200)
        #expect(try waitUntil(.seconds(4)) { try next.status() == 401 })
        try expectProblem(try next.service.send(App.refresh(.north, next.refreshToken)), 401, "invalid-refresh-token")
    }

    @Test("T-12 no token outlives the absolute end of its session")
    func tokensEndWithTheirSession() throws {
        let app = try app()
        try TestBed.required.query(
            "update session set expires_at = now() + interval '30 seconds' where session_id = \(try app.sessionID)"
        )
        let answer = try app.service.send(App.refresh(.north, app.refreshToken))
        for name in ["expiresIn", "refreshExpiresIn"] { #expect((25...30).contains(try answer.int(name))) }
    }

    /// Settings of the tenant act on running services, and on sessions that were there before.
    @Test func livesAreTheTenants() throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "short")
        try bed.administration.add(tenant, bed.issuer)
        let app = try App(try bed.service(), tenant, bed.issuer)
        #expect(try app.service.send(App.refresh(tenant, app.refreshToken)).int("refreshExpiresIn") == 30 * 86_400)
        try bed.administration.run("tenant update short --session-idle 20m --session-absolute 1d")
        let isSo = try waitUntil(Promise.news) {
            let app = try App(try bed.service(), tenant, bed.issuer)
            return try app.service.send(App.refresh(tenant, app.refreshToken)).int("refreshExpiresIn") == 1_200
        }
        #expect(isSo)
        try bed.query(
            "update session set rotated_at = now() - interval '21 minutes' where session_id = \(try app.sessionID)"
        )
        try expectProblem(try app.service.send(App.refresh(tenant, app.refreshToken)), 401, "invalid-refresh-token")
    }

    @Test func accessTokensLiveUpToATwentiethLess() throws {
        let lives = try (0..<30).map { _ in
            let app = try app()
            let claims = try app.claims
            return try #require(claims["exp"]?.int64) - #require(claims["iat"]?.int64)
        }
        #expect(lives.allSatisfy { (570...600).contains($0) } && Set(lives).count > 3, "\(lives)")
    }
}
