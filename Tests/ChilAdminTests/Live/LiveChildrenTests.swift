import ChilDatabase
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// What an operator does for guardians, against PostgreSQL, as the operator's own role.
@Suite struct LiveChildrenTests {
    /// Three people of each tenant, with the same numbers.
    private static let people = """
        insert into app_user (tenant_id, user_id, given_name, email, created_at, updated_at)
        select t.tenant_id, n, 'Name ' || n, t.slug || n || '@example.org', now() - interval '1 day', now()
          from tenant t, generate_series(1001, 1003) n;
        """

    private static func expect(
        _ live: LiveDatabase,
        _ line: String,
        _ status: ExitCode = .success,
        out: String = "",
        err: String = "",
        at location: SourceLocation = #_sourceLocation
    ) async {
        let run = await live.run(line)
        #expect(run.status == status, "\(line): \(run.err)", sourceLocation: location)
        #expect(out.isEmpty || run.out.contains(out), "\(line): \(run.out)", sourceLocation: location)
        #expect(err.isEmpty || run.err.contains(err), "\(line): \(run.err)", sourceLocation: location)
    }

    private static func prepared() async throws -> LiveDatabase {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        for slug in ["chillin", "other"] { await expect(live, "tenant create \(slug)") }
        try await live.script(people)
        return live
    }

    @Test func consentIsRecordedAndTakenBack() async throws {
        let live = try await Self.prepared()
        await Self.expect(
            live,
            "tenant consent chillin --require collect,disclose:epson",
            out: "collect, disclose:epson"
        )
        await Self.expect(live, "tenant consent chillin --notice 3", out: "CONSENT NOTICE        3")
        await Self.expect(live, "tenant consent chillin --notice 2", .dataRefused, err: "has version 3")
        await Self.expect(live, "tenant show other -o json", out: "\"consentNotice\": 1")
        await Self.expect(live, "consent list chillin 1001", err: "Nothing was said.")
        let record = "consent record chillin 1001 --scopes collect,disclose:epson --method signed-paper --guardian f-17"
        await Self.expect(live, record + " --notice 4", .dataRefused, err: "no later one yet")
        await Self.expect(live, record + " --notice 3", out: "signed-paper", err: "Written down.")
        await Self.expect(live, record + " --notice 3", err: "It held already.")
        await Self.expect(live, record.replacingOccurrences(of: "1001", with: "999") + " --notice 3", .notFound)
        await Self.expect(live, "consent withdraw chillin 1001 --scopes disclose:epson", err: "Written down.")
        await Self.expect(
            live,
            "consent withdraw chillin 1001 --scopes disclose:epson",
            err: "There was no such consent."
        )
        await Self.expect(live, "consent list other 1001", err: "Nothing was said.")
        await Self.expect(live, "printer add chillin --name cloud --uri ipp://h/p --discloses-to epson", out: "epson")
        await Self.expect(live, "tenant consent chillin --require none", out: "CONSENT               -")
        try await live.remove()
    }

    @Test func retentionIsSetAndPeopleAreHeld() async throws {
        let live = try await Self.prepared()
        await Self.expect(live, "retention set chillin audit forever", out: "audit                  -  yes      yes")
        await Self.expect(live, "retention set chillin print-jobs 7", out: "print-jobs             7  no       yes")
        await Self.expect(live, "retention list other", out: "print-jobs           365  no       no")
        await Self.expect(live, "retention unset chillin audit", out: "audit               1095  no       no")
        await Self.expect(live, "user hold chillin 1001 --reason case-17", out: "HOLD             case-17")
        await Self.expect(live, "user hold chillin 999 --reason case-17", .notFound)
        await Self.expect(live, "user show other 1001", out: "HOLD             -")
        await Self.expect(live, "user delete chillin 1001 --confirm=chillin", .dataRefused, err: "is held")
        await Self.expect(live, "user delete other 1001 --confirm=other")
        await Self.expect(live, "user release chillin 1001", out: "HOLD             -")
        await Self.expect(live, "user delete chillin 1001 --confirm=chillin")
        try await live.remove()
    }

