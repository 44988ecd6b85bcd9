/// What is true of all commands: `chiladmin help exit-codes`.
enum HelpTopic: String, CaseIterable {
    case exitCodes = "exit-codes"
    case output
    case contexts
    case environment
    case files
    case scripting
    case safety

    var summary: String {
        switch self {
        case .exitCodes: "what the exit status says"
        case .environment: "the variables that are read"
        case .safety: "--dry-run, --confirm, and what an interruption leaves"
        case .output: "tables, JSON, CSV, members, times, colours, the pager"
        case .contexts: "databases by name, and how one is chosen"
        case .files: "the files that are read and written"
        case .scripting: "what a script may rely on"
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
                    ("CHIL_CONTEXT", "the context to be in; see `chiladmin help contexts`"),
                    ("CHIL_PAGER, PAGER", "what shows long answers, such as less -R; empty or cat: none"),
                    ("NO_COLOR", "no colours, if not empty"),
                    ("CLICOLOR_FORCE", "colours into a pipe too, if not empty and not 0"),
                    ("CLICOLOR", "0: no colours"),
                    ("TERM", "dumb: no colours, no pager, no progress bar"),
                    ("TZ", "the zone in which a terminal shows times"),
                    ("XDG_CONFIG_HOME", "the folder of chiladmin/config; otherwise ~/.config"),
                    ("PGHOST, PGSERVICE, …", "libpq's own; where they name a server, database or service they suffice"),
                ]
            )
        case .safety: page.lines("SAFETY", SafetyHelp.lines)
        case .output: page.lines("OUTPUT", OutputHelp.output)
        case .contexts:
            page.lines("CONTEXTS", OutputHelp.contexts)
            page.lines("THE FILE", OutputHelp.contextFile)
        case .files: page.pairs("FILES", OutputHelp.files)
        case .scripting: page.lines("SCRIPTING", OutputHelp.scripting)
        }
        return page.text
    }
}
