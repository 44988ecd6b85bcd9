import ChilDatabase
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// Lists of a large installation. Each is a fixed multiple of the cheapest command on the same machine, whatever that takes.
@Suite struct ListMeasurements {
    private static let tenants = 10_000
    private static let drawings = 1_000_000

    private static let filling = """
        insert into tenant (tenant_id, slug, name, created_at, updated_at)
        select n, 't' || n, 'Tenant ' || n, now(), now() from generate_series(100001, \(100_000 + tenants)) n;
        insert into app_user (tenant_id, user_id, given_name, email, created_at, updated_at)
        select t.tenant_id, n, 'Name ' || n, 'mail' || n || '@example.org', now(), now()
          from tenant t, generate_series(1, 20000) n where t.slug = 'chillin';
        insert into session (tenant_id, session_id, user_id, salt, rotated_at, created_at, last_used_at, idle_expires_at, expires_at)
        select tenant_id, user_id, user_id, '', now(), now(), now(), now() + interval '1 day', now() + interval '1 day' from app_user;
        insert into drawing (tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status, media_type)
        select t.tenant_id, n, 1 + n % 20000, 1, now(), now(), 1, 1, 'UPLOADED', 'READY', 'image/png'
          from tenant t, generate_series(1, \(drawings)) n where t.slug = 'chillin';
        insert into print_job (tenant_id, job_id, owner_id, drawing_id, printer_id, state, scale, copies, created_at, updated_at)
        select p.tenant_id, n, 1 + n % 20000, n, p.printer_id, 'completed', 'LARGE', 1, now(), now()
          from printer p, generate_series(1, 200000) n;
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target)
        select tenant_id, n, now(), 'operator', 'ann', 'session.end', 'x' from tenant, generate_series(1, 200000) n where slug = 'chillin';
        analyze;
        """

    @Test func listsAreQuick() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        #expect(
            await live.run("printer add chillin --name office --uri ipp://127.0.0.1:9/ipp/print").status == .success
        )
        try await live.script(Self.filling)
        func best(_ line: String) async -> Duration {
            var best = Duration.seconds(1_000)
            for _ in 0..<4 {
                let begun = ContinuousClock.now
                let run = await live.run(line)
                best = min(best, ContinuousClock.now - begun)
                #expect(run.status == .success, "\(line): \(run.err)")
            }
            return best
        }
        let trivial = await best("plan list")
        // Names for a shell: a narrow question, of which the beginning is a part.
        for (line, found) in [
            ("__complete -- tenant show t1000", 99), ("__complete -- tenant show chil", 1),
            ("__complete -- tenant show t", 200), ("__complete -- user show chillin 1", 111),
            ("__complete -- job show chillin 1", 111),
        ] {
            let time = await best(line)
            print("\(line): \(time), \(time / trivial) of the least")
            let names = await live.run(line).out.split(separator: "\n")
            #expect(names.count > 0 && names.count <= 200, "\(line): \(names.count)")
            if line.contains("tenant show") { #expect(names.count == found, "\(line): \(names.count)") }
            #expect(time < max(trivial * 8, .milliseconds(100)), "\(line) takes \(time), the least \(trivial)")
        }
        for line in [
            "tenant list", "tenant show chillin", "user list chillin",
            "user list chillin --email mail19000@example.org", "session list chillin",
            "quota list chillin", "limit list chillin", "printer list chillin", "job list chillin",
            "job list chillin --state failed",
            "audit list chillin", "client list chillin", "key list chillin", "webhook list chillin",
            "webhook deliveries chillin",
            "generator list chillin", "motion list chillin", "scanner list chillin", "erasure list chillin",
            "retention list chillin",
        ] {
            let time = await best(line)
            print("\(line): \(time), \(time / trivial) of the least")
            // Ten thousand rows are read, aligned and written.
            let factor = line == "tenant list" ? 40 : 12
            #expect(time < max(trivial * factor, .milliseconds(200)), "\(line) takes \(time), the least \(trivial)")
        }
        try await live.remove()
    }
}
