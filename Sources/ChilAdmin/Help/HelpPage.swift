/// The pages of `--help` and `help`: examples first, then how it is used, then every word explained.
enum HelpPage {
    /// `chiladmin --help`.
    static func front(_ table: CommandTable) -> String {
        var page = Page("chiladmin: manage tenants, quotas and printers of ChilAPI")
        page.examples([
            .init("chiladmin migrate", "make roles and schema, as the database's administrator"),
            .init("chiladmin tenant create chillin", "make a tenant"),
            .init("chiladmin client add chillin --client-id com.example.app", "let an app's users sign in"),
            .init("chiladmin printer test chillin office", "ask a printer how it is"),
        ])
        page.lines("USAGE", ["chiladmin NOUN VERB [WORDS] [FLAGS]"])
        page.pairs("COMMANDS", CommandTable.nouns.map { ($0.name, $0.summary) })
        page.pairs("FLAGS OF EVERY COMMAND", GlobalFlags.all.map(flag))
        page.pairs("MORE", HelpTopic.allCases.map { ("chiladmin help \($0.rawValue)", $0.summary) })
        return page.text
    }

    /// `chiladmin tenant --help`.
    static func noun(_ noun: String, table: CommandTable) -> String {
        let guides = table.commands(of: noun).map(\.guide)
        let summary = CommandTable.nouns.first { $0.name == noun }?.summary ?? ""
        var page = Page("chiladmin \(noun): \(summary)")
        page.examples(guides.compactMap(\.examples.first))
        page.pairs("COMMANDS", guides.map { ($0.name, $0.summary) })
        page.lines("MORE", ["chiladmin \(noun) VERB --help"])
        return page.text
    }

    /// `chiladmin tenant create --help`.
    static func command(_ guide: CommandGuide) -> String {
        var page = Page("chiladmin \(guide.name): \(guide.summary)")
        page.examples(guide.examples)
        page.lines("USAGE", [guide.usage])
        page.pairs("WORDS", guide.arguments.map { ($0.name, $0.summary) })
        page.pairs("FLAGS", guide.flags.map(flag))
        page.pairs("FLAGS OF EVERY COMMAND", GlobalFlags.all.map(flag))
        page.lines("REMARKS", guide.remarks)
        page.lines("EXIT STATUS", ["0 done, 64 wrong command line; all others: chiladmin help exit-codes"])
        return page.text
    }

    /// `chiladmin help …`: a topic, a noun, a noun and its verb.
    static func topic(_ words: [String], table: CommandTable) throws(UsageError) -> String {
        let names = words.filter { $0.utf8.first != UInt8(ascii: "-") }
        guard let first = names.first else { return front(table) }
        if names.count == 1, let topic = HelpTopic(rawValue: first) { return topic.page }
        guard CommandTable.nouns.contains(where: { $0.name == first }) else {
            throw .unknown(
                "topic",
                first,
                known: HelpTopic.allCases.map(\.rawValue) + CommandTable.nouns.map(\.name),
                otherwise: "`chiladmin help` shows the topics."
            )
        }
        switch try table.match(names) {
        case .command(let entry, _): return command(entry.guide)
        case .noun(let noun): return Self.noun(noun, table: table)
        case .nothing: return front(table)
        }
    }

    private static func flag(_ flag: CommandGuide.Flag) -> (String, String) {
        let name = flag.placeholder.map { "\(flag.name) \($0)" } ?? flag.name
        return (name, flag.summary + (flag.mayRepeat ? " (may be repeated)" : ""))
    }
}
