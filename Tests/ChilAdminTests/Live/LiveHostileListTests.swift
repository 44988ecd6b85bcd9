import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// Names that other people made up, in every list and page of the operator: they are looked at, and nothing obeys them.
@Suite struct LiveHostileListTests {
    private static let chillin = "from tenant t, made m where t.slug = 'chillin'"

    /// A person, a device, a drawing, a printer with a job, a scanner, a service, a hold, a request, an endpoint and an audit row of each name.
    private static func filling(_ names: [String]) -> String {
        let values = names.enumerated().map { "(\($0 + 1), '\($1.replacing("'", with: "''"))')" }.joined(
            separator: ",\n"
        )
        return """
            create temporary table made (n bigint, name text);
            insert into made values \(values);
            insert into tenant (tenant_id, slug, name, created_at, updated_at) select 200000 + n, 'n' || n, name, now(), now() from made;
            insert into app_user (tenant_id, user_id, given_name, family_name, email, created_at, updated_at)
            select t.tenant_id, 5000 + n, m.name, m.name, m.name, now(), now() \(chillin);
            insert into session (tenant_id, session_id, user_id, salt, rotated_at, created_at, last_used_at, idle_expires_at, expires_at,
                                 device_name, user_agent)
            select t.tenant_id, 6000 + n, 5000 + n, '', now(), now(), now(), now() + interval '1 day', now() + interval '1 day', m.name, m.name
              \(chillin);
            insert into drawing (tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status, media_type,
                                 title, prompt)
            select t.tenant_id, 9000 + n, 5000 + n, 1, now(), now(), 1, 1, 'UPLOADED', 'READY', 'image/png', m.name, m.name \(chillin);
            insert into printer (tenant_id, printer_id, name, kind, uri, is_default, state, created_at, updated_at, seen_at, seen_state,
                                 seen_reasons)
            select t.tenant_id, 7000 + n, m.name, 'ipp', 'ipp://127.0.0.1:9/ipp/print', false, 'enabled', now(), now(), now(), 'stopped',
                   m.name \(chillin);
            insert into print_job (tenant_id, job_id, owner_id, drawing_id, printer_id, state, reason, scale, copies, created_at, updated_at)
            select t.tenant_id, 8000 + n, 5000 + n, 9000 + n, 7000 + n, 'failed', m.name, 'LARGE', 1, now(), now() \(chillin);
            insert into print_job_event (tenant_id, job_id, sequence, state, reason, at)
            select t.tenant_id, 8000 + n, 1, 'failed', m.name, now() \(chillin);
            insert into scanner (tenant_id, scanner_id, name, owner_id, token_digest, serial, created_at, updated_at)
            select t.tenant_id, 10000 + n, m.name, 5000 + n, sha256(n::text::bytea), m.name, now(), now() \(chillin);
            insert into image_endpoint (tenant_id, endpoint_id, purpose, kind, url, model, last_fault, position, timeout_s, created_at,
                                        updated_at)
            select t.tenant_id, 11000 + n, 'generation', 'localai', 'http://a.example', m.name, m.name, n, 60, now(), now() \(chillin);
            insert into user_hold (tenant_id, user_id, reason, held_at) select t.tenant_id, 5000 + n, m.name, now() \(chillin);
            insert into erasure_request (tenant_id, request_id, user_id, state, reference, reason, opened_at, due_at, closed_at)
            select t.tenant_id, 12000 + n, 5000 + n, 'refused', m.name, m.name, now(), now(), now() \(chillin);
            insert into webhook_endpoint (tenant_id, endpoint_id, url, types, last_fault, sealed_secret, created_at, updated_at)
            select t.tenant_id, 13000 + n, 'https://a.example/' || n, 'drawing.created', m.name, '\\x00', now(), now() \(chillin);
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
            select t.tenant_id, 14000 + n, now(), 'operator', m.name, 'session.end', m.name, m.name \(chillin);
            """
    }

    /// Commands, and the member of their JSON that has every name.
    private static let lists: [(line: String, members: [String])] = [
        ("tenant list", ["name"]), ("user list chillin", ["givenName", "familyName", "email"]),
        ("session list chillin", ["device", "userAgent"]), ("printer list chillin", ["name"]),
        ("job list chillin", ["reason", "printer"]), ("scanner list chillin", ["name", "serial"]),
        ("generator list chillin", ["model", "lastFault"]), ("erasure list chillin --all", ["reference", "reason"]),
        ("webhook list chillin", ["lastFault"]), ("audit list chillin", ["target", "detail"]),
    ]
    private static let others = [
        "job stats chillin", "motion list chillin", "client list chillin", "key list chillin", "quota list chillin",
        "limit list chillin", "retention list chillin", "plan list", "webhook deliveries chillin",
        "consent list chillin 5001",
    ]

    @Test func everyListIsReadAndParsed() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        let names = try HostileName.all()
        try await live.script(Self.filling(names))
        for (line, members) in Self.lists + Self.others.map({ ($0, []) }) {
            let words = Self.complete(line)
            for format in OutputFormat.allCases {
                let run = await live.run(words + ["-o", format.rawValue])
                #expect(run.status == .success, "\(line) -o \(format): \(run.err)")
                #expect(OutputCheck.unsafe(in: run.out, format) == nil, "\(line) -o \(format)")
                switch format {
                case .table, .wide: OutputCheck.isAligned(run.out, "\(line) -o \(format)")
                case .json:
                    let rows = try #require(JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [[String: Any]])
                    for member in members {
                        Self.hasAll(names, rows.map { $0[member] as? String ?? "" }, "\(line) \(member)")
                    }
                case .ndjson:
                    for row in run.out.split(separator: "\n") {
                        _ = try JSONSerialization.jsonObject(with: Data(row.utf8))
                    }
                case .csv:
                    let rows = OutputCheck.csv(run.out)
                    for member in members {
                        let place = try #require(rows.first?.firstIndex(of: member), "\(line) \(member)")
                        #expect(rows.allSatisfy { $0.count == rows[0].count }, "\(line)")
                        Self.hasAll(
                            names.map(HostileName.inCSV),
                            rows.dropFirst().map { $0[place] },
                            "\(line) \(member), CSV"
                        )
                    }
                case .name: break
                }
            }
            let console = RecordingConsole(isTerminal: true)
            console.outputSize = TerminalSize(columns: 80, rows: 24)
            console.hasPager = false
            let shown = await live.run(words, console: console)
            #expect(OutputCheck.unsafe(in: shown.out, .table) == nil, "\(line) at a terminal")
            OutputCheck.isAligned(shown.out, "\(line) at a terminal")
        }
        try await live.remove()
    }

    @Test func everyPageIsReadAndParsed() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        let names = HostileName.own
        try await live.script(Self.filling(names))
        for (number, name) in names.enumerated() {
            let pages: [(words: [String], member: String)] = [
                (["tenant", "show", "n\(number + 1)"], "name"),
                (["user", "show", "chillin", "\(5001 + number)"], "hold"),
                (["printer", "show", "chillin", "--", name], "name"),
                (["job", "show", "chillin", "\(8001 + number)"], "reason"),
                (["scanner", "show", "chillin", "--", name], "name"),
                (["generator", "show", "chillin", "\(11_001 + number)"], "model"),
                (["webhook", "show", "chillin", "\(13_001 + number)"], "lastFault"),
            ]
            for (words, member) in pages {
                for format in [OutputFormat.table, .json, .csv] {
                    let run = await live.run(["-o", format.rawValue] + words)
                    #expect(run.status == .success, "\(words): \(run.err)")
                    #expect(OutputCheck.unsafe(in: run.out, format) == nil, "\(words) -o \(format)")
                    if format == .json {
                        let row = try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any]
                        #expect((row?[member] as? String)?.utf8.elementsEqual(name.utf8) ?? false, "\(words)")
                    }
                }
            }
        }
        // What a file cannot say of such names it does not say wrong: either all of it comes back, or it is refused at its place.
        let exported = await live.run("tenant export chillin")
        #expect(exported.status == .success && OutputCheck.unsafe(in: exported.out, .json) == nil, "\(exported.err)")
        try await live.remove()
    }

    /// Every command that only reads is here, or says nothing of names.
    @Test func everyReadingCommandIsTried() {
        let tried = Set(
            (Self.lists.map(\.line) + Self.others).map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        ).union([
            "tenant show", "tenant export", "user show", "printer show", "job show", "scanner show", "generator show",
            "webhook show",
        ])
        let silent: Set<String> = [
            "status", "doctor", "version", "completion", "job watch", "audit tail", "audit verify", "plan show",
            "audit affected-users", "context list", "context show", "client check", "printer discover", "dev token",
        ]
        let reading = CommandTable.standard.commands.filter { $0.effect == .reads }.map(\.guide.name)
        #expect(Set(reading).subtracting(tried).subtracting(silent) == [])
    }

    /// Names where a command wants one: what cannot be one is a usage error (64), what could be is not found (67), and nothing changes.
    @Test func asArgumentsTheyAreNames() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        let before = await live.run("tenant export chillin").out
        for name in HostileName.own {
            let rows: [(words: [String], status: ExitCode)] = [
                (["tenant", "show", "--", name], .usage), (["tenant", "suspend", "--", name], .usage),
                (["tenant", "delete", "--now", "--confirm=\(name)", "--", name], .usage),
                (["tenant", "export", "--", name], .usage), (["user", "show", "--", "chillin", name], .usage),
                (["user", "ban", "--", "chillin", name], .usage),
                (["session", "list", "--user=\(name)", "chillin"], .usage),
                (["printer", "show", "--", "chillin", name], .notFound),
                (["printer", "disable", "--", "chillin", name], .notFound),
                (["printer", "remove", "--", "chillin", name], .notFound),
                (["printer", "share", "--with=\(name)", "--", "chillin", "office"], .usage),
                (["scanner", "show", "--", "chillin", name], .notFound),
                (["scanner", "remove", "--", "chillin", name], .notFound),
                (["job", "show", "--", "chillin", name], .usage), (["webhook", "show", "--", "chillin", name], .usage),
                (["generator", "show", "--", "chillin", name], .usage), (["plan", "show", "--", name], .usage),
                (["plan", "assign", "--", "chillin", name], .usage),
                (["quota", "set", "--", "chillin", name, "1"], .usage),
                (["limit", "set", "--", "chillin", name, "read", "1"], .usage),
                (["retention", "set", "--", "chillin", name, "1"], .usage),
                (["context", "use", "--", name], .usage), (["tenant", "list", "--context=\(name)"], .usage),
                (["tenant", "list", "--field=\(name)"], .usage), (["tenant", "list", "--output=\(name)"], .usage),
                ([name], .usage), (["tenant", name], .usage),
            ]
            for (words, status) in rows {
                // What asks for help is helped, and ends flags: these are words of the command line and no names.
                if ["--help", "--", "-o", "-h"].contains(name), words.last == name, !words.dropLast().contains("--") {
                    continue
                }
                let run = await live.run(words)
                #expect(run.status == status, "\(words): \(run.status) \(run.err)")
                #expect(run.out.isEmpty && OutputCheck.unsafe(in: run.err, .table) == nil, "\(words)")
            }
        }
        #expect(await live.run("tenant export chillin").out == before)
        #expect(await live.run("tenant list -o name").out == "chillin\n")
        try await live.remove()
    }

    /// With as many rows as a list has.
    private static func complete(_ line: String) -> [String] {
        let words = line.split(separator: " ").map(String.init)
        let entry = CommandTable.standard.commands.first { $0.guide.path == Array(words.prefix($0.guide.path.count)) }
        return words + (entry?.guide.flags.contains { $0.name == "--limit" } ?? false ? ["--limit", "500"] : [])
    }

    private static func hasAll(_ names: [String], _ found: [String], _ place: String) {
        let found = Set(found.map { Array($0.utf8) })
        let missing = names.filter { !found.contains(Array($0.utf8)) }
        #expect(missing.isEmpty, "\(place): \(missing.map(\.debugDescription))")
    }
}
