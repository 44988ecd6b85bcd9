import ChilAuth
import ChilCore
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilStore
import Glibc

/// The process: loops on threads, one listener, one LISTEN connection, an orderly end.
struct ServiceProcess {
    private let shared: SharedState

    /// - Throws: `ConfigurationFault` for a key file that cannot be used.
    init(_ configuration: ServiceConfiguration) throws {
        let keys: KeyRing
        do {
            keys = try KeyRing(parsing: try KeyFile.read(configuration.keyFile))
        } catch let fault as KeyRing.Fault {
            throw ConfigurationFault("CHIL_KEY_FILE", ": \(fault)")
        }
        shared = SharedState(configuration, keyRing: keys)
    }

    /// Serves until SIGTERM or SIGINT and returns when the last request is answered.
    func run() throws {
        var signal = StopSignal()
        let listener = try Listener(on: shared.configuration.listen)
        var threads: [LoopThread] = []
        var servers: [HTTPLoop] = []
        for index in 0..<shared.configuration.loops {
            let thread = try LoopThread(index: index)
            let shared = shared
            servers.append(
                HTTPLoop(listener, ServerLimits(), shared.balance, on: thread.loop) { APIService(shared, on: $0) }
            )
            threads.append(thread)
        }
        let news = News(shared, servers)
        for (server, thread) in zip(servers, threads) {
            let log = shared.log
            Task(executorPreference: thread.loop) {
                do {
                    try await server.run()
                } catch {
                    log.write(.error, "loop ended", [("error", "\(error)")])
                }
                thread.loop.stop()
            }
        }
        if let loop = threads.first?.loop { loop.post { news.open(on: loop) } }
        shared.log.write(
            .info,
            "listening",
            [
                ("address", "\(listener.address)"), ("publicURL", shared.configuration.publicURL),
                ("loops", "\(threads.count)"),
            ]
        )
        signal.wait()
        shared.log.write(.info, "stopping")
        for server in servers { server.requestStop() }
        for thread in threads { thread.join() }
        listener.close()
        shared.log.write(.info, "stopped")
    }
}
