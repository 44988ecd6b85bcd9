/// What can be done to rows. Each is the command of the same name, with its audit.
package enum Act: String, CaseIterable, Sendable {
    case suspendTenant, resumeTenant
    case banUser, unbanUser, signOutUser, deleteUser
    case revokeSession
    case cancelJob, retryJob
    case enablePrinter, disablePrinter, drainPrinter

    var noun: Noun {
        switch self {
        case .suspendTenant, .resumeTenant: .tenants
        case .banUser, .unbanUser, .signOutUser, .deleteUser: .users
        case .revokeSession: .sessions
        case .cancelJob, .retryJob: .jobs
        case .enablePrinter, .disablePrinter, .drainPrinter: .printers
        }
    }

    var key: Key {
        switch self {
        case .suspendTenant: .text("s")
        case .resumeTenant, .retryJob: .text("r")
        case .banUser: .text("b")
        case .unbanUser: .text("u")
        case .signOutUser: .text("o")
        case .deleteUser, .revokeSession: .control("d")
        case .cancelJob: .text("c")
        case .enablePrinter: .text("e")
        case .disablePrinter: .text("i")
        case .drainPrinter: .text("n")
        }
    }

    /// For the hints.
    var word: String {
        switch self {
        case .suspendTenant: "suspend"
        case .resumeTenant: "resume"
        case .banUser: "ban"
        case .unbanUser: "unban"
        case .signOutUser: "sign out"
        case .deleteUser: "delete"
        case .revokeSession: "revoke"
        case .cancelJob: "cancel"
        case .retryJob: "retry"
        case .enablePrinter: "enable"
        case .disablePrinter: "disable"
        case .drainPrinter: "drain"
        }
    }

    /// What becomes of it, in a sentence.
    var consequence: String {
        switch self {
        case .suspendTenant: "All calls are refused within a second. Nothing is deleted."
        case .resumeTenant: "It is served again at once."
        case .banUser: "Signed out everywhere; cannot sign in."
        case .unbanUser: "May sign in again."
        case .signOutUser: "Every session ends within a second."
        case .deleteUser: "The account and all its drawings are gone for good."
        case .revokeSession: "This device is signed out within a second."
        case .cancelJob: "What is on paper already stays there."
        case .retryJob: "It is printed from the beginning, within the limits."
        case .enablePrinter: "It takes prints, and prints what waits."
        case .disablePrinter: "It prints nothing until it is enabled."
        case .drainPrinter: "It prints what waits, and takes no more."
        }
    }

    /// Whether the tenant's slug has to be typed.
    var isSevere: Bool { self == .suspendTenant || self == .deleteUser }

    static func all(of noun: Noun) -> [Act] {
        let noun = noun == .overview ? .tenants : noun
        return allCases.filter { $0.noun == noun }
    }
}
