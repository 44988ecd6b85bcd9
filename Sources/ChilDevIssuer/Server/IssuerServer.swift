package import ChilCore
import ChilHTTP
import ChilLoop

/// A `DevelopmentIssuer` on a port of this machine, with a thread of its own: for tests and tools.
package final class IssuerServer: Sendable {
    package let issuer: DevelopmentIssuer
    private let listener: Listener
    private let thread: LoopThread
    private let server: HTTPLoop

    /// Binds a port first, since an issuer is called by its address: `make` is given `http://127.0.0.1:PORT`.
    ///
    /// - Parameter clock: what time it is for the issuer; nil: the wall clock.
    package init(
        clock: (@Sendable () -> Timestamp)? = nil,
        _ make: (_ origin: String) throws -> DevelopmentIssuer
    ) throws {
        let listener = try Listener(on: SocketAddress(family: .ipv4, octets: [127, 0, 0, 1], port: 0))
        let issuer = try make("http://127.0.0.1:\(listener.address.port)")
        let thread = try LoopThread()
        var limits = ServerLimits()
        limits.idleGrace = .zero
        limits.stopPatience = .seconds(1)
        let server = HTTPLoop(listener, limits, LoopBalance(), on: thread.loop) { loop in
            IssuerHandler(issuer, on: loop, clock: clock)
        }
        self.issuer = issuer
        self.listener = listener
        self.thread = thread
        self.server = server
        let loop = thread.loop
        Task(executorPreference: loop) {
            try? await server.run()
            loop.stop()
        }
    }

    /// `127.0.0.1:PORT`, as `--allow-private` wants it.
    package var authority: String { "127.0.0.1:\(listener.address.port)" }
    package var origin: String { "http://\(authority)" }

    /// Stops serving. Not from its own loop.
    package func stop() {
        server.requestStop()
        thread.join()
        listener.close()
    }
}
