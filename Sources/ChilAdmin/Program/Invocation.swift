/// What a command line asks for.
enum Invocation {
    /// The global flags' values.
    struct Globals {
        let format: OutputFormat
        let fields: [String]
        let hasHeadings: Bool
        let context: ContextName?
        let databaseURL: String?
        let noColour: Bool
        let noPager: Bool
        let isDryRun: Bool
    }

    /// Help or the version, as asked for: to standard output.
    case page(String)
    /// Help for somebody who named no command: to standard error, a usage error.
    case pageForMistake(String)
    case command(any AdminCommand, Globals)

    init(_ words: [String], table: CommandTable) throws(UsageError) {
        let beforeEnd = words.prefix { $0 != "--" }
        if words.first == "help" {
            self = .page(try HelpPage.topic(Array(words.dropFirst()), table: table))
            return
        }
        let wantsHelp = beforeEnd.contains { $0 == "--help" || $0 == "-h" }
        if beforeEnd.contains("--version"), !wantsHelp {
            self = .page("chiladmin \(Program.version)\n")
            return
        }
        switch try table.match(words) {
        case .nothing:
            self = wantsHelp ? .page(HelpPage.front(table)) : .pageForMistake(HelpPage.front(table))
        case .noun(let noun):
            let page = HelpPage.noun(noun, table: table)
            self = wantsHelp ? .page(page) : .pageForMistake(page)
        case .command(let entry, _) where wantsHelp:
            self = .page(HelpPage.command(entry.guide))
        case .command(let entry, let rest):
            self = try Self.read(entry, rest)
        }
    }

    private static func read(_ entry: CommandTable.Entry, _ words: [String]) throws(UsageError) -> Self {
        var reader = try ArgumentReader(words, guide: entry.guide)
        let format: OutputFormat = try reader.optional("--output") ?? .table
        let globals = Globals(
            format: format,
            fields: try entry.output.chosen(try reader.all("--field"), with: format),
            hasHeadings: !reader.isSet("--no-headers"),
            context: try reader.optional("--context"),
            databaseURL: try reader.optional("--database-url"),
            noColour: reader.isSet("--no-color"),
            noPager: reader.isSet("--no-pager"),
            isDryRun: reader.isSet("--dry-run")
        )
        if globals.context != nil, globals.databaseURL != nil {
            throw UsageError(
                "--context and --database-url are given together",
                hint: "Each names a database: give one."
            )
        }
        if globals.isDryRun { try entry.effect.requireDryRun(of: entry.guide) }
        let command = try entry.read(&reader)
        try reader.finish()
        return .command(command, globals)
    }
}
