import ChilCore
import ChilDatabase
import Dispatch
import Glibc

/// Whether the settings fit what stands between the service and its rows: a pooler, a distributed database. A wrong combination would
/// not fail but answer wrongly now and then, so the service does not run with one.
struct Surroundings: Sendable {
    private let configuration: ServiceConfiguration

    init(_ configuration: ServiceConfiguration) {
        self.configuration = configuration
    }

    /// Asks the database. False: it cannot be asked now. Blocks for some seconds at most.
    ///
    /// - Throws: `ConfigurationFault` with the reason and what to set.
    func areRight() throws(ConfigurationFault) -> Bool {
        guard let database = ConnectionProbe(of: configuration.database.url).findings() else { return false }
        try Self.check(database, configuration.database)
        guard let url = configuration.listenDatabaseURL else { return true }
        if url == configuration.database.url {
            try Self.check(listening: database)
        } else {
            guard let announcements = ConnectionProbe(of: url).findings() else { return false }
            try Self.check(listening: announcements)
        }
        return true
    }

    static func check(_ found: ConnectionProbe.Findings, _ database: DatabaseConfiguration) throws(ConfigurationFault) {
        if database.naming == .named, !found.keepsPreparedStatements {
            throw ConfigurationFault(
                "CHIL_STATEMENTS",
                "must be unnamed: CHIL_DATABASE_URL leads to a pooler that mixes up sessions' prepared statements"
                    + " (PgBouncer before 1.21, or without max_prepared_statements)"
            )
        }
        if database.form == .implicit, found.isDistributed {
            throw ConfigurationFault(
                "CHIL_SEGMENT",
                "must be explicit: this database is distributed, and a batch without BEGIN is no transaction there"
            )
        }
    }

    static func check(listening found: ConnectionProbe.Findings) throws(ConfigurationFault) {
        guard found.isPooled else { return }
        throw ConfigurationFault(
            "CHIL_LISTEN_DATABASE_URL",
            "must lead to PostgreSQL itself: behind a pooler announcements are not heard. Set a direct address, or none to do without"
        )
    }

    /// Asks again until the database answers. If the settings are wrong then, the process is told to stop, and the fault is there.
    func watch() -> Locked<ConfigurationFault?> {
        let fault = Locked<ConfigurationFault?>(nil)
        ask(again: fault)
        return fault
    }

    private func ask(again fault: Locked<ConfigurationFault?>) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.pauseSeconds)) {
            do throws(ConfigurationFault) {
                if try !areRight() { ask(again: fault) }
            } catch {
                fault.withLock { $0 = error }
                kill(getpid(), SIGTERM)
            }
        }
    }

    private static let pauseSeconds = 1
}
