import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop
import Foundation

/// An identity provider: makes tokens, publishes its keys under any path, and counts who asks for them.
final class TestIssuer: Sendable {
    /// Made once per run: RSA keys take their time.
    private static let keys = Result {
        (es256: SigningKey.es256(try ES256PrivateKey()), rs256: SigningKey.rs256(try RS256PrivateKey()))
    }

    let es256: DevelopmentTokenMaker
    let rs256: DevelopmentTokenMaker
    private let counts: FetchCounts
    private let listener: Listener
    private let thread: LoopThread
    private let server: HTTPLoop

    init() throws {
        let keys = try Self.keys.get()
        let es256 = DevelopmentTokenMaker(keyID: "es-1", key: keys.es256)
        let rs256 = DevelopmentTokenMaker(keyID: "rs-1", key: keys.rs256)
        let counts = FetchCounts()
        self.es256 = es256
        self.rs256 = rs256
        self.counts = counts
        listener = try Listener(on: SocketAddress(numericHost: "127.0.0.1", port: 0)!)
        thread = try LoopThread()
        var limits = ServerLimits()
        limits.idleGrace = .zero
        let answer = JWKSet.json(of: [es256.jwk, rs256.jwk])
        server = HTTPLoop(listener, limits, LoopBalance(), on: thread.loop) { _ in KeyHandler(answer, counts) }
        let (loop, server) = (thread.loop, server)
        Task(executorPreference: loop) {
            try? await server.run()
            loop.stop()
        }
    }

    var authority: String { "127.0.0.1:\(listener.address.port)" }
    var url: String { "http://\(authority)" }

    /// How often the keys under `/{name}` were asked for.
    func fetchCount(_ name: String) -> Int {
        counts.paths.withLock { $0["/\(name)", default: 0] }
    }

    func stop() {
        server.requestStop()
        thread.join()
        listener.close()
    }
}

private final class FetchCounts: Sendable {
    let paths = Locked<[String: Int]>([:])
}

private final class KeyHandler: RequestHandler {
    private let keySet: [UInt8]
    private let counts: FetchCounts

    init(_ keySet: [UInt8], _ counts: FetchCounts) {
        self.keySet = keySet
        self.counts = counts
    }

    func respond(to exchange: Exchange) async -> Response {
        let path = String(decoding: exchange.head.path, as: UTF8.self)
        counts.paths.withLock { $0[path, default: 0] += 1 }
        return Response(.ok, "application/json", .bytes(keySet))
    }

    func refusal(_ rejection: ChilHTTP.Rejection) -> Response {
        Response(rejection.status)
    }
}
