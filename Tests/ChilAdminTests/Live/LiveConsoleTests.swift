import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// The built program at a terminal, over a database: keys in, screens out.
@Suite struct LiveConsoleTests {
    static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("chiladmin").path

    static let fill = """
        insert into tenant (tenant_id, slug, name, created_at, updated_at)
            values (1, 'chillin', 'Chillin 칠린', '2020-01-01', now()), (2, 'other', E'evil\\x1b[31m', '2020-01-01', now());
        insert into app_user (tenant_id, user_id, given_name, family_name, email, created_at, updated_at)
            values (1, 11, '지우', '김', 'jiwoo@example.org', '2020-01-01', now()),
                   (1, 12, 'Ann', 'Miller', null, '2020-01-01', now()), (2, 21, 'Bea', null, null, '2020-01-01', now());
        insert into session (tenant_id, session_id, user_id, salt, rotated_at, device_name, created_at, last_used_at,
                             idle_expires_at, expires_at)
            values (1, 111, 11, '', now(), '지우의 iPad', '2020-01-01', '2020-01-01', now() + interval '1 day', now() + interval '1 day');
        insert into drawing (tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status,
                             media_type, title)
            values (1, 1001, 11, 12345, '2020-01-01', now(), 640, 480, 'SCANNED', 'READY', 'image/png', '우주를 나는 고래');
        insert into printer (tenant_id, printer_id, name, kind, uri, is_default, state, created_at, updated_at, seen_at, seen_state,
                             seen_reasons)
            values (1, 101, '교실 프린터', 'ipp', 'ipp://localhost/', true, 'enabled', now(), now(), '2020-01-01', 'stopped',
                    E'media-empty-error\\nmarker-supply-low-warning');
        """

    static func environment(_ database: LiveDatabase, _ more: [String: String] = [:]) -> [String: String] {
        [
            "PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "LANG": "C.UTF-8", "CHIL_OPERATOR": "ann",
            "CHIL_DATABASE_URL": database.url(role: "chil_operator"), "CHIL_KEY_FILE": database.keyFile, "PS1": "$ ",
            "chiladmin": program,
        ].merging(more) { $1 }
    }

    static func open(_ database: LiveDatabase, _ words: [String] = [], _ more: [String: String] = [:]) throws
        -> Pseudoterminal
    {
        try Pseudoterminal([program, "console"] + words, environment: environment(database, more))
    }

    static func withDatabase(_ body: (LiveDatabase) async throws -> Void) async throws {
        let database = try await LiveDatabase()
        _ = await database.run("migrate", as: nil)
        try await database.script(fill)
        try await body(database)
        try await database.remove()
    }

    /// Held against a file, but for what the cluster is at.
    static func looksRight(_ terminal: Pseudoterminal, _ name: String) throws {
        terminal.drain()
        // The first line has the database's name and the time.
        let text = String(terminal.screen.text.drop { $0 != "\n" })
            .replacing(#/database +\d.*\n/#, with: "database …\n")
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Screens/\(name).txt"
        )
        if ProcessInfo.processInfo.environment["UPDATE_PAGES"] == "1" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        #expect(text == kept, "UPDATE_PAGES=1 scripts/test --filter LiveConsoleTests writes it anew")
    }

    @Test func keysGoThroughTheLists() async throws {
        try await Self.withDatabase { database in
            let terminal = try Self.open(database)
            #expect(terminal.shows("other"))
            #expect(terminal.shows { $0.text.contains("sign-ins 0") })
            try Self.looksRight(terminal, "overview")
            terminal.type("\r")
            #expect(terminal.shows("jiwoo@example.org"))
            try Self.looksRight(terminal, "users")
            terminal.type("j\r")
            #expect(terminal.shows("지우의 iPad"))
            try Self.looksRight(terminal, "sessions")
            terminal.type("\r")
            #expect(terminal.shows("우주를 나는 고래"))
            try Self.looksRight(terminal, "drawings")
            terminal.type("4")
            #expect(terminal.shows("교실 프린터"))
            try Self.looksRight(terminal, "printers")
            terminal.type(":queue\r")
            #expect(terminal.shows("Nothing here."))
            terminal.type("/한글")
            #expect(terminal.shows("/한글"))
            terminal.type("\u{1B}")
            #expect(terminal.shows("page 1, the last, 0 rows"))
            terminal.type("q")
            #expect(terminal.ended() == 0)
        }
    }

