import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// `job stats` and `status` over prints and printers of two tenants, against PostgreSQL.
@Suite struct LiveFiguresTests {
    /// Prints of both tenants: asked for at that many seconds ago, then what happened and how many seconds later.
    private static let fill = """
        insert into app_user (tenant_id, user_id, created_at, updated_at) select tenant_id, 1001, now(), now() from tenant;
        create temporary table told (slug text, job bigint, printer text, asked int, state text, reason text, events text);
        insert into told values
            ('chillin', 1, 'office', 600, 'completed', null, 'queued:0 submitting:2 sent:3 printing:4 completed:12'),
            ('chillin', 2, 'office', 500, 'completed', null, 'queued:0 submitting:4 sent:5 completed:24'),
            ('chillin', 3, 'office', 400, 'failed', 'documentUnprintable', 'queued:0 submitting:1 failed:2'),
            ('chillin', 4, 'hall', 300, 'queued', 'paperEmpty', 'queued:0'),
            ('chillin', 5, 'hall', 172800, 'completed', null, 'queued:0 submitting:1 completed:3'),
            ('chillin', 6, 'hall', 90, 'completed', null, 'queued:0 submitting:1 failed:2 queued:30 submitting:35 completed:40'),
            ('school', 1, 'office', 100, 'completed', null, 'queued:0 submitting:1 completed:61'),
            ('school', 2, 'office', 100, 'canceled', null, 'queued:0 canceled:50');
        insert into print_job (tenant_id, job_id, owner_id, drawing_id, printer_id, state, reason, scale, copies, event_count, created_at,
                               updated_at, run_from)
        select t.tenant_id, d.job, 1001, 1, p.printer_id, d.state, d.reason, 'MEDIUM', 1, 1, now() - make_interval(secs => d.asked),
               now() - make_interval(secs => d.asked - 60), case when d.job = 6 then 4 else 1 end
          from told d join tenant t using (slug) join printer p on p.tenant_id = t.tenant_id and p.name = d.printer;
        insert into print_job_event (tenant_id, job_id, sequence, state, at)
        select t.tenant_id, d.job, e.place, split_part(e.word, ':', 1),
               now() - make_interval(secs => d.asked) + make_interval(secs => split_part(e.word, ':', 2)::int)
          from told d join tenant t using (slug), string_to_table(d.events, ' ') with ordinality as e (word, place);
        insert into work (tenant_id, work_id, kind, subject_id, run_at)
        select tenant_id, 4, 'print', 4, now() - interval '5 minutes' from tenant where slug = 'chillin';
        """

