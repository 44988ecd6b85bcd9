/// What may stand where the cursor is.
struct Completion {
    enum Wanted: Equatable {
        case words([String])
        case slugs
        /// What a list command names: its line of words.
        case named(by: [String])
    }

    let wanted: Wanted
    /// What stands there already.
    let prefix: String

    /// - Parameter words: those of the command line, of which the last is being written.
    init(_ words: [String], table: CommandTable) {
        var before = Self.joined(words)
        let last = before.popLast() ?? ""
        let sorted = Self.places(before, table)
        if let flag = sorted.open {
            prefix = last
            wanted = Self.values(of: flag, sorted, table)
        } else if let equals = last.firstIndex(of: "="), last.hasPrefix("-") {
            prefix = String(last[last.index(after: equals)...])
            let name = String(last[..<equals])
            wanted = Self.values(of: GlobalFlags.shortNames[name] ?? name, sorted, table)
        } else if last.hasPrefix("-"), !before.contains("--") {
            prefix = last
            wanted = .words(((sorted.entry?.guide.flags ?? []) + GlobalFlags.all).map(\.name))
        } else {
            prefix = last
            wanted = Self.place(sorted, table)
        }
    }

    /// bash breaks `--output=json` into three words.
    private static func joined(_ words: [String]) -> [String] {
        var joined: [String] = []
        for word in words {
            if let last = joined.last, last.hasPrefix("--"), word == "=" || last.hasSuffix("=") {
                joined[joined.count - 1] = last + word
            } else {
                joined.append(word)
            }
        }
        return joined
    }

    private struct Places {
        var entry: CommandTable.Entry?
        var words: [String] = []
        /// A flag that waits for its value.
        var open: String?
    }

    private static func places(_ before: [String], _ table: CommandTable) -> Places {
        var places = Places()
        for word in before {
            if places.open != nil {
                places.open = nil
            } else if word.hasPrefix("-"), word != "-" {
                let (written, attached) = SortedWords.split(word)
                let name = GlobalFlags.shortNames[written] ?? written
                let flags = (places.entry?.guide.flags ?? []) + GlobalFlags.all
                let takesValue = flags.first { $0.name == name }?.placeholder != nil
                places.open = takesValue && attached == nil ? name : nil
            } else {
                places.words.append(word)
                if places.entry == nil { places.entry = table.commands.first { $0.guide.path == places.words } }
            }
        }
        return places
    }

    private static func values(of flag: String, _ places: Places, _ table: CommandTable) -> Wanted {
        let tenant = places.entry.flatMap { Self.tenant(places, $0) }
        switch flag {
        case "--output": return .words(OutputFormat.allCases.map(\.rawValue))
        case "--field": return .words(places.entry?.output.fields ?? [])
        case "--context": return .named(by: ["context", "list"])
        case "--tenant", "--with": return .slugs
        case "--color": return .words(TerminalColour.allCases.map(\.rawValue))
        case "--plan": return .named(by: ["plan", "list"])
        case "--printer", "--scanner", "--user", "--session", "--client-id":
            let noun = flag == "--client-id" ? "client" : String(flag.dropFirst(2))
            return tenant.map { .named(by: [noun, "list", $0]) } ?? .words([])
        default: return .words([])
        }
    }

    private static func place(_ places: Places, _ table: CommandTable) -> Wanted {
        guard let entry = places.entry else {
            if places.words.first == "help" { return helpWords(places, table) }
            let paths = table.commands.map(\.guide.path).filter {
                $0.count > places.words.count && $0.starts(with: places.words)
            }
            var next: [String] = []
            for path in paths where !next.contains(path[places.words.count]) { next.append(path[places.words.count]) }
            return .words(places.words.isEmpty ? next + ["help"] : next)
        }
        let place = places.words.count - entry.guide.path.count
        if entry.guide.path == ["completion"], place == 0 { return .words(["bash", "zsh", "fish"]) }
        guard place < entry.guide.arguments.count else { return .words([]) }
        let noun = entry.guide.path[0]
        switch entry.guide.arguments[place].name {
        case "TENANT": return .slugs
        case "SLUG": return entry.guide.path == ["tenant", "create"] ? .words([]) : .slugs
        case "PLAN", "NAME": return noun == "plan" || noun == "context" ? .named(by: [noun, "list"]) : .words([])
        case "USER": return tenant(places, entry).map { .named(by: ["user", "list", $0]) } ?? .words([])
        case "KEY", "PRINTER", "SCANNER", "ENDPOINT", "SERVICE", "JOB", "REQUEST":
            return tenant(places, entry).map { .named(by: [noun, "list", $0]) } ?? .words([])
        case "OUTCOME": return .words(["printed", "not-printed"])
        default: return .words([])
        }
    }

    private static func helpWords(_ places: Places, _ table: CommandTable) -> Wanted {
        let rest = Array(places.words.dropFirst())
        guard let noun = rest.first else {
            return .words(HelpTopic.allCases.map(\.rawValue) + CommandTable.nouns.map(\.name))
        }
        return .words(
            table.commands(of: noun).map(\.guide.path).filter { $0.count == 2 && rest.count == 1 }.map { $0[1] }
        )
    }

    private static func tenant(_ places: Places, _ entry: CommandTable.Entry) -> String? {
        guard entry.guide.arguments.first.map({ ["TENANT", "SLUG"].contains($0.name) }) ?? false,
            places.words.count > entry.guide.path.count
        else { return nil }
        return places.words[entry.guide.path.count]
    }
}
