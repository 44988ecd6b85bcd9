import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAPI

/// Key sets from an issuer that misbehaves.
@Suite(.ownThread) struct KeySetCacheTests {
    private static let key = Result { try ES256PrivateKey() }

    private static func set(_ keyID: String, _ key: ES256PrivateKey? = nil) throws -> [UInt8] {
        JWKSet.json(of: [JWK(keyID: keyID, key: .es256(try (key ?? Self.key.get()).publicKey))])
    }

    private static func allowing(_ server: RawServer) -> AddressGuard {
        AddressGuard(allowing: [AddressGuard.Exception(host: "127.0.0.1", port: server.port)])
    }

    private static var now: Timestamp { Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) }

    private static func keep(_ home: FetcherHome, _ server: RawServer, _ set: [UInt8], age: Duration) -> KeySetName {
        let name = KeySetName(server.url, allowing(server))
        home.shelf.rows.withLock { $0[name] = MemoryShelf.Kept(body: set, fetchedAt: now - age) }
        return name
    }

    /// An answer that is no key set.
    struct BadAnswer: Sendable, CustomTestStringConvertible {
        let name: String
        let script: @Sendable (_ elsewhere: RawServer) throws -> RawServer.Script
        var testDescription: String { name }

        static func body(_ name: String, _ text: String, _ fields: [String] = []) -> BadAnswer {
            BadAnswer(name: name) { _ in .answer("200 OK", fields, Array(text.utf8)) }
        }

        static let all: [BadAnswer] = [
            BadAnswer(name: "500 with a good set") { _ in .answer("500 Oops", [], try set("known")) },
            BadAnswer(name: "204") { _ in .bytes("HTTP/1.1 204 No Content\r\n\r\n") },
            BadAnswer(name: "206 with a good set") { _ in .answer("206 Partial Content", [], try set("known")) },
            BadAnswer(name: "404") { _ in .answer("404 Not Found") },
            body("HTML", "<!doctype html><title>maintenance</title>", ["Content-Type: text/html"]),
            body("empty", ""), body("an empty object", "{}"), body("no key in it", "{\"keys\":[]}"),
            body("keys is an object", "{\"keys\":{}}"),
            body("a symmetric key alone", "{\"keys\":[{\"kty\":\"oct\",\"kid\":\"known\",\"k\":\"AAAA\"}]}"),
            body("keys twice", "{\"keys\":[],\"keys\":[]}"), body("cut", "{\"keys\":[{\"kty\":\"EC\","),
            BadAnswer(name: "cut below its length") { _ in
                let set = try set("known")
                return .bytes(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(set.count + 9)\r\n\r\n\(String(decoding: set, as: UTF8.self))"
                )
            },
            BadAnswer(name: "10 MB") { _ in
                .answer("200 OK", [], Array(repeating: UInt8(ascii: " "), count: 10 << 20) + (try set("known")))
            },
            BadAnswer(name: "10 MB in chunks") { _ in
                let chunk = Array("8000\r\n\(String(repeating: " ", count: 0x8000))\r\n".utf8)
                let head = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
                return RawServer.Script(pieces: [(.zero, head)] + Array(repeating: (.zero, chunk), count: 320))
            },
            BadAnswer(name: "gzip said") { _ in .answer("200 OK", ["Content-Encoding: gzip"], try set("known")) },
            BadAnswer(name: "a gzip bomb") { _ in
                .answer(
                    "200 OK",
                    ["Content-Encoding: gzip"],
                    [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 64)
                )
            },
            BadAnswer(name: "a redirect to itself") { _ in .answer("302 Found", ["Location: /"]) },
            BadAnswer(name: "a redirect elsewhere at the same host") { elsewhere in
                .answer("307 Temporary Redirect", ["Location: \(elsewhere.url)/keys"], try set("known"))
            },
            BadAnswer(name: "a redirect to the cloud's metadata") { _ in
                .answer("301 Moved Permanently", ["Location: http://169.254.169.254/latest/meta-data/"])
            },
            BadAnswer(name: "no HTTP") { _ in .bytes("SSH-2.0-OpenSSH_9.2\r\n") },
            BadAnswer(name: "nothing but the end") { _ in .bytes("") },
            BadAnswer(name: "head without end") { _ in
                .bytes(
                    "HTTP/1.1 200 OK\r\n"
                        + String(repeating: "X-A: \(String(repeating: "a", count: 900))\r\n", count: 200)
                )
            },
        ]
    }

    @Test(arguments: BadAnswer.all)
    func aBadAnswerIsNoSetAndEmptiesNone(_ bad: BadAnswer) async throws {
        let elsewhere = try RawServer(.json(Self.set("known")))
        let server = try RawServer(try bad.script(elsewhere))
        defer { server.stop(); elsewhere.stop() }
        let addressGuard = Self.allowing(server)
        try await FetcherHome.with { home in
            #expect(await home.keyIDs(server.url, holding: "known", addressGuard) == nil)
            #expect(home.shelf.rows.withLock { $0.isEmpty })
            #expect(server.connections == 1)
        }
        // Seven hours old: past its soft life. Nobody waits for the bad answer, and it changes nothing.
        try await FetcherHome.with { home in
            let name = Self.keep(home, server, try Self.set("known"), age: .seconds(7 * 3_600))
            for _ in 0..<2 {
                #expect(await home.keyIDs(server.url, holding: "known", addressGuard) == ["known"])
                waitUntil(.seconds(2)) { server.connections == 2 }
            }
            #expect(server.connections == 2)
            #expect(home.shelf.rows.withLock { $0[name]?.body } == (try Self.set("known")))
        }
        #expect(elsewhere.connections == 0)
    }

    /// A byte a second would last for hours: five seconds is all it gets, and nobody with a known key feels them.
    @Test func aSlowDripIsCutOff() async throws {
        let drip = [(pause: Duration.seconds(1), bytes: [UInt8(ascii: " ")])]
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n".utf8)
        let server = try RawServer(RawServer.Script(pieces: [(.zero, head)] + Array(repeating: drip[0], count: 60)))
        defer { server.stop() }
        try await FetcherHome.with { home in
            _ = Self.keep(home, server, try Self.set("known"), age: .seconds(7 * 3_600))
            let begun = ContinuousClock.now
            #expect(await home.keyIDs(server.url, holding: "known", Self.allowing(server)) == ["known"])
            // Well within the time of the fetch, which has only begun.
            #expect(
                ContinuousClock.now - begun < min(Duration.seconds(1).patient, KeySetFetcher.patience - .seconds(1))
            )
            // Who needs another key waits for the fetch that runs, and no longer than it may take.
            #expect(await home.keyIDs(server.url, holding: "other", Self.allowing(server)) == ["known"])
            let elapsed = ContinuousClock.now - begun
            #expect(elapsed > KeySetFetcher.patience - .seconds(1))
            #expect(elapsed < KeySetFetcher.patience + Duration.seconds(2).patient)
            #expect(server.connections == 1)
        }
    }

    @Test func ofAHundredWhoNeedASetOneFetches() async throws {
        var script = RawServer.Script.json(try Self.set("known"))
        script.pieces[0].pause = .milliseconds(200)
        let server = try RawServer(script)
        defer { server.stop() }
        let addressGuard = Self.allowing(server)
        let answers = try await FetcherHome.with { home in
            await withTaskGroup(of: [String]?.self) { group in
                for _ in 0..<100 {
                    group.addTask { await home.keyIDs(server.url, holding: "known", addressGuard) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(answers.count == 100 && answers.allSatisfy { $0 == ["known"] })
        #expect(server.connections == 1)
    }

    /// The issuer is down at the start: what was kept serves, for a day from its fetch.
    @Test(arguments: [(Duration.seconds(60), true), (.seconds(23 * 3_600), true), (.seconds(24 * 3_600 + 60), false)])
    func aStartWithoutTheIssuerServesWhatWasKept(_ age: Duration, _ serves: Bool) async throws {
        let server = try RawServer(.bytes(""))
        server.stop()
        try await FetcherHome.with { home in
            _ = Self.keep(home, server, try Self.set("known"), age: age)
            let keyIDs = await home.keyIDs(server.url, holding: "known", Self.allowing(server))
            #expect(keyIDs == (serves ? ["known"] : nil))
        }
    }

    @Test("J-15 a rotation is found by one fetch, and both keys serve")
    func aRotationIsFoundByOneFetch() async throws {
        let (old, new) = (try ES256PrivateKey(), try ES256PrivateKey())
        let both = JWKSet.json(of: [
            JWK(keyID: "old", key: .es256(old.publicKey)), JWK(keyID: "new", key: .es256(new.publicKey)),
        ])
        let server = try RawServer(.json(both))
        defer { server.stop() }
        try await FetcherHome.with { home in
            let name = Self.keep(home, server, try Self.set("old", old), age: .seconds(61))
            let addressGuard = Self.allowing(server)
            #expect(await home.keyIDs(server.url, holding: "old", addressGuard) == ["old"])
            #expect(server.connections == 0)
            #expect(await home.keyIDs(server.url, holding: "new", addressGuard) == ["old", "new"])
            #expect(await home.keyIDs(server.url, holding: "old", addressGuard) == ["old", "new"])
            #expect(server.connections == 1)
            #expect(home.shelf.rows.withLock { $0[name]?.body } == both)
            // A key that nobody has: no more fetches so soon.
            for _ in 0..<100 { _ = await home.keyIDs(server.url, holding: "never", addressGuard) }
            #expect(server.connections == 1)
        }
    }

    @Test func anotherKeyUnderTheSameKidIsFoundByOneFetch() async throws {
        let (old, new, stranger) = (try ES256PrivateKey(), try ES256PrivateKey(), try ES256PrivateKey())
        let server = try RawServer(.json(try Self.set("kid", new)))
        defer { server.stop() }
        try await FetcherHome.with { home in
            _ = Self.keep(home, server, try Self.set("kid", old), age: .seconds(61))
            let addressGuard = Self.allowing(server)
            func isAccepted(_ key: ES256PrivateKey) async throws -> Bool {
                let maker = DevelopmentTokenMaker(keyID: "kid", key: .es256(key))
                switch await home.verified(try Self.token(maker, server.url), addressGuard) {
                case .success: return true
                case .failure(.rejected(let rejection)):
                    #expect(rejection == .badSignature)
                    return false
                case .failure(.away): throw Program.Failure(description: "away")
                }
            }
            #expect(try await isAccepted(old))
            #expect(server.connections == 0)
            #expect(try await isAccepted(new))
            #expect(server.connections == 1)
            for _ in 0..<50 { #expect(try await !isAccepted(stranger)) }
            #expect(try await !isAccepted(old))
            #expect(try await isAccepted(new))
            #expect(server.connections == 1)
        }
    }

    /// What the operator allowed for one record is neither used by another, nor spoilt by it.
    @Test func anExceptionServesItsOwnRecordAlone() async throws {
        let server = try RawServer(.json(try Self.set("known")))
        defer { server.stop() }
        let allowed = Self.allowing(server)
        try await FetcherHome.with { home in
            for (addressGuard, expected) in [
                (AddressGuard(), nil), (allowed, ["known"]), (AddressGuard(), nil), (allowed, ["known"]),
            ]
                as [(AddressGuard, [String]?)]
            {
                #expect(await home.keyIDs(server.url, holding: "known", addressGuard) == expected)
            }
            let other = AddressGuard(allowing: [AddressGuard.Exception(host: "127.0.0.1", port: server.port &+ 1)])
            #expect(await home.keyIDs(server.url, holding: "known", other) == nil)
        }
        #expect(server.connections == 1)
    }

    /// The process ends: whoever waits is told, and nothing goes out any more.
    @Test func nothingIsFetchedAfterTheEnd() async throws {
        let server = try RawServer(.json(try Self.set("known")))
        defer { server.stop() }
        try await FetcherHome.with { home in
            _ = Self.keep(home, server, try Self.set("known"), age: .seconds(7 * 3_600))
            home.cache.close()
            #expect(await home.keyIDs(server.url, holding: "known", Self.allowing(server)) == nil)
        }
        #expect(server.connections == 0)
    }

    private static func token(_ maker: DevelopmentTokenMaker, _ url: String) throws -> PrecheckedToken {
        let claims = """
            {"iss":"https://issuer.example","aud":"app","sub":"me","iat":\(now.seconds),"exp":\(now.seconds + 600)}
            """
        let provider = ChilAuth.ProviderRecord(
            id: ProviderID(rawValue: 1),
            issuers: ["https://issuer.example"],
            clientIDs: ["app"],
            jwksURL: url,
            noncePolicy: .optional
        )
        let precheck = IdentityVerifier.precheck(
            try maker.token(claims: Array(claims.utf8)),
            providers: [provider],
            nonce: nil,
            userID: nil,
            at: now
        )
        guard case .needsKey(let token) = precheck else { throw Program.Failure(description: "\(precheck)") }
        return token
    }
}
