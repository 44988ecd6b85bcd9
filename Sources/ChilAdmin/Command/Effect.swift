/// What a command touches, and so what `--dry-run` can do with it.
enum Effect: Equatable, Sendable {
    /// Not said yet: a test names the command.
    case undeclared
    /// Nothing is changed anywhere.
    case reads
    /// The database, and nothing else, in one transaction: what is interrupted has not happened.
    case writes
    /// The database, in steps that are each whole: too much for one transaction, or others are asked in between. Run again, it goes on.
    case writesInSteps
    /// What no rollback takes back: a printer, a provider, a file. The sentence says what, or what shows it beforehand.
    case reachesOut(String)

    /// Whether the database is another one afterwards.
    var isWriting: Bool { self == .writes || self == .writesInSteps }

    /// Only what a rollback takes back as a whole can be tried.
    func requireDryRun(of guide: CommandGuide) throws(UsageError) {
        let name = guide.name
        switch self {
        case .writes, .writesInSteps: return
        case .reads: throw UsageError("'\(name)' changes nothing", hint: "Leave --dry-run out.")
        case .reachesOut(let reason):
            throw UsageError("'\(name)' cannot be tried: \(reason)", hint: "Leave --dry-run out.")
        case .undeclared: throw UsageError("'\(name)' cannot be tried", hint: "Leave --dry-run out.")
        }
    }
}
