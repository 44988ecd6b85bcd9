import ChilConsole
import ChilCore
import ChilDatabase
import ChilStore

extension ConsoleFeed {
    func queue(_ query: PageQuery) async throws(AdminFault) -> ConsolePage {
        let now = services.now()
        let found = try await rows(
            WatchQueue(after: Self.place(query.after), kind: query.filter, countMax: query.countMax + 1)
        )
        let (shown, next) = cut(found, query.countMax) {
            "\($0.runAt.microseconds).\($0.work).\($0.tenant.rawValue)"
        }
        let names = Dictionary(
            try await rows(WatchNames(of: Array(Set(shown.map(\.tenant))))).map { ($0.tenant, $0.slug) }
        ) { first, _ in first }
        let pageRows: [ConsolePage.Row] = shown.map { work in
            let slug = names[work.tenant] ?? String(work.tenant.rawValue)
            let key = "\(work.tenant.rawValue).\(work.work)"
            known[key] = [
                ("tenant", .text(slug)), ("work", .number(work.work)), ("kind", .text(work.kind)),
                ("subject", .number(work.subject)), ("runAt", .text(work.runAt.description)),
                ("attempts", .number(Int64(work.attempts))), ("leasedBy", .optional(work.leasedBy)),
            ]
            let isLate = work.leasedBy == nil && now > work.runAt + .seconds(60)
            let values: [Value] = [
                .text(slug), .word(work.kind, isLate ? .alarm : .plain), .text(String(work.subject)),
                .age(work.runAt), .number(Int64(work.attempts)), .optional(work.leasedBy),
            ]
            return ConsolePage.Row(
                key: key,
                tenant: slug,
                name: "\(work.kind) \(work.subject)",
                values
            )
        }
        return ConsolePage(pageRows, next: next)
    }

    /// Where a page ended.
    private static func place(_ cursor: String?) -> WatchQueue.Place? {
        let parts = cursor?.split(separator: ".").compactMap { Int64($0) } ?? []
        return parts.count == 3 ? (Timestamp(microseconds: parts[0]), parts[1], parts[2]) : nil
    }

    func audit(_ query: PageQuery) async throws(AdminFault) -> ConsolePage {
        let tenant = try await tenant(query.place.tenant)
        var filter = AuditFilter()
        if !query.filter.isEmpty { filter.action = query.filter + "*" }
        let before = query.after.flatMap { AuditCursor(argument: $0) }?.place
        let found = try await rows(AuditPage(of: tenant.id, filter, before: before, countMax: query.countMax + 1))
        let (shown, next) = cut(found, query.countMax) { AuditCursor($0.place).text }
        let pageRows: [ConsolePage.Row] = shown.map { entry in
            let row = AuditEntryRow(entry)
            known[row.cursor] = Self.members(of: row)
            let values: [Value] = [
                .text(String(row.at.dropFirst(11).prefix(8))), .text(row.actor), .text(row.action),
                .optional(row.target), .optional(row.detail),
            ]
            return ConsolePage.Row(
                key: row.cursor,
                tenant: tenant.slug,
                name: row.action,
                values
            )
        }
        return ConsolePage(pageRows, next: next, note: query.filter.isEmpty ? nil : "acts that begin so")
    }

