import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop
import Testing

@testable import ChilAPI

/// An issuer at 127.0.0.1 that publishes one key, `known`, and counts who asks.
private final class Issuer: RequestHandler {
    static let asked = Locked(0)
    private let set: [UInt8]

    init(_ key: ES256PublicKey) {
        set = JWKSet.json(of: [JWK(keyID: "known", key: .es256(key))])
    }

    func respond(to exchange: Exchange) async -> Response {
        Self.asked.withLock { $0 += 1 }
        return Response(.ok, "application/json", .bytes(set))
    }

    func refusal(_ rejection: ChilHTTP.Rejection) -> Response { Response(rejection.status) }
}

@Suite struct KeySetCacheTests {
    /// What the operator allowed for one record is neither used by another, nor spoilt by it.
    @Test func anExceptionServesItsOwnRecordAlone() async throws {
        let listener = try Listener(on: #require(SocketAddress(numericHost: "127.0.0.1", port: 0)))
        let key = try ES256PrivateKey().publicKey
        let thread = try LoopThread()
        let server = HTTPLoop(listener, ServerLimits(), LoopBalance(), on: thread.loop) { _ in Issuer(key) }
        let running = Task(executorPreference: thread.loop) { try await server.run() }
        let port = listener.address.port
        let url = "http://127.0.0.1:\(port)/keys"
        let cache = KeySetCache(log: ServiceLog(form: .off))
        let allowed = AddressGuard(allowing: [AddressGuard.Exception(host: "127.0.0.1", port: port)])
        let answers = await LoopHome(thread.loop).run { loop in
            var answers: [Bool] = []
            for addressGuard in [AddressGuard(), allowed, AddressGuard(), allowed] {
                switch await cache.keys(url, holding: "known", addressGuard, on: loop) {
                case .keys(let keys): answers.append(keys["known"] != nil)
                case .away: answers.append(false)
                }
            }
            return answers
        }
        #expect(answers == [false, true, false, true])
        #expect(Issuer.asked.withLock { $0 } == 1)
        server.requestStop()
        try await running.value
        thread.loop.stop()
        thread.join()
        listener.close()
    }
}
