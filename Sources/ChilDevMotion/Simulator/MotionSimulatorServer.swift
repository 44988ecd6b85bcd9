import ChilHTTP
import ChilLoop

/// A `MotionSimulator` on a port of this machine, with a thread of its own: for tests.
package final class MotionSimulatorServer: Sendable {
    package let simulator: MotionSimulator
    private let listener: Listener
    private let thread: LoopThread
    private let server: HTTPLoop

    package init(_ simulator: MotionSimulator) throws {
        self.simulator = simulator
        listener = try Listener(on: SocketAddress(family: .ipv4, octets: [127, 0, 0, 1], port: 0))
        thread = try LoopThread()
        var limits = ServerLimits()
        limits.idleGrace = .zero
        limits.stopPatience = .seconds(1)
        server = HTTPLoop(listener, limits, LoopBalance(), on: thread.loop) { loop in
            MotionSimulatorHandler(simulator, on: loop)
        }
        let (loop, server) = (thread.loop, server)
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