    func replicas(_ query: PageQuery) async throws(AdminFault) -> ConsolePage {
        let beats = try await rows(ServiceBeatList())
        let newest = beats.filter(\.isThere).map(\.beat.release).max()
        let first = query.after.flatMap { Int($0) } ?? 0
        let wanted = beats.filter { query.filter.isEmpty || $0.beat.replica.contains(query.filter) }
        let shown = wanted.dropFirst(first).prefix(query.countMax)
        let pageRows: [ConsolePage.Row] = shown.map { row in
            let beat = row.beat
            known[beat.replica] = [
                ("replica", .text(beat.replica)), ("release", .text(beat.release)), ("roles", .text(beat.roles)),
                ("loops", .number(Int64(beat.loops))), ("startedAt", .text(beat.startedAt.description)),
                ("seenAt", .text(row.seenAt.description)), ("requests", .number(beat.requests)),
                ("requestsPerMinute", .text(beat.minutes.map { String($0) }.joined(separator: " "))),
                ("memoryBytes", .number(beat.memoryBytes)), ("loadOfACore", .text("\(beat.loadMilli / 10) %")),
            ]
            let values: [Value] = [
                .word(beat.replica, row.isThere ? .plain : .dim),
                .word(beat.release, beat.release == newest ? .good : .warning), .text(beat.roles),
                .number(Int64(beat.loops)), .rate(row.isThere ? Double(beat.rateMilli) / 1_000 : 0),
                .bar(used: Int64(beat.loadMilli), limit: Int64(max(1, beat.loops)) * 1_000, name: ""),
                .bytes(beat.memoryBytes), .age(beat.startedAt), .age(row.seenAt),
            ]
            return ConsolePage.Row(
                key: beat.replica,
                values
            )
        }
        let end = first + shown.count
        return ConsolePage(pageRows, next: end < wanted.count ? String(end) : nil)
    }

    func health() async throws(AdminFault) -> ConsolePage {
        guard let look = try await rows(WatchDatabase()).first else { return ConsolePage([]) }
        defer { lastLook = look }
        let now = services.now()
        let blocks = look.blocksHit + look.blocksRead
        let drift = abs((now - look.clock).components.seconds)
        var lines: [(String, Value)] = [
            ("release of PostgreSQL", .text(look.version)), ("database", .text(look.name)),
            ("schema", .text(look.migration ?? "none")), ("up for", .age(look.startedAt)),
            (
                "role of the server",
                look.isStandby ? .word("standby: nothing can be written", .alarm) : .word("primary", .good)
            ),
            ("size", .bytes(look.bytes)),
            (
                "connections",
                .bar(
                    used: look.connections,
                    limit: look.connectionsMax,
                    name: "\(look.connections) of \(look.connectionsMax)"
                )
            ),
            ("transactions a second", rate(look)),
            ("found in memory", .bar(used: look.blocksHit, limit: max(1, blocks), name: "blocks")),
            ("locks waited for", .word("\(look.locksWaited)", look.locksWaited > 0 ? .warning : .good)),
            ("deadlocks so far", .number(look.deadlocks)), ("temporary files so far", .bytes(look.temporaryBytes)),
            ("clocks differ by", .word("\(drift)s", drift > 2 ? .alarm : .good)),
        ]
        if let due = try await rows(WatchDue()).first {
            lines.append(
                (
                    "queue",
                    due.due == 0 ? .word("nothing due", .good) : .text("\(due.due) due, \(due.ageSeconds)s behind")
                )
            )
        }
        return ConsolePage(
            lines.map { (name, value) -> ConsolePage.Row in
                known[name] = [("name", .text(name)), ("value", Self.field(value))]
                return ConsolePage.Row(key: name, [.text(name), value])
            }
        )
    }

    private static func field(_ value: Value) -> Field {
        switch value {
        case .none: .none
        case .text(let text), .word(let text, _): .text(text)
        case .number(let number), .count(let number, _), .bytes(let number): .number(number)
        case .age(let moment): .text(moment.description)
        case .bar(let used, let limit, _): .text("\(used) of \(limit)")
        case .rate(let rate): .text("\(rate)")
        }
    }

    private func rate(_ look: WatchDatabase.Row) -> Value {
        guard let lastLook, look.startedAt == lastLook.startedAt else { return .none }
        let seconds = Double((look.clock - lastLook.clock).wholeMicroseconds) / 1_000_000
        let count = look.commits + look.rollbacks - lastLook.commits - lastLook.rollbacks
        return seconds > 0.1 ? .rate(Double(max(0, count)) / seconds) : .none
    }
}
