import ChilCore

/// What has to be done so that a tenant is as its file says. Pure: a tenant's snapshot and a file in, command lines out.
struct TenantDifference {
    let snapshot: TenantSnapshot
    let wanted: TenantFile
    let prunes: Bool
    /// Where the file lies, and those beside it: empty, or with a slash at its end.
    var folder = ""
    /// The items whose secret is the one that is beside the file.
    var kept: Set<String> = []

    private var slug: String { wanted.slug }

    /// In an order in which they can be done.
    func changes() throws(FileFault) -> [TenantChange] {
        var changes: [TenantChange] = []
        for section in ["name", "timeZone", "plan"] { changes += simple(section) }
        for section in ["sessions", "guest", "printing", "consent", "generation"] { changes += members(section) }
        changes += retention()
        for section in ["quotas", "limits", "clients", "printers", "generators", "motion", "webhooks"] {
            changes += try items(section)
        }
        return changes
    }

    private func simple(_ section: String) -> [TenantChange] {
        guard let after = wanted.sections[section] else { return [] }
        let before = snapshot.file.sections[section] ?? .none
        guard before != after else { return [] }
        let line: [String] =
            switch section {
            case "name": ["tenant", "update", "--name=\(after.word)", "--", slug]
            case "timeZone": ["tenant", "update", "--time-zone=\(after.word)", "--", slug]
            default: ["plan", "assign", "--", slug, after.word]
            }
        return [TenantChange(path: section, kind: .change, before: before.word, after: after.word, lines: [line])]
    }

    /// The flag of each member that differs, in one line.
    private func members(_ section: String) -> [TenantChange] {
        guard case .members(let after)? = wanted.sections[section] else { return [] }
        var flags: [String] = []
        var changes: [TenantChange] = []
        for (name, value) in after.sorted(by: { $0.key < $1.key }) {
            let before = snapshot.file.sections[section]?[name] ?? .none
            guard before != value, let flag = Self.flags["\(section).\(name)"] else { continue }
            // Nothing is said of guests that are not served, nor of words that are left out.
            if value == .none, ["printsPerDay", "words"].contains(name) { continue }
            flags += name == "words" ? Self.words(value) : ["\(flag)=\(value.word)"]
            changes.append(
                TenantChange(
                    path: "\(section).\(name)",
                    kind: .change,
                    before: before.word,
                    after: value.word,
                    lines: []
                )
            )
        }
        guard let last = changes.popLast() else { return [] }
        let command =
            switch section {
            case "consent": ["tenant", "consent"]
            case "generation": ["generator", "settings"]
            default: ["tenant", "update"]
            }
        let line = command + flags + ["--", slug]
        return changes + [
            TenantChange(path: last.path, kind: .change, before: last.before, after: last.after, lines: [line])
        ]
    }

    private static func words(_ value: FileValue) -> [String] {
        let words = value.items ?? []
        return words.isEmpty ? ["--no-words"] : words.map { "--word=\($0.word)" }
    }

    private static let flags = [
        "sessions.idle": "--session-idle", "sessions.absolute": "--session-absolute", "sessions.max": "--sessions-max",
        "guest.served": "--guest", "guest.printsPerDay": "--guest-prints", "printing.scale": "--print-scale",
        "printing.paper": "--paper", "printing.jobMark": "--job-mark", "consent.scopes": "--require",
        "consent.notice": "--notice", "generation.level": "--level", "generation.recipe": "--recipe",
        "generation.words": "--word",
    ]

    private func retention() -> [TenantChange] {
        guard case .members(let after)? = wanted.sections["retention"],
            case .members(let before)? = snapshot.file.sections["retention"]
        else { return [] }
        var changes: [TenantChange] = []
        for name in Set(after.keys).union(before.keys).sorted() where after[name] != before[name] {
            guard let days = after[name] else {
                changes.append(
                    gone("retention.\(name)", before[name] ?? .none, ["retention", "unset", "--", slug, name])
                )
                continue
            }
            changes.append(
                TenantChange(
                    path: "retention.\(name)",
                    kind: before[name] == nil ? .add : .change,
                    before: before[name]?.word ?? "-",
                    after: days.word,
                    lines: [["retention", "set", "--", slug, name, days.word]]
                )
            )
        }
        return changes
    }

    private func items(_ section: String) throws(FileFault) -> [TenantChange] {
        guard let after = wanted.sections[section]?.items else { return [] }
        let before = snapshot.file.sections[section]?.items ?? []
        let kind = TenantFile.items(of: section)
        let (names, knownNames) = (kind.names(after), kind.names(before))
        let places = Dictionary(knownNames.enumerated().map { (Array($1.utf8), $0) }) { first, _ in first }
        var changes: [TenantChange] = []
        for (name, item) in zip(names, after) {
            let path = "\(section)[\(name)]"
            guard let place = places[Array(name.utf8)] else {
                let words = words(section, item, nil, number: "0")
                changes.append(
                    TenantChange(path: path, kind: .add, before: "-", after: item.word, lines: [words.adding()])
                )
                continue
            }
            changes += try changed(
                item,
                from: before[place],
                path,
                words(section, item, before[place], number: number(section, place))
            )
            if section == "clients" { changes += credentialsGone(item, before[place], path, among: after) }
        }
        let wantedNames = Set(names.map { Array($0.utf8) })
        for (place, name) in knownNames.enumerated() where !wantedNames.contains(Array(name.utf8)) {
            let words = words(section, before[place], nil, number: number(section, place))
            changes.append(gone("\(section)[\(name)]", before[place], words.removing()))
        }
        return changes
    }

    /// A change for each member that differs; the last has the lines of all.
    private func changed(_ item: FileValue, from known: FileValue, _ path: String, _ words: TenantItemWords)
        throws(FileFault) -> [TenantChange]
    {
        guard known != item, case .members(let members) = item else { return [] }
        let names = members.keys.sorted().filter { words.says($0, isKept: kept.contains(path)) }
        let lines = try words.changing(names, at: path)
        guard !lines.isEmpty else { return [] }
        return names.enumerated().map { index, name in
            let before =
                name == "keyFile" && known["hasKey"] == .flag(true) ? "another key" : known[name]?.word ?? "none"
            return TenantChange(
                path: "\(path).\(name)",
                kind: .change,
                before: before,
                after: item[name]?.word ?? "none",
                lines: index == names.count - 1 ? lines : []
            )
        }
    }

    /// A team's key is of all client ids of a record: it goes where the file has it with none of them.
    private func credentialsGone(_ item: FileValue, _ known: FileValue, _ path: String, among all: [FileValue])
        -> [TenantChange]
    {
        guard let there = known["credentials"], there != FileValue.none,
            !all.contains(where: { $0["issuers"] == item["issuers"] && $0["credentials"] != FileValue.none })
        else { return [] }
        let words = words("clients", item, known, number: "0")
        return [gone("\(path).credentials", there, words.forgetting())]
    }

    private func words(_ section: String, _ item: FileValue, _ known: FileValue?, number: String) -> TenantItemWords {
        TenantItemWords(slug: slug, section: section, item: item, known: known, number: number, folder: folder)
    }

    private func number(_ section: String, _ place: Int) -> String {
        guard let numbers = snapshot.numbers[section], numbers.indices.contains(place) else { return "0" }
        return String(numbers[place])
    }

    private func gone(_ path: String, _ value: FileValue, _ line: [String]) -> TenantChange {
        TenantChange(
            path: path,
            kind: prunes ? .remove : .left,
            before: value.word,
            after: prunes ? "-" : value.word,
            lines: prunes ? [line] : []
        )
    }
}
