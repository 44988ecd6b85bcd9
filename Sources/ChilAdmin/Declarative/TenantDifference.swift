import ChilCore

/// What has to be done so that a tenant is as its file says. Pure: a tenant's snapshot and a file in, command lines out.
struct TenantDifference {
    let snapshot: TenantSnapshot
    let wanted: TenantFile
    let prunes: Bool

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
            // Nothing is said of guests that are not served.
            if name == "printsPerDay", value == .none { continue }
            flags.append("\(flag)=\(value.word)")
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

    private static let flags = [
        "sessions.idle": "--session-idle", "sessions.absolute": "--session-absolute", "sessions.max": "--sessions-max",
        "guest.served": "--guest", "guest.printsPerDay": "--guest-prints", "printing.scale": "--print-scale",
        "printing.paper": "--paper", "printing.jobMark": "--job-mark", "consent.scopes": "--require",
        "consent.notice": "--notice", "generation.level": "--level", "generation.recipe": "--recipe",
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
        let key = TenantFile.keys[section] ?? []
        var changes: [TenantChange] = []
        for item in after {
            let name = FileShape.name(of: item, by: key)
            let path = "\(section)[\(name)]"
            let known = before.first { FileShape.name(of: $0, by: key) == name }
            guard known != item else { continue }
            let words = TenantItemWords(slug: slug, section: section, item: item, number: number(section, item))
            if let known {
                let differing = Self.differing(known, item)
                let lines = try words.changing(differing, at: path)
                guard !lines.isEmpty else { continue }
                changes.append(
                    TenantChange(
                        path: path,
                        kind: .change,
                        before: Self.shown(known, differing),
                        after: Self.shown(item, differing),
                        lines: lines
                    )
                )
            } else {
                changes.append(
                    TenantChange(path: path, kind: .add, before: "-", after: item.word, lines: [words.adding()])
                )
            }
        }
        for item in before
        where !after.contains(where: { FileShape.name(of: $0, by: key) == FileShape.name(of: item, by: key) }) {
            let words = TenantItemWords(slug: slug, section: section, item: item, number: number(section, item))
            changes.append(gone("\(section)[\(FileShape.name(of: item, by: key))]", item, words.removing()))
        }
        return changes
    }

    private func number(_ section: String, _ item: FileValue) -> String {
        snapshot.numbers[TenantSnapshot.place(section, item)].map(String.init) ?? "0"
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

    private static func differing(_ one: FileValue, _ other: FileValue) -> [String] {
        guard case .members(let members) = other else { return [] }
        return members.keys.sorted().filter { one[$0] != other[$0] }
    }

    private static func shown(_ item: FileValue, _ names: [String]) -> String {
        names.map { "\($0)=\(item[$0]?.word ?? "none")" }.joined(separator: " ")
    }
}
