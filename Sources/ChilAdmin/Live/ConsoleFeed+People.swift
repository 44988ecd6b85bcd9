import ChilConsole
import ChilCore
import ChilDatabase
import ChilStore

extension ConsoleFeed {
    private static let searchNote = "the next \(Watch.searchMax) are searched"

    func users(_ query: PageQuery) async throws(AdminFault) -> ConsolePage {
        let tenant = try await tenant(query.place.tenant)
        let found = try await rows(
            WatchUsers(
                of: tenant.id,
                before: Self.number(query.after),
                filter: query.filter,
                countMax: query.countMax + 1,
                at: services.now()
            )
        )
        let (shown, next) = cut(found, query.countMax) { String($0.user.id.rawValue) }
        let pageRows: [ConsolePage.Row] = shown.map { row in
            let name = [row.user.givenName, row.user.familyName].compactMap { $0 }.joined(separator: " ")
            let number = String(row.user.id.rawValue)
            let values: [Value] = [
                .text(number), .word(row.user.state.rawValue, row.user.state == .active ? .good : .alarm),
                name.isEmpty ? Value.none : Value.text(name), .optional(row.user.email),
                .count(row.sessions, atMost: Watch.countMax), .count(row.drawings, atMost: Watch.countMax),
                .age(row.user.createdAt),
            ]
            return ConsolePage.Row(
                key: number,
                tenant: tenant.slug,
                name: name.isEmpty ? "user \(number)" : "\(name) (\(number))",
                values
            )
        }
        return ConsolePage(pageRows, next: next, note: query.filter.isEmpty ? nil : Self.searchNote)
    }

    func sessions(_ query: PageQuery) async throws(AdminFault) -> ConsolePage {
        let tenant = try await tenant(query.place.tenant)
        let now = services.now()
        let all = WatchSessions(
            of: tenant.id,
            before: Self.number(query.after),
            filter: query.filter,
            countMax: query.countMax + 1
        )
        let found: [SessionView]
        if let user: UserID = Self.number(query.place.user) {
            found = try await rows(WatchSessionsOfUser(user, all))
        } else {
            found = try await rows(all)
        }
        let (shown, next) = cut(found, query.countMax) { String($0.id.rawValue) }
        let pageRows: [ConsolePage.Row] = shown.map { session in
            let number = String(session.id.rawValue)
            known[number] = Self.members(of: SessionRow(session))
            let state: Value =
                session.endedAt != nil
                ? .word(session.endReason ?? "ended", .dim)
                : session.expires <= now ? .word("expired", .dim) : .word("live", .good)
            let values: [Value] = [
                .text(number), .text(String(session.user.rawValue)), .optional(session.deviceName),
                .optional(session.address), state, .age(session.lastUsedAt), .age(session.createdAt),
            ]
            return ConsolePage.Row(
                key: number,
                tenant: tenant.slug,
                name: "\(session.deviceName ?? "session") (\(number))",
                user: String(session.user.rawValue),
                values
            )
        }
        return ConsolePage(pageRows, next: next, note: query.filter.isEmpty ? nil : Self.searchNote)
    }

    func drawings(_ query: PageQuery) async throws(AdminFault) -> ConsolePage {
        let tenant = try await tenant(query.place.tenant)
        let all = WatchDrawings(
            of: tenant.id,
            before: Self.number(query.after),
            filter: query.filter,
            countMax: query.countMax + 1
        )
        let found: [WatchDrawings.Row]
        if let owner: UserID = Self.number(query.place.user) {
            found = try await rows(WatchDrawingsOfUser(owner, all))
        } else {
            found = try await rows(all)
        }
        let (shown, next) = cut(found, query.countMax) { String($0.id.rawValue) }
        let pageRows: [ConsolePage.Row] = shown.map { drawing in
            let number = String(drawing.id.rawValue)
            known[number] = [
                ("id", .number(drawing.id.rawValue)), ("owner", .number(drawing.owner.rawValue)),
                ("kind", .text(drawing.kind)), ("status", .text(drawing.status)), ("title", .optional(drawing.title)),
                ("width", .number(Int64(drawing.width))), ("height", .number(Int64(drawing.height))),
                ("byteCount", .number(drawing.byteCount)), ("mediaType", .text(drawing.mediaType)),
                ("createdAt", .text(drawing.createdAt.description)),
            ]
            let values: [Value] = [
                .text(number), .optional(drawing.title), .text(drawing.kind),
                .word(
                    drawing.status,
                    drawing.status == "FAILED" ? .alarm : drawing.status == "READY" ? .good : .warning
                ),
                drawing.width > 0 ? .text("\(drawing.width)x\(drawing.height)") : .none, .bytes(drawing.byteCount),
                .text(String(drawing.owner.rawValue)), .age(drawing.createdAt),
            ]
            return ConsolePage.Row(
                key: number,
                tenant: tenant.slug,
                name: drawing.title ?? "drawing \(number)",
                values
            )
        }
        return ConsolePage(pageRows, next: next, note: query.filter.isEmpty ? nil : Self.searchNote)
    }

    static func number<Kind>(_ text: String?) -> Identifier<Kind>? {
        text.flatMap { Int64($0) }.map { Identifier(rawValue: $0) }
    }
}
