/// What is true of all commands: `chiladmin help exit-codes`.
enum HelpTopic: String, CaseIterable {
    case exitCodes = "exit-codes"
    case environment
    case formatting
    case safety

    var summary: String {
        switch self {
        case .exitCodes: "what the exit status says"
        case .environment: "the variables that are read"
        case .safety: "--dry-run, --confirm, and what an interruption leaves"
        case .formatting: "tables, JSON, colours, standard output and standard error"
        }
    }

    var page: String {
        var page = Page("chiladmin help \(rawValue): \(summary)")
        switch self {
        case .exitCodes:
            page.pairs("EXIT STATUS", ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })
            page.lines(
                "REMARKS",
                [
                    "Ended by a signal: 128 and its number, from the shell. A reader that goes early (head) is no failure."
                ]
            )
        case .environment:
            page.pairs(
                "VARIABLES",
                [
                    (
                        "CHIL_DATABASE_URL",
                        "postgresql:// address; the role chil_operator, an administrator for migrate"
                    ),
                    (
                        "CHIL_KEY_FILE",
                        "master keys, <version>:<64 hexadecimal digits> a line, mode 0600; for whatever is sealed: keys of tenants and providers"
                    ),
                    ("CHIL_PUBLIC_URL", "the service's address as clients see it; shown with a tenant"),
                    ("CHIL_OPERATOR", "who is named in the audit: 1 to 120 characters; otherwise USER"),
                    ("NO_COLOR", "no colours, if not empty"),
                    ("TERM", "dumb: no colours"),
                ]
            )
        case .safety: page.lines("SAFETY", SafetyHelp.lines)
        case .formatting:
            page.lines(
                "FORMATTING",
                [
                    "Data goes to standard output, everything else to standard error.",
                    "-o table aligns by display width (Hangul and emoji take two cells); - is a value that is missing.",
                    "-o json: lists are arrays, single things are objects; members are never renamed; ids are numbers,",
                    "times are RFC 3339 in UTC. Lists of a table leave out some members, JSON has all.",
                    "Control characters in names are shown as pictures (␊, ␛) in tables and escaped in JSON.",
                    "Colours only on a terminal, without NO_COLOR and without --no-color.",
                ]
            )
        }
        return page.text
    }
}
