extension Program {
    /// How many names a shell is given.
    static let namesMax = 200

    /// The hidden `__complete -- WORDS…`: candidates, a line each. Whatever goes wrong, there are none, and nothing is said.
    func complete(_ words: [String]) async {
        endLate()
        let completion = Completion(words, table: table)
        let candidates: [String]
        switch completion.wanted {
        case .words(let words): candidates = words
        case .slugs:
            candidates = await asking(words) { services in
                try await services.slugs(beginning: completion.prefix, countMax: Int64(Self.namesMax))
            }
        case .named(let line):
            candidates = await asking(words) { services in try await Self.names(by: line, table, services) }
        }
        let fitting = candidates.filter { candidate in
            candidate.hasPrefix(completion.prefix) && !candidate.unicodeScalars.contains(where: CleanText.isUnsafe)
        }
        try? console.output(fitting.prefix(Self.namesMax).map { $0 + "\n" }.joined())
    }

    private func asking(_ words: [String], _ question: (any AdminServices) async throws -> [String]) async -> [String] {
        func value(_ flag: String) -> String? {
            guard let place = words.firstIndex(of: flag), place + 1 < words.count else { return nil }
            return words[place + 1]
        }
        do {
            let url = value("--database-url")
            let flag = value("--context").flatMap { ContextName(argument: $0) }
            let context = try ContextChoice(environment, flag: flag, databaseURL: url).context()
            let services = makeServices(try Settings(environment: environment, databaseURL: url, context: context))
            let found = (try? await question(services)) ?? []
            await services.close()
            return found
        } catch {
            return []
        }
    }

    /// What `-o name` of a list command writes.
    private static func names(by line: [String], _ table: CommandTable, _ services: any AdminServices) async throws
        -> [String]
    {
        guard case .command(let entry, var rest) = try table.match(line), entry.effect == .reads else { return [] }
        if entry.guide.flags.contains(where: { $0.name == "--limit" }) { rest += ["--limit", "\(namesMax)"] }
        var reader = try ArgumentReader(rest, guide: entry.guide)
        let command = try entry.read(&reader)
        try reader.finish()
        let text = try await command.answer(services).rendered(.plain(.name))
        // A name that was cleaned is not the name.
        return text.split(separator: "\n").map(String.init).filter { name in
            !name.unicodeScalars.contains { $0 == "\u{FFFD}" || (0x2400...0x2421).contains($0.value) }
        }
    }
}