    /// What is done is what the command does, with the operator's name.
    @Test func actsAreTheCommands() async throws {
        try await Self.withDatabase { database in
            let terminal = try Self.open(database, ["--tenant", "chillin"])
            #expect(terminal.shows("jiwoo@example.org"))
            terminal.type("b")
            #expect(terminal.shows("[ Cancel ]"))
            terminal.type("\r")
            #expect(terminal.shows { !$0.text.contains("Cancel") })
            #expect(await database.run("user show chillin 12").out.contains("active"))
            terminal.type("b\t\r")
            #expect(terminal.shows("1 done."))
            #expect(terminal.shows("banned"))
            let audit = await database.run("audit list chillin").out
            #expect(audit.contains("operator ann") && audit.contains("user.state"))
            terminal.type("q")
            #expect(terminal.ended() == 0)
        }
    }

    @Test func readOnlyChangesNothing() async throws {
        try await Self.withDatabase { database in
            let terminal = try Self.open(database, ["--tenant", "chillin", "--read-only"])
            #expect(terminal.shows("jiwoo@example.org"))
            terminal.type("b")
            #expect(terminal.shows("This console is read-only"))
            #expect(!terminal.screen.text.contains("[ Cancel ]"))
            terminal.type("\u{3}")
            #expect(terminal.ended() == 0)
            #expect(await database.run("user show chillin 12").out.contains("active"))
        }
    }

