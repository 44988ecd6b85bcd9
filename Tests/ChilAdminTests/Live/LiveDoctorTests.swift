import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// What `doctor` sees, against PostgreSQL.
@Suite struct LiveDoctorTests {
    private func rows(_ run: Run) throws -> [String: String] {
        let rows = try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [[String: Any]] ?? []
        return Dictionary(rows.map { ("\($0["check"] ?? "")", "\($0["state"] ?? "") \($0["finding"] ?? "")") }) {
            first,
            _ in first
        }
    }

    @Test func eachFaultIsFoundAndTheOthersAreStillLookedAt() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        for slug in ["chillin", "other"] { #expect(await live.run("tenant create \(slug)").status == .success) }
        let sound = await live.run("doctor -o json")
        #expect(sound.status == .success, "\(sound.out)")
        let first = try rows(sound)
        #expect(first.count == DoctorCheck.allCases.count)
        for check in [
            "database", "role", "migrations", "clock", "keyfile", "keys", "quotas", "audit", "sweeps", "disk",
        ] {
            #expect(first[check]?.hasPrefix("ok ") == true, "\(check): \(first[check] ?? "-")")
        }
        #expect(
            first["clients"]?.hasPrefix("warn nobody can sign in: chillin, other") == true,
            "\(first["clients"] ?? "")"
        )
        #expect(first["services"]?.hasPrefix("warn ") == true)

        #expect(await live.run("quota set chillin drawings 5").status == .success)
        #expect(
            await live.run("printer add chillin --name office --uri ipp://127.0.0.1:9/ipp/print").status == .success
        )
        try await live.script(WritingRow.people)
        try await live.script(
            """
            update tenant_key set state = 'retired' where tenant_id = (select tenant_id from tenant where slug = 'other');
            update quota set used = 4;
            update printer set seen_state = 'unreachable', seen_at = now();
            update session set expires_at = now() - interval '3 days';
            delete from schema_migration where version = (select max(version) from schema_migration);
            insert into work (tenant_id, work_id, kind, subject_id, run_at)
            select tenant_id, 1, 'print', 1, now() - interval '1 hour' from tenant where slug = 'chillin';
            """
        )
        try live.setKeys("1:00\n")
        let ill = await live.run("doctor -o json")
        #expect(ill.status == .failed)
        let second = try rows(ill)
        for (check, said) in [
            ("keys", "fail no active key: other"), ("quotas", "warn 1 counts differ"),
            ("printers", "warn 1 printers that no worker reaches: chillin"),
            ("sweeps", "warn sessions are over"), ("migrations", "fail the schema has version"), ("keyfile", "fail"),
            ("jobs", "warn 1 pieces of work"),
            ("database", "ok"), ("disk", "ok"),
        ] { #expect(second[check]?.hasPrefix(said) == true, "\(check): \(second[check] ?? "-")") }
        #expect(!ill.out.contains("\"state\": \"warn\",\n    \"finding\": \"\""))
        let only = await live.run("doctor --only disk --only clock")
        #expect(only.status == .success && only.out.split(separator: "\n").count == 3, "\(only.out)")
        #expect(await live.run("doctor --only disc").status == .usage)
        let asService = try rows(await live.run("doctor -o json", as: "chil_service"))
        #expect(asService.count == DoctorCheck.allCases.count)
        try await live.remove()
        let away = await live.run("doctor -o json")
        #expect(away.status == .failed)
        #expect(try rows(away)["database"]?.hasPrefix("fail no connection") == true)
        #expect(try rows(away).count == DoctorCheck.allCases.count)
    }
}
