import ChilCore
import Glibc

/// Tells the operator why there is no connection to PostgreSQL, whichever of a process's connections found out.
final class ConnectionLog: Sendable {
    private let setting: String
    private let log: ServiceLog
    private let news = Locked(TroubleNews())

    /// - Parameter setting: which one says where it leads.
    init(_ setting: String, _ log: ServiceLog) {
        self.setting = setting
        self.log = log
    }

    /// - Parameter failure: libpq's words; `nil`: there is a connection.
    func heard(_ failure: String?) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        switch news.withLock({ $0.heard(failure, at: now) }) {
        case nil: break
        case .fault(let reason):
            log.write(
                .warning,
                "no connection to PostgreSQL",
                [("setting", setting), ("reason", reason), ("remedy", Self.remedy(setting))]
            )
        case .over: log.write(.info, "PostgreSQL answers", [("setting", setting)])
        }
    }

    private static func remedy(_ setting: String) -> String {
        "check the host, the port, the role, its password and the database in \(setting), and that PostgreSQL runs there;"
            + " `chiladmin migrate` makes the roles and the schema"
    }
}