    @Test("P-10 a request is opened, shown when it is late, done or refused") func aRequestForErasure() async throws {
        let live = try await Self.prepared()
        func number(_ line: String) async throws -> String {
            let run = await live.run(line + " -o json")
            let members = try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any]
            return String(try #require(members?["id"] as? Int, "\(run.err)"))
        }
        await Self.expect(live, "erasure open chillin 999", .notFound)
        let first = try await number("erasure open chillin 1001 --reference letter-17")
        await Self.expect(live, "erasure open chillin 1001", .dataRefused, err: "is open")
        let second = try await number("erasure open chillin 1002")
        await Self.expect(live, "erasure list chillin", out: first)
        await Self.expect(live, "erasure list other", out: "")
        try await live.script(
            "update erasure_request set due_at = now() - interval '1 hour' where request_id = \(first)"
        )
        await Self.expect(live, "erasure list chillin", .failed, out: "yes", err: "Overdue: \(first).")
        await Self.expect(live, "erasure done other \(first) --confirm=other", .notFound)
        await Self.expect(live, "user hold chillin 1001 --reason case-17")
        await Self.expect(live, "erasure done chillin \(first) --confirm=chillin", .dataRefused, err: "is held")
        await Self.expect(live, "user release chillin 1001")
        await Self.expect(live, "erasure done chillin \(first) --confirm=chillin", out: "chl_dr_", err: "Deleted.")
        await Self.expect(live, "user show chillin 1001", .notFound)
        await Self.expect(live, "user show other 1001", .success)
        await Self.expect(live, "erasure done chillin \(first) --confirm=chillin", .dataRefused, err: "is over")
        await Self.expect(live, "erasure refuse chillin \(second) --reason not-the-guardian", out: "not-the-guardian")
        await Self.expect(live, "user show chillin 1002")
        await Self.expect(live, "erasure list chillin", .success)
        await Self.expect(live, "erasure list chillin --all -o json", out: "\"state\": \"refused\"")
        // Who deletes the account ends the request too.
        let third = try await number("erasure open chillin 1003 --reference letter-18")
        await Self.expect(live, "user delete chillin 1003 --confirm=chillin")
        await Self.expect(live, "erasure done chillin \(third) --confirm=chillin", .dataRefused, err: "is over")
        let all = await live.run("erasure list chillin --all -o json")
        #expect(!all.out.contains("letter-1"), "references are wiped")
        try await live.remove()
    }

    @Test("P-11 a restored backup forgets again") func aRestoredBackupForgetsAgain() async throws {
        let live = try await Self.prepared()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("chil-ledger-\(UUID()).ndjson")
        defer { try? FileManager.default.removeItem(at: file) }
        await Self.expect(live, "user delete chillin 1001 --confirm=chillin", out: "chl_dr_")
        await Self.expect(live, "user delete other 1002 --confirm=other")
        await Self.expect(live, "ledger export --tenant other --out \(file.path)", out: "DELETIONS  1")
        await Self.expect(live, "ledger export --out \(file.path)", out: "DELETIONS  2")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("@") && !text.contains("Name"))
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        let receipts = try await Self.receipts(live)

        // As the backup of the day before has it.
        try await live.script("delete from account_deletion; delete from app_user;" + Self.people)
        await Self.expect(live, "user show chillin 1001", out: "chillin1001@example.org")
        await Self.expect(
            live,
            "ledger apply --file \(file.path) --confirm=\(file.lastPathComponent)",
            out: "DELETED  2"
        )
        for (slug, gone, stays) in [("chillin", 1001, 1002), ("other", 1002, 1001)] {
            await Self.expect(live, "user show \(slug) \(gone)", .notFound)
            await Self.expect(live, "user show \(slug) \(stays)")
        }
        #expect(try await Self.receipts(live) == receipts, "receipts are good again")
        await Self.expect(
            live,
            "ledger apply --file \(file.path) --confirm=\(file.lastPathComponent)",
            out: "GONE     2"
        )

        // A ledger of another database, and what is none.
        let foreign = text.replacing(#/"tenant":\d+/#, with: "\"tenant\":77")
        try Data(foreign.utf8).write(to: file)
        await Self.expect(
            live,
            "ledger apply --file \(file.path) --confirm=\(file.lastPathComponent)",
            out: "STRANGE  2",
            err: "is it the right ledger?"
        )
        try Data((text + "x\n").utf8).write(to: file)
        await Self.expect(
            live,
            "ledger apply --file \(file.path) --confirm=\(file.lastPathComponent)",
            .dataRefused,
            err: "line 3"
        )
        try await live.remove()
    }

    @Test("P-15 one command lists whose data was there") func whoIsAffected() async throws {
        let live = try await Self.prepared()
        await Self.expect(live, "user delete chillin 1002 --confirm=chillin")
        let span = "--since 2000-01-01T00:00:00Z --until 2100-01-01T00:00:00Z -o json"
        let run = await live.run("audit affected-users chillin " + span)
        let rows = try #require(
            try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [[String: Any]],
            "\(run.err)"
        )
        #expect(rows.map { $0["id"] as? Int } == [1001, 1002, 1003])
        #expect(rows.map { $0["email"] as? String } == ["chillin1001@example.org", nil, "chillin1003@example.org"])
        #expect(rows[1]["deletedAt"] is String && rows[0]["deletedAt"] == nil || rows[0]["deletedAt"] is NSNull)
        await Self.expect(live, "audit affected-users nobody " + span, .notFound)
        await Self.expect(
            live,
            "audit affected-users other --since 2000-01-01T00:00:00Z --until 2000-01-02T00:00:00Z",
            err: "Nobody."
        )
        try await live.remove()
    }

    private struct Receipts: Statement {
        static let sql = SQL("select encode(receipt, 'hex') from account_deletion order by deletion_id")
        func bind(_ values: inout BoundValues) {}
        static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
    }

    private static func receipts(_ live: LiveDatabase) async throws -> [String] {
        try await live.withOperator { try await $0.run(Receipts(), .read, of: nil) }
    }
}