    /// In a context where nothing may be changed no act is offered, by no key and in no list of keys; and one sees where one is.
    @Test func aReadOnlyContextOffersNoActs() async throws {
        try await Self.withDatabase { database in
            let home = FileManager.default.temporaryDirectory.appendingPathComponent("chil-\(UUID())").path
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: home) }
            var environment = Self.environment(database, ["XDG_CONFIG_HOME": home])
            environment["CHIL_DATABASE_URL"] = nil
            for (name, more) in [("production", ["--read-only", "--color", "red"]), ("staging", [])] {
                let words = [
                    Self.program, "context", "add", name, "--database", database.url(role: "chil_operator"),
                ]
                let adding = try Pseudoterminal(words + more, environment: environment)
                #expect(adding.ended() == 0, "\(adding.screen.text)")
            }
            for (name, isReadOnly) in [("production", true), ("staging", false)] {
                let words = [Self.program, "console", "--tenant", "chillin", "--context", name]
                let terminal = try Pseudoterminal(words, environment: environment)
                #expect(terminal.shows("jiwoo@example.org"), "\(terminal.screen.text)")
                let head = terminal.screen.text.prefix { $0 != "\n" }
                #expect(head.hasPrefix(" \(name)  ") && head.contains("READ-ONLY") == isReadOnly, "\(head)")
                terminal.type("b")
                #expect(terminal.shows(isReadOnly ? "This console is read-only" : "[ Cancel ]"))
                #expect(terminal.screen.text.contains("[ Cancel ]") != isReadOnly)
                if !isReadOnly { terminal.type("\u{1B}") }
                #expect(terminal.shows { !$0.text.contains("[ Cancel ]") })
                #expect(terminal.screen.text.contains("b ban") != isReadOnly, "\(terminal.screen.text)")
                terminal.type("?")
                #expect(terminal.shows("up down j k"), "\(terminal.screen.text)")
                #expect(terminal.screen.text.contains("users: b") != isReadOnly, "\(terminal.screen.text)")
                terminal.type("\u{3}")
                #expect(terminal.ended() == 0)
            }
            #expect(await database.run("user show chillin 11").out.contains("active"))
        }
    }

    enum End: String, CaseIterable {
        case q, interrupt, terminate, hangup, segmentation, abort, illegal, trap

        var signal: Int32? {
            switch self {
            case .q, .interrupt: nil
            case .terminate: SIGTERM
            case .hangup: SIGHUP
            case .segmentation: SIGSEGV
            case .abort: SIGABRT
            case .illegal: SIGILL
            case .trap: SIGTRAP
            }
        }
    }

    @Test(arguments: End.allCases)
    func theTerminalIsGivenBack(_ end: End) async throws {
        try await Self.withDatabase { database in
            let terminal = try Self.open(database)
            let before = terminal.settings
            #expect(terminal.shows("chillin"))
            #expect(terminal.screen.isOnSecondScreen)
            #expect(terminal.settings != before)
            if let signal = end.signal {
                kill(terminal.child, signal)
            } else {
                terminal.type(end == .q ? "q" : "\u{3}")
            }
            let isDeadly = [.segmentation, .abort, .illegal, .trap].contains(end)
            #expect(terminal.ended().map { isDeadly ? $0 != 0 : $0 == 0 } ?? false)
            #expect(terminal.settings == before)
            #expect(!terminal.screen.isOnSecondScreen)
            #expect(terminal.screen.isCursorShown)
            #expect(!terminal.screen.isInked)
        }
    }

    /// At a shell, as people have it.
    @Test func itIsSuspendedAndComesBack() async throws {
        try await Self.withDatabase { database in
            let terminal = try Pseudoterminal(
                ["/bin/bash", "--noprofile", "--norc", "-i"],
                environment: Self.environment(database)
            )
            #expect(terminal.shows("$"))
            terminal.type("\"$chiladmin\" console\r")
            #expect(terminal.shows("chillin"))
            terminal.type("\u{1A}")
            #expect(terminal.shows { !$0.isOnSecondScreen && $0.text.contains("Stopped") })
            terminal.type("echo a''live\r")
            #expect(terminal.shows("alive"))
            terminal.type("fg\r")
            #expect(terminal.shows { $0.isOnSecondScreen && $0.text.contains("chillin") })
            terminal.type("q")
            #expect(terminal.shows { !$0.isOnSecondScreen })
            terminal.type("echo status $?\r")
            #expect(terminal.shows("status 0"))
            terminal.type("exit\r")
            #expect(terminal.ended() != nil)
        }
    }

    @Test func itFollowsTheTerminalsSize() async throws {
        try await Self.withDatabase { database in
            let terminal = try Self.open(database)
            #expect(terminal.shows("chillin"))
            #expect(!terminal.screen.text.contains("Chillin 칠린"), "no room for names")
            terminal.resize(140, 30)
            #expect(terminal.shows("Chillin 칠린"))
            terminal.resize(20, 5)
            #expect(terminal.shows("Too small"))
            terminal.resize(80, 24)
            #expect(terminal.shows("chillin"))
            terminal.type("q")
            #expect(terminal.ended() == 0)
        }
    }

    @Test func whileTheDatabaseIsAwayItWaits() async throws {
        try await Self.withDatabase { database in
            let terminal = try Self.open(database, ["--refresh", "1s"])
            #expect(terminal.shows("chillin"))
            try await database.setReachable(false)
            #expect(terminal.shows("Not answered for"))
            #expect(terminal.screen.text.contains("chillin"), "what is known stays")
            try await database.setReachable(true)
            #expect(terminal.shows(.seconds(60)) { !$0.text.contains("Not answered for") })
            terminal.type("q")
            #expect(terminal.ended() == 0)
        }
    }

    @Test(arguments: [
        (["NO_COLOR": "1"], false, true), (["LANG": "C"], true, false), (["TERM": "xterm-256color"], true, true),
    ])
    func itIsAsTheTerminalCan(_ more: [String: String], _ hasColour: Bool, _ isUTF8: Bool) async throws {
        try await Self.withDatabase { database in
            let terminal = try Self.open(database, ["--tenant", "chillin"], more)
            #expect(terminal.shows("jiwoo@example.org"))
            #expect(terminal.screen.hasColour == hasColour)
            #expect(terminal.screen.text.contains("지우") == isUTF8)
            #expect(isUTF8 || terminal.screen.text.utf8.allSatisfy { $0 < 0x7F })
            terminal.type("q")
            #expect(terminal.ended() == 0)
        }
    }

    @Test func aTerminalThatCannotIsRefused() async throws {
        try await Self.withDatabase { database in
            let terminal = try Self.open(database, [], ["TERM": "dumb"])
            #expect(terminal.ended() == ExitCode.configuration.rawValue)
            #expect(terminal.screen.text.contains("cannot move its cursor"))
            #expect(!terminal.screen.isOnSecondScreen)
        }
    }
}

extension LiveDatabase {
    /// Whether the operator's role may connect; where it is connected it is cut off.
    func setReachable(_ isReachable: Bool) async throws {
        let change = isReachable ? "grant connect on database %I to" : "revoke connect on database %I from"
        try await script(
            """
            do $$ begin execute format('\(change) chil_operator', current_database()); end $$;
            select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'chil_operator';
            """
        )
    }
}
