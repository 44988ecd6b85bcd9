import ChilHTTP
import ChilLoop

/// An `EpsonSimulator` on two ports of this machine, as Epson has other hosts for uploads; with a thread of its own: for tests.
package final class EpsonSimulatorServer: Sendable {
    package let simulator: EpsonSimulator
    package let origin: String
    package let uploadOrigin: String
    private let listeners: [Listener]
    private let thread: LoopThread
    private let servers: [HTTPLoop]

    package init(
        _ settings: EpsonSimulatorSettings = EpsonSimulatorSettings(),
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) throws {
        let listeners = try (0..<2).map { _ in
            try Listener(on: SocketAddress(family: .ipv4, octets: [127, 0, 0, 1], port: 0))
        }
        self.listeners = listeners
        origin = "http://127.0.0.1:\(listeners[0].address.port)"
        uploadOrigin = "http://127.0.0.1:\(listeners[1].address.port)"
        var settings = settings
        settings.uploadOrigin = uploadOrigin
        let simulator = EpsonSimulator(settings, clock: clock)
        self.simulator = simulator
        thread = try LoopThread()
        var limits = ServerLimits()
        limits.idleGrace = .zero
        limits.stopPatience = .seconds(1)
        let loop = thread.loop
        servers = listeners.map { listener in
            HTTPLoop(listener, limits, LoopBalance(), on: loop) { loop in EpsonSimulatorHandler(simulator, on: loop) }
        }
        let servers = servers
        Task(executorPreference: loop) {
            await withTaskGroup(of: Void.self) { group in
                for server in servers { group.addTask(executorPreference: loop) { try? await server.run() } }
            }
            loop.stop()
        }
    }

    /// Stops serving. Not from its own loop.
    package func stop() {
        for server in servers { server.requestStop() }
        thread.join()
        for listener in listeners { listener.close() }
    }
}
