import ChilCore
import ChilDatabase
import ChilStore
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// The audit as an operator reads and proves it, against PostgreSQL.
@Suite struct LiveAuditTests {
    private static let rows = """
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, address)
        select t.tenant_id, 1000 + n, now(), 'user', (n % 3)::text, case n % 2 when 0 then 'session.create' else 'drawing.delete' end,
               n::text, 'Zeile "' || n || E'"\\n칠', '192.0.2.1'
          from tenant t, generate_series(1, 100) n where t.slug = 'chillin'
        """

    /// Rows that have their time while the chain is read are no gap in it.
    @Test func whatIsPrunedMeanwhileIsNoGap() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        #expect(await live.run("tenant create other").status == .success)
        try await live.script(
            """
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action)
            select t.tenant_id, 1000 + n, now(), 'user', '1', 'session.create' from tenant t, generate_series(1, 8000) n where t.slug = 'chillin'
            """
        )
        try await live.sealAudit()
        let isPruned = Locked(false)
        async let pruning: Void = {
            defer { isPruned.withLock { $0 = true } }
            for _ in 0..<75 {
                try await live.script(
                    "select chil_prune_audit(tenant_id, now() + interval '1 hour', 100) from tenant where slug = 'chillin'"
                )
            }
        }()
        var rounds = 0
        repeat {
            let run = await live.run("audit verify")
            #expect(run.status == .success, "\(run.err)")
            rounds += 1
        } while !isPruned.withLock { $0 }
        try await pruning
        #expect(rounds > 1)
        #expect(await live.run("audit verify").status == .success)
        try await live.remove()
    }

    @Test func theAuditIsReadFollowedVerifiedAndExported() async throws {
        let live = try await LiveDatabase()
        func expect(
            _ line: String,
            _ status: ExitCode,
            out: String = "",
            err: String = "",
            at location: SourceLocation = #_sourceLocation
        ) async {
            let run = await live.run(line)
            #expect(run.status == status, "\(line): \(run.err)", sourceLocation: location)
            #expect(out.isEmpty || run.out.contains(out), "\(line): \(run.out)", sourceLocation: location)
            #expect(err.isEmpty || run.err.contains(err), "\(line): \(run.err)", sourceLocation: location)
        }
        #expect(await live.run("migrate", as: nil).status == .success)
        await expect("audit verify", .success)
        await expect("tenant create chillin", .success)
        await expect("tenant create other", .success)
        try await live.script(Self.rows)

        // Pages follow each other, by cursor, until the tenant's own making.
        var line = "audit list chillin --limit 40 -o json"
        var seen: [Int] = []
        for _ in 0..<3 {
            let run = await live.run(line)
            let page = try #require(try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [[String: Any]])
            seen += page.compactMap { $0["id"] as? Int }
            guard let cursor = page.last?["cursor"] as? String else { break }
            line = "audit list chillin --limit 40 -o json --before \(cursor)"
        }
        #expect(seen.count == 101 && Set(seen).count == 101)
        #expect(seen.prefix(3) == [1_100, 1_099, 1_098])
        await expect("audit list chillin --actor 2 --action drawing.* --target 5", .success, out: "drawing.delete")
        let none = await live.run("audit list chillin --since 2030-01-01")
        #expect(none.status == .success && !none.out.contains("session"))
        await expect("audit list chillin --until 2h", .success)
        await expect("audit list other --limit 5", .success, out: "tenant.create")
        await expect("audit list nobody", .notFound)
        await expect("audit list chillin --since yesterday", .usage, err: "'yesterday' is not a moment")
        await expect("audit list chillin --before x", .usage, err: "is not a cursor")

        // Followed from the beginning for a moment: each row once.
        let followed = await live.run("audit tail chillin --since 1h --for 1s -o json")
        #expect(followed.status == .success)
        #expect(followed.out.split(separator: "\n").count == 101)
        await expect("audit tail chillin --since 1h --for 1s --actor ann", .success, out: "operator ann  tenant.create")

        await expect("audit verify --tenant chillin", .success)
        try await live.script("update audit set recorded_at = recorded_at - interval '2 minutes'")
        await expect("audit verify --tenant chillin", .failed, err: "chillin: row 1001 is not sealed")
        try await live.sealAudit()
        await expect("audit verify", .success)
        await expect("audit list chillin --limit 1", .success, out: "101")
        let verified = await live.run("audit verify --tenant chillin -o json")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(verified.out.utf8)) as? [[String: Any]])
        let head = try #require(report.first?["head"] as? String)
        #expect(head.hasPrefix("101:"))
        await expect("audit verify --tenant chillin --expect \(head)", .success)
        await expect(
            "audit verify --tenant other --expect \(head)",
            .failed,
            err: "other: the chain ends at 1, and once reached 101"
        )

        let file = FileManager.default.temporaryDirectory.appendingPathComponent("chil-audit-\(UUID()).ndjson")
        try Data("of before".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file.path)
        defer { try? FileManager.default.removeItem(at: file) }
        await expect("audit export chillin --out \(file.path)", .success, out: head)
        await expect("audit verify --file \(file.path) --expect \(head)", .success, out: head)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.split(separator: "\n").count == 103 && !text.contains("192.0.2.1"))
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        for (change, status, finding) in [
            (
                text.replacingOccurrences(of: "\"target\":\"5\"", with: "\"target\":\"6\""), ExitCode.failed,
                "was changed"
            ),
            (
                text.components(separatedBy: "\n").filter { !$0.contains("\"sequence\":50,\"row") }.joined(
                    separator: "\n"
                ), .failed, "link 50 was removed"
            ),
            (Self.swapping(20, 21, in: text), .failed, "link 20 is out of order"),
            (
                text.replacingOccurrences(of: "\"slug\":\"chillin\"", with: "\"slug\":\"chilling\""), .failed,
                "the making of 'chilling'"
            ),
            (text.components(separatedBy: "\n").dropLast(5).joined(separator: "\n"), .dataRefused, "ends early"),
            ("{}\n", .dataRefused, "is no export of an audit"),
            (text + "{}\n", .dataRefused, "goes on behind its end"),
        ] {
            try change.write(to: file, atomically: true, encoding: .utf8)
            await expect("audit verify --file \(file.path)", status, err: finding)
        }
        await expect("audit export chillin --after 90 --out \(file.path)", .success, out: "ROWS  11")
        await expect("audit verify --file \(file.path)", .success, out: head)
        await expect("audit export chillin --after 900 --out \(file.path)", .dataRefused)
        await expect("audit verify --file /no/such/file", .dataRefused)

        try await live.script("delete from audit where audit_id = 1005")
        await expect("audit verify", .failed, err: "chillin: row 1005 (sequence")
        await expect("audit verify --tenant other", .success)
        try await live.remove()
    }

    /// Two lines of an export changed places.
    private static func swapping(_ first: Int, _ second: Int, in text: String) -> String {
        var lines = text.components(separatedBy: "\n")
        lines.swapAt(first, second)
        return lines.joined(separator: "\n")
    }

    /// A tenant whose whole audit is gone, or the chain of it: what is not there says so.
    @Test(arguments: [
        (
            """
            delete from audit where tenant_id = (select tenant_id from tenant where slug = 'chillin');
            delete from audit_link where tenant_id = (select tenant_id from tenant where slug = 'chillin');
            delete from audit_chain where tenant_id = (select tenant_id from tenant where slug = 'chillin')
            """,
            "chillin: the making of 'chillin' (tenant.create) is not in it"
        ),
        (
            "delete from audit_chain where tenant_id = (select tenant_id from tenant where slug = 'chillin')",
            "chillin: 11 rows say that they are sealed, the chain has 0"
        ),
        (
            """
            update audit a set sequence = null
              from tenant t where t.slug = 'chillin' and a.tenant_id = t.tenant_id and a.audit_id = 1005
            """,
            "row 1005 (sequence"
        ),
    ])
    func whatIsMissingAsAWholeIsFound(_ change: String, _ finding: String) async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        for slug in ["chillin", "other"] { #expect(await live.run("tenant create \(slug)").status == .success) }
        // Made a moment ago, and sealed by nobody yet.
        #expect(await live.run("audit verify").status == .success)
        try await live.script(Self.rows.replacingOccurrences(of: "(1, 100)", with: "(1, 10)"))
        try await live.sealAudit()
        #expect(await live.run("audit verify").status == .success)
        try await live.script(change)
        try await live.sealAudit()
        let run = await live.run("audit verify --tenant chillin")
        #expect(run.status == .failed && run.err.contains(finding), "\(run.err)")
        #expect(await live.run("audit verify --tenant other").status == .success)
        try await live.remove()
    }
}
