import ChilAuth
import ChilCore
import ChilCrypto
import ChilTestSupport
import Foundation
import Testing

/// Key sets as a running service has them: fetched once, kept in PostgreSQL, found anew after a rotation.
@Suite(.testBed(), .ownThread, .serialized)
struct KeyFetchTests {
    /// A tenant with an issuer of its own, which publishes what the test says.
    private struct Stage {
        let bed: TestBed
        let tenant: Tenant
        let server: RawServer
        let service: Service

        init(_ slug: String, _ keys: [DevelopmentTokenMaker]) throws {
            bed = try TestBed.required
            service = try bed.service()
            tenant = Tenant(slug: slug)
            server = try RawServer(.json(JWKSet.json(of: keys.map(\.jwk))))
            try bed.administration.create(slug)
            try bed.administration.run(
                "client add \(slug) --client-id \(tenant.clientID) --issuer \(bed.issuer.url) --development"
                    + " --jwks-url \(server.url)/keys --allow-private 127.0.0.1:\(server.port)"
            )
        }

        func publish(_ keys: [DevelopmentTokenMaker]) {
            server.answer(with: .json(JWKSet.json(of: keys.map(\.jwk))))
        }

        /// A sign-in with a fresh nonce and a fresh person.
        func request(_ maker: DevelopmentTokenMaker) throws -> Request {
            let nonce = try App.nonce(service, tenant)
            return App.signIn(tenant, try IdentityToken(bed.issuer, tenant, nonce: nonce).signed(maker), nonce)
        }

        func status(_ maker: DevelopmentTokenMaker) throws -> Int { try service.send(try request(maker)).status }

        /// As if the set had been fetched so long ago.
        func keep(_ keys: [DevelopmentTokenMaker], age: Duration) throws {
            let set = String(decoding: JWKSet.json(of: keys.map(\.jwk)), as: UTF8.self)
            try bed.query(
                """
                insert into key_set values ('\(server.url)/keys', true, convert_to('\(set)', 'UTF8'), now() - interval '\(age.components.seconds) s')
                    on conflict (url, is_exception) do update set body = excluded.body, fetched_at = excluded.fetched_at
                """
            )
        }
    }

    private static func maker(_ keyID: String) throws -> DevelopmentTokenMaker {
        DevelopmentTokenMaker(keyID: keyID, key: .es256(try ES256PrivateKey()))
    }

    @Test("J-14 a thousand unknown kids cost one fetch, and nobody with a known one waits for it")
    func aThousandUnknownKids() throws {
        let known = try Self.maker("known")
        let stage = try Stage("flood", [known])
        defer { stage.server.stop() }
        try stage.keep([known], age: .seconds(600))
        #expect(try stage.status(known) == 200)
        #expect(stage.server.connections == 0)
        // From now on the issuer takes its time.
        var slow = RawServer.Script.json(JWKSet.json(of: [known.jwk]))
        slow.pieces[0].pause = .seconds(4)
        stage.server.answer(with: slow)
        let good = try (0..<4).map { _ in try stage.request(known) }
        let connections = try (0..<24).map { _ in try Connection(to: stage.service.port) }
        let begun = ContinuousClock.now
        let statuses = try inParallel(24) { index in
            let connection = connections[index]
            guard index >= good.count else {
                // Once the strangers' fetch is under way; it still is when the answer has come.
                waitUntil(.seconds(5)) { stage.server.connections > 0 }
                let status = try connection.send(good[index]).status
                return [status, stage.server.connections, stage.server.answers]
            }
            return try (0..<50).map { _ in
                let stranger = DevelopmentTokenMaker(keyID: UUID().uuidString, key: known.key)
                return try connection.send(try stage.request(stranger)).status
            }
        }
        #expect(statuses[..<good.count].allSatisfy { $0 == [200, 1, 0] }, "\(statuses[..<good.count])")
        #expect(statuses[good.count...].allSatisfy { $0 == Array(repeating: 401, count: 50) })
        // One a minute: where a thousand take longer there is another.
        #expect(stage.server.connections <= 1 + Int((ContinuousClock.now - begun) / .seconds(60)))
    }

