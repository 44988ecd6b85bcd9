import ChilConsole
import ChilCore
import ChilDatabase
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// What looking costs, with ten thousand tenants and many drawings.
@Suite struct ConsoleMeasurements {
    private static let fill = """
        set session_replication_role = replica;
        insert into tenant (tenant_id, slug, name, created_at, updated_at)
            select n, 'tenant-' || lpad(n::text, 5, '0'), case when n % 2 = 0 then '어린이집 ' || n else 'Kindergarten ' || n end, now(), now()
              from generate_series(1, 10000) as n;
        insert into quota (tenant_id, metric, scope, window_kind, hard_limit, used, updated_at)
            select n, 'drawings', 'tenant', 'none', 1000, n % 1000, now() from generate_series(1, 10000) as n;
        insert into app_user (tenant_id, user_id, given_name, email, created_at, updated_at)
            select 1, n, '지우 ' || n, 'user' || n || '@example.org', now(), now() from generate_series(1, 20000) as n;
        insert into session (tenant_id, session_id, user_id, salt, rotated_at, created_at, last_used_at, idle_expires_at, expires_at)
            select 1, n, n, '', now(), now(), now(), now() + interval '1 day', now() + interval '1 day' from generate_series(1, 20000) as n;
        insert into drawing (tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status, media_type, title)
            select 1, n, 1 + n % 20000, 1000, now(), now(), 640, 480, 'SCANNED', 'READY', 'image/png', '고래 ' || n
              from generate_series(1, 200000) as n;
        insert into printer (tenant_id, printer_id, name, kind, uri, is_default, state, created_at, updated_at)
            select 1, n, 'printer ' || n, 'ipp', 'ipp://localhost/', n = 1, 'enabled', now(), now() from generate_series(1, 50) as n;
        insert into print_job (tenant_id, job_id, owner_id, drawing_id, printer_id, state, scale, copies, created_at, updated_at)
            select 1, n, 1, 1, 1 + n % 50, 'queued', 'LARGE', 1, now(), now() from generate_series(1, 20000) as n;
        insert into work (tenant_id, work_id, kind, subject_id, run_at) select 1 + n % 10000, n, 'print', n, now() from generate_series(1, 20000) as n;
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action) select 1, n, now(), 'service', 'x', 'session.end' from generate_series(1, 50000) as n;
        analyze;
        """

    private static let places: [PageQuery] = {
        let tenant = "tenant-00001"
        let lists: [Place] =
            [.overview, .tenants, .queue, .services, .database].map { Place($0) }
            + [.users, .sessions, .drawings, .printers, .jobs, .audit].map { Place($0, tenant: tenant) } + [
                Place(.sessions, tenant: tenant, user: "7"), Place(.drawings, tenant: tenant, user: "7"),
                Place(.jobs, tenant: tenant, printer: "printer 7"),
            ]
        return lists.map { PageQuery($0, countMax: 41) }
            + [
                PageQuery(Place(.tenants), countMax: 41, filter: "집 99"),
                PageQuery(Place(.tenants), countMax: 41, filter: "nobody"),
                PageQuery(Place(.users, tenant: tenant), countMax: 41, filter: "nobody"),
                PageQuery(Place(.drawings, tenant: tenant), countMax: 41, filter: "고래 1"),
                PageQuery(Place(.tenants), after: "tenant-09000", countMax: 41),
            ]
    }()

    @Test func listsAreQuickAndNothingGrows() async throws {
        let live = try await LiveDatabase()
        _ = await live.run("migrate", as: nil)
        try await live.script(Self.fill)
        let environment = Environment { ["CHIL_DATABASE_URL": live.url(role: "chil_operator")][$0] }
        let services = LiveServices(settings: try Settings(environment: environment, databaseURL: nil)) { _ in }
        let feed = ConsoleFeed(services, try services.watchDatabase(), isReadOnly: true)
        for query in Self.places {
            var best = Duration.seconds(60)
            for _ in 0..<5 {
                let begun = ContinuousClock.now
                let event = await feed.answer(.page(1, query))
                best = min(best, ContinuousClock.now - begun)
                guard case .page(_, let page)? = event else {
                    Issue.record("\(query): \(String(describing: event))")
                    break
                }
                #expect(page.rows.count <= query.countMax)
            }
            print("\(query.place.noun) '\(query.filter)': \(best)")
            #expect(best < Duration.milliseconds(200).patient, "\(query)")
        }
        // An hour of two seconds each, as fast as it goes: asked, answered, drawn.
        let settings = ConsoleModel.Settings(label: "chil", isReadOnly: true)
        let ability = TerminalAbility(depth: .exact, isUTF8: true, pictures: .blocks)
        var model = ConsoleModel(settings, size: ScreenSize(200, 50), ability: ability, at: Timestamp(seconds: 0))
        var shown: Screen?
        var requests = model.begin()
        var (early, bytes) = (0, 0)
        for round in 0..<1_800 {
            while let request = requests.popLast() {
                if let event = await feed.answer(request) { requests += model.received(event) }
            }
            let screen = model.screen
            bytes += ScreenDiff.bytes(from: shown, to: screen, depth: .exact).count
            shown = screen
            if round == 300 { early = Self.residentKilobytes() }
            requests = model.received(.tick(Timestamp(seconds: Int64(round + 1) * 2)))
            #expect(!requests.isEmpty)
        }
        let grown = Self.residentKilobytes() - early
        print("console: grown by \(grown) kB in the last 50 minutes, \(bytes / 1_800) bytes a refresh")
        #expect(grown < 8_192)
        await feed.close()
        await services.close()
        try await live.remove()
    }

    @Test func theProcessorIsLeftAlone() async throws {
        let live = try await LiveDatabase()
        _ = await live.run("migrate", as: nil)
        try await live.script(Self.fill)
        let terminal = try LiveConsoleTests.open(live)
        #expect(terminal.shows("tenant-00001"))
        let (begun, used) = (ContinuousClock.now, Self.processorTicks(of: terminal.child))
        _ = terminal.shows(.seconds(20)) { _ in ContinuousClock.now - begun > .seconds(10) }
        let ticks = Self.processorTicks(of: terminal.child) - used
        let seconds = (ContinuousClock.now - begun).components.seconds
        let percent = Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK))) / Double(seconds) * 100
        print("console: \(percent) % of a core")
        // Not optimised it takes several times as much as it does when built for release.
        #expect(percent < 15)
        terminal.type("q")
        #expect(terminal.ended() == 0)
        try await live.remove()
    }

    private static func residentKilobytes() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }

    /// Of user and system: the 14th and 15th of proc_pid_stat(5).
    private static func processorTicks(of process: pid_t) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        let words = text.split(separator: ")").last?.split(separator: " ") ?? []
        return words.count > 12 ? (Int(words[11]) ?? 0) + (Int(words[12]) ?? 0) : 0
    }
}
