/// How the command ends, by the numbers of BSD's `sysexits.h` where one fits.
///
/// Published: scripts branch on them, so a number is never given another meaning.
enum ExitCode: Int32, Sendable, CaseIterable {
    case success = 0
    case failed = 1
    case cancelled = 2
    case notAuthenticated = 4
    case usage = 64
    case dataRefused = 65
    case notFound = 67
    case databaseAway = 69
    case internalFault = 70
    case outputNotMade = 73
    case outputFailed = 74
    case tryLater = 75
    case notPermitted = 77
    case configuration = 78

    /// One line for `chiladmin help exit-codes`.
    var meaning: String {
        switch self {
        case .success: "done, or help was asked for"
        case .failed:
            "the command was right and did not succeed (a printer does not answer, a provider refuses, counts differ)"
        case .cancelled: "what was asked for at the terminal was not agreed to; nothing was done"
        case .notAuthenticated: "the database takes no such password of this role, or wants one"
        case .usage: "the command line is wrong; nothing was done"
        case .dataRefused: "a value was refused (already taken, no such time zone); nothing was done"
        case .notFound: "no such tenant, client id, printer, key, user, session, limit or plan"
        case .databaseAway: "the database cannot be reached"
        case .internalFault: "a fault of chiladmin or an old schema; the message says which"
        case .outputNotMade: "a file could not be made"
        case .outputFailed: "standard output could not be written"
        case .tryLater: "busy for now, or the outcome is unknown; look, then try again"
        case .notPermitted: "the database's role or the file's mode does not allow it"
        case .configuration:
            "a setting is missing or wrong (CHIL_DATABASE_URL, CHIL_KEY_FILE, a provider's credentials)"
        }
    }
}