    @Test("J-15 a rotation: the new kid is accepted after one fetch, the old one until it is taken away")
    func rotation() throws {
        let (old, new) = (try Self.maker("old"), try Self.maker("new"))
        let stage = try Stage("rotating", [old, new])
        defer { stage.server.stop() }
        try stage.keep([old], age: .seconds(61))
        #expect(try stage.status(old) == 200)
        #expect(stage.server.connections == 0)
        #expect(try stage.status(new) == 200)
        #expect(try stage.status(old) == 200)
        #expect(stage.server.connections == 1)
        // It is kept for the next start, and for the other replicas.
        let kept = try stage.bed.query(
            "select convert_from(body, 'UTF8') from key_set where url = '\(stage.server.url)/keys' and is_exception"
        )
        #expect(kept.count == 1 && kept[0].contains("\"new\""))
        // The old one is taken away. Nobody asks before the set is six hours old, and then it serves once more, for the next to find.
        stage.publish([new])
        #expect(try stage.status(old) == 200)
        #expect(stage.server.connections == 1)
        try stage.keep([old, new], age: .seconds(6 * 3_600 + 1))
        let later = try stage.bed.start(["CHIL_LOOPS": "1"])
        defer { later.program.signal(SIGKILL) }
        #expect(try later.send(stage.request(old)).status == 200)
        #expect(try waitUntil(.seconds(5)) { try later.send(stage.request(old)).status == 401 })
        try expectProblem(try later.send(stage.request(old)), 401, "invalid-identity-token")
        #expect(try later.send(stage.request(new)).status == 200)
        #expect(stage.server.connections == 2)
        #expect(try later.stop() == 0)
    }

    @Test("J-15 another key under the same kid is accepted after one fetch")
    func anotherKeyUnderTheSameKid() throws {
        let (old, new, stranger) = (try Self.maker("kid"), try Self.maker("kid"), try Self.maker("kid"))
        let stage = try Stage("replaced", [new])
        defer { stage.server.stop() }
        try stage.keep([old], age: .seconds(61))
        #expect(try stage.status(old) == 200)
        #expect(try stage.status(new) == 200)
        for _ in 0..<5 { #expect(try stage.status(stranger) == 401) }
        #expect(try stage.status(old) == 401)
        #expect(try stage.status(new) == 200)
        #expect(stage.server.connections == 1)
    }

    /// Both loops of the service, at once, with nothing known: one fetch.
    @Test func bothLoopsShareOneFetch() throws {
        let maker = try Self.maker("key")
        let stage = try Stage("shared", [maker])
        defer { stage.server.stop() }
        let requests = try (0..<40).map { _ in try stage.request(maker) }
        let connections = try requests.map { _ in try Connection(to: stage.service.port) }
        let answers = try inParallel(requests.count) { try connections[$0].send(requests[$0]).status }
        #expect(Set(answers) == [200])
        #expect(stage.server.connections == 1)
    }

    /// A service that starts while the issuer is down.
    @Test func aStartWithoutTheIssuer() throws {
        let maker = try Self.maker("key")
        let stage = try Stage("orphan", [maker])
        #expect(try stage.status(maker) == 200)
        stage.server.stop()
        let log = stage.bed.folder.appendingPathComponent("orphan.log")
        let late = try Service(stage.bed.settings.merging(["CHIL_LOOPS": "1"]) { $1 }, log: log)
        let nonce = try App.nonce(late, stage.tenant)
        let token = try IdentityToken(stage.bed.issuer, stage.tenant, nonce: nonce).signed(maker)
        let answer = try late.send(App.signIn(stage.tenant, token, nonce))
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try late.stop() == 0)
    }

    /// Without any set: 503 that says when to come again, and the sign-in works once the issuer is there.
    @Test func anIssuerThatComesBack() throws {
        let maker = try Self.maker("key")
        let stage = try Stage("returning", [maker])
        defer { stage.server.stop() }
        stage.server.answer(with: .answer("500 Oops"))
        let request = try stage.request(maker)
        let answer = try stage.service.send(request)
        try expectProblem(answer, 503, "identity-provider-away")
        #expect(answer["Retry-After"] == "5")
        stage.publish([maker])
        #expect(try waitUntil(.seconds(5)) { try stage.service.send(request).status == 200 })
    }
}
