import ChilAuth
import ChilCore
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilRaster
import ChilStore
import Glibc

/// The process: loops on threads, one listener, one LISTEN connection, an orderly end.
struct ServiceProcess {
    private let shared: SharedState
    private let door: TLSDoor?

    /// - Throws: `ConfigurationFault` for a key file that cannot be used.
    init(_ configuration: ServiceConfiguration) throws {
        ProcessSecrecy.begin()
        let keys: KeyRing
        do {
            keys = try KeyRing(parsing: try KeyFile.read(configuration.keyFile))
        } catch let fault as KeyRing.Fault {
            throw ConfigurationFault("CHIL_KEY_FILE", ": \(fault)")
        }
        door = configuration.tls.isEmpty ? nil : TLSDoor(try TLSFiles.context(configuration.tls))
        shared = SharedState(configuration, keyRing: keys)
    }

    /// Serves until SIGTERM or SIGINT and returns when the last request is answered.
    func run() throws {
        var signal = StopSignal()
        let surroundings = Surroundings(shared.configuration)
        let isKnown = try surroundings.areRight()
        let listener = try Listener(on: shared.configuration.listen)
        var threads: [LoopThread] = []
        var servers: [HTTPLoop] = []
        var limits = ServerLimits()
        limits.connectionsMax = DescriptorLimit.connectionsPerLoop(
            of: DescriptorLimit.raise(),
            loops: shared.configuration.loops,
            atMost: limits.connectionsMax
        )
        for index in 0..<shared.configuration.loops {
            let thread = try LoopThread(index: index)
            let shared = shared
            servers.append(
                HTTPLoop(listener, limits, shared.balance, door, on: thread.loop) { APIService(shared, on: $0) }
            )
            threads.append(thread)
        }
        let worker = Worker(shared, on: threads[0].loop)
        for (server, thread) in zip(servers, threads) {
            start(server, thread.index == 0 ? worker : nil, on: thread.loop)
        }
        let news = News(shared, servers)
        let first = threads[0].loop
        first.post { news.open(on: first) }
        shared.log.write(
            .info,
            "listening",
            [
                ("address", "\(listener.address)"), ("publicURL", shared.configuration.publicURL),
                ("loops", "\(threads.count)"), ("roles", shared.configuration.roles.rawValue),
            ]
        )
        for path in shared.rasterizer.programs.missing {
            shared.log.write(.warning, "no pictures are made", [("remedy", RasterFault.programMissing(path).remedy)])
        }
        let isWrong = isKnown ? nil : surroundings.watch()
        signal.wait(reload)
        shared.log.write(.info, "stopping")
        worker.requestStop()
        for server in servers {
            server.requestStop()
            // A printer that does not answer holds nothing up for longer than requests may take.
            let loop = server.loop
            loop.post { loop.after(Self.stopPatience) { loop.stop() } }
        }
        for thread in threads { thread.join() }
        listener.close()
        shared.log.write(.info, "stopped")
        if let fault = isWrong?.withLock({ $0 }) { throw fault }
    }

    /// What cannot be used is not taken: the service goes on with what it has.
    private func reload() {
        guard let door else { return shared.log.write(.info, "nothing to read again", [("setting", TLSFiles.setting)]) }
        do throws(ConfigurationFault) {
            door.change(to: try TLSFiles.context(shared.configuration.tls))
            shared.log.write(.info, "certificates read again", [("count", "\(shared.configuration.tls.count)")])
        } catch {
            shared.log.write(.error, "certificates not read again", [("error", "\(error)")])
        }
    }

    private static let stopPatience = Duration.seconds(35)

    /// Runs until the server is done, and the worker if it is this loop's.
    private func start(_ server: HTTPLoop, _ worker: Worker?, on loop: EventLoop) {
        let log = shared.log
        Task(executorPreference: loop) {
            async let work: Void? = worker?.run()
            do {
                try await server.run()
            } catch {
                log.write(.error, "loop ended", [("error", "\(error)")])
            }
            await work
            loop.stop()
        }
    }
}
