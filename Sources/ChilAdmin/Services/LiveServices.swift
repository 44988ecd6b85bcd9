import ChilCore
import ChilCrypto
import ChilDatabase
import ChilLoop
import Glibc

/// The services of the real world. Nothing is opened before it is needed.
///
/// Not `Sendable`: one command uses it, from one place.
final class LiveServices: AdminServices {
    let settings: Settings
    /// For what a long command says while it runs.
    let talk: (String) -> Void
    let progressStyle: Progress.Style
    let numbers = NumberSource()
    private var thread: LoopThread?
    var openDatabase: SharedDatabase?
    /// All of the command goes into it.
    var held: HeldTransaction?
    var isDryRun = false
    /// What was typed, by flag.
    var handedSecrets: [String: [UInt8]] = [:]
    /// What standard input held, once it was read.
    var input: SecretBytes?

    init(settings: Settings, progress: Progress.Style = .plain, talk: @escaping (String) -> Void) {
        self.settings = settings
        progressStyle = progress
        self.talk = talk
    }

    /// The loop that sockets live on, on a thread of its own.
    func loop() throws(AdminFault) -> EventLoop {
        if let thread { return thread.loop }
        do {
            let started = try LoopThread()
            thread = started
            return started.loop
        } catch {
            throw AdminFault(
                .internalFault,
                "no event loop: \(error)",
                remedy: "Raise the limit of open files (ulimit -n)."
            )
        }
    }

    /// The database as the operator's role. Connecting begins with the first batch.
    func database() throws(AdminFault) -> SharedDatabase {
        if let openDatabase { return openDatabase }
        var configuration = try databaseConfiguration()
        configuration.readConnections = 1
        configuration.writeConnections = 1
        configuration.bulkConnections = 0
        let opened = SharedDatabase(configuration, on: try loop())
        openDatabase = opened
        return opened
    }

    /// Right behind any pooler and in a distributed database too: an operator can wait for it.
    func databaseConfiguration() throws(AdminFault) -> DatabaseConfiguration {
        var configuration = DatabaseConfiguration(url: try settings.requireDatabaseURL())
        configuration.form = .explicit
        configuration.naming = .unnamed
        configuration.held = held
        return configuration
    }

    /// libpq repeats an address that it cannot read, password and all: it is taken out.
    func fault(_ error: DatabaseError) -> AdminFault {
        let fault = AdminFault(error)
        guard let url = settings.databaseURL else { return fault }
        return AdminFault(fault.status, fault.message.replacing(url, with: "(address)"), remedy: fault.remedy)
    }

    /// Gives up the connections; the next question opens others.
    func closeDatabase() async {
        await openDatabase?.close()
        openDatabase = nil
    }

    func close() async {
        await held?.close()
        await closeDatabase()
        thread?.loop.stop()
        thread?.join()
        thread = nil
    }

    func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