    private static func withDatabase(_ body: (LiveDatabase) async throws -> Void) async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        for (slug, printers) in [("chillin", ["office", "hall"]), ("school", ["office"])] {
            #expect(await live.run("tenant create \(slug)").status == .success)
            for printer in printers {
                let line = "printer add \(slug) --name \(printer) --uri ipp://127.0.0.1:9/ipp/print"
                #expect(await live.run(line).status == .success)
            }
        }
        try await body(live)
        try await live.remove()
    }

    private static func lines(_ run: Run) throws -> [String] {
        let rows = try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [[String: Any]] ?? []
        return rows.map { row in
            func word(_ key: String) -> String { (row[key] as? String) ?? (row[key] as? Int).map(String.init) ?? "-" }
            let waits = row["state"] as? String == "queued"
            return [
                "tenant", "printer", "state", "reason", "count", "queueMedianMs", "queue95Ms", "printMedianMs",
                "print95Ms",
            ]
            .map { waits && $0.hasPrefix("queue") ? "so long" : word($0) }.joined(separator: " ")
        }
    }

    @Test func printsAreCountedByPrinterOutcomeAndTime() async throws {
        try await Self.withDatabase { live in
            try await live.script(Self.fill)
            let one = await live.run("job stats chillin -o json")
            #expect(one.status == .success)
            #expect(one.err.hasPrefix("1 are due in the queue, the oldest for 30"), "\(one.err)")
            #expect(
                try Self.lines(one) == [
                    "chillin hall queued paperEmpty 1 so long so long - -",
                    "chillin hall completed - 1 5000 5000 5000 5000",
                    "chillin office completed - 2 2000 4000 10000 20000",
                    "chillin office failed documentUnprintable 1 1000 1000 - -",
                ]
            )
            #expect(
                try Self.lines(await live.run("job stats chillin --since 3d --printer hall -o json")) == [
                    "chillin hall queued paperEmpty 1 so long so long - -",
                    "chillin hall completed - 2 1000 5000 2000 5000",
                ]
            )
            #expect(
                try Self.lines(await live.run("job stats -o json")) == [
                    "- - queued paperEmpty 1 so long so long - -", "- - completed - 4 2000 5000 10000 60000",
                    "- - failed documentUnprintable 1 1000 1000 - -", "- - canceled - 1 50000 50000 - -",
                ]
            )
            #expect(
                try Self.lines(await live.run("job stats --by tenant -o json")).filter { $0.hasPrefix("school") } == [
                    "school - completed - 1 1000 1000 60000 60000", "school - canceled - 1 50000 50000 - -",
                ]
            )
            let csv = await live.run("job stats --tenant school -o csv --field state,count").out
            #expect(csv == "state,count\r\ncompleted,1\r\ncanceled,1\r\n", "\(csv)")
            #expect(await live.run("job stats chillin --printer nowhere -o json").out == "[]\n")
            #expect(await live.run("job stats nobody").status == .notFound)
        }
    }

    @Test func statusNamesPrintersInTroubleAndWhatWasDoneLast() async throws {
        try await Self.withDatabase { live in
            func row() async throws -> [String: Any] {
                let run = await live.run("status -o json")
                return try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any] ?? [:]
            }
            let fresh = try await row()
            #expect((fresh["printersInTrouble"] as? [String])?.isEmpty == true)
            for member in ["lastSweepAt", "lastDeliveryAt"] { #expect(fresh[member] is NSNull, "\(member)") }
            try await live.sealAudit()
            try await live.script(
                """
                update printer set seen_state = 'stopped', seen_reasons = E'media-empty-error\\nmedia-jam', seen_at = now(),
                       seen_since = '2026-01-02T03:04:05Z' where name = 'hall';
                update printer set seen_state = 'unreachable', seen_at = '2026-01-03T00:00:00Z' where name = 'office'
                       and tenant_id = (select tenant_id from tenant where slug = 'school');
                update printer set seen_state = 'idle', seen_at = now() where name = 'office'
                       and tenant_id = (select tenant_id from tenant where slug = 'chillin');
                insert into service_beat (replica, release, roles, loops, started_at, seen_at, requests, rate_milli, load_milli,
                                          memory_bytes, minutes, busy_tenants, busy_milli, swept_at)
                       values ('r', '1', 'all', 1, now(), now(), 0, 0, 0, 0, '{}', '{}', '{}', '2026-02-03T04:05:06Z'),
                              ('s', '1', 'api', 1, now(), now(), 0, 0, 0, 0, '{}', '{}', '{}', null);
                insert into webhook_endpoint (tenant_id, endpoint_id, url, types, sealed_secret, created_at, updated_at, last_delivered_at)
                       select tenant_id, 5, 'https://a.example', 'print.failed', '', now(), now(), '2026-03-04T05:06:07Z' from tenant;
                """
            )
            let troubled = try await row()
            #expect(
                troubled["printersInTrouble"] as? [String] == [
                    "chillin/hall: stopped (media-empty-error, media-jam) since 2026-01-02T03:04:05.000Z",
                    "school/office: unreachable since 2026-01-03T00:00:00.000Z",
                ]
            )
            #expect((troubled["lastSweepAt"] as? String)?.hasPrefix("2026-02-03T04:05:06") == true)
            #expect((troubled["lastDeliveryAt"] as? String)?.hasPrefix("2026-03-04T05:06:07") == true)
            #expect(troubled["lastSealAt"] is String)
            // What is not in use is in no trouble.
            #expect(await live.run("printer disable chillin hall").status == .success)
            #expect((try await row()["printersInTrouble"] as? [String])?.count == 1)
            try await live.script(
                """
                insert into printer (tenant_id, printer_id, name, kind, uri, is_default, state, created_at, updated_at, seen_at, seen_state)
                select tenant_id, 5000 + n, 'p' || n, 'ipp', 'ipp://h/', false, 'enabled', now(), now(), now(), 'stopped'
                  from tenant, generate_series(1, 300) n where slug = 'chillin'
                """
            )
            let many = try await row()["printersInTrouble"] as? [String] ?? []
            #expect(many.count == StatusRow.printersMax + 1 && many.last == "180 or more others", "\(many)")
        }
    }
}
