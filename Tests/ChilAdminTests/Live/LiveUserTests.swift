import ChilDatabase
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// What an operator does for people, against PostgreSQL, as the operator's own role.
@Suite struct LiveUserTests {
    private static let people = """
        insert into app_user (tenant_id, user_id, given_name, email, created_at, updated_at)
        select t.tenant_id, n, 'Name ' || n, 'mail' || n || '@example.org', now(), now()
          from tenant t, generate_series(1001, 1003) n where t.slug = 'chillin';
        insert into session (tenant_id, session_id, user_id, salt, rotated_at, created_at, last_used_at, idle_expires_at, expires_at)
        select u.tenant_id, u.user_id + 1000, u.user_id, '', now(), now(), now(), now() + interval '1 day', now() + interval '1 day'
          from app_user u where u.user_id between 1001 and 1003;
        """

    @Test func aPersonIsShownBannedExportedAndDeleted() async throws {
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
        await expect("tenant create chillin --guest", .success)
        await expect("tenant create other", .success)
        try await DatabaseScript(url: live.url(role: nil)).runScript(Self.people)

        await expect("user list chillin --limit 2", .success, err: "add --before")
        await expect("user list chillin --email mail1002@example.org", .success, out: "1002  active  Name 1002")
        await expect("user list chillin --subject nobody", .success, err: "No such user.")
        await expect("user list nobody", .notFound)
        await expect("user show chillin 1001", .success, out: "SESSIONS         1\n")
        await expect("user show other 1001", .notFound, err: "no user 1001")

        await expect("user ban chillin 1001", .success, out: "STATE            banned\n")
        await expect("user show chillin 1001", .success, out: "SESSIONS         0\n")
        await expect("user ban chillin 1001", .success)
        await expect("user unban chillin 1001", .success, out: "STATE            active\n")
        await expect("user show chillin 1002", .success, out: "SESSIONS         1\n")
        await expect("user ban other 1002", .notFound)

        let file = FileManager.default.temporaryDirectory.appendingPathComponent("chil-export-\(UUID()).zip")
        defer { try? FileManager.default.removeItem(at: file) }
        await expect("user export other 1001 --out \(file.path)", .notFound)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        await expect("user export chillin 1001 --out \(file.path)", .success, out: "PATH     \(file.path)\n")
        let entries = try ZIPReader(Array(try Data(contentsOf: file))).entries()
        await expect(
            "user export chillin 1001 --out \(file.path) -o json",
            .success,
            out: "\"entries\": \(entries.count)\n"
        )
        let account = try #require(entries.first { $0.name == "account.json" })
        #expect(String(decoding: account.bytes, as: UTF8.self).contains("mail1001@example.org"))
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)

        await expect("user delete chillin 1001", .usage, err: "--confirm is missing")
        await expect("user delete other 1001 --confirm=other", .notFound)
        await expect("user delete chillin 1001 --confirm=chillin", .success, out: "chl_dr_")
        await expect("user delete chillin 1001 --confirm=chillin", .notFound)
        await expect("user show chillin 1002", .success)
        try await live.remove()
    }

    private struct Locked: Statement {
        static let sql = SQL(
            "select exists (select from pg_locks where relation = 'provider_event'::regclass and mode = 'AccessExclusiveLock' and granted)"
        )
        func bind(_ values: inout BoundValues) {}
        static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
    }

    /// The deletion is committed while the export waits for what providers told, far behind the account's own page.
    @Test func anExportBesideADeletionLeavesNoFile() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        #expect(await live.run("tenant create other").status == .success)
        try await live.script(Self.people)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("chil-export-\(UUID()).zip")
        defer { try? FileManager.default.removeItem(at: file) }

        async let deletion: Void = live.script(
            """
            begin;
            lock table provider_event in access exclusive mode;
            do $$ begin
                while not exists (select from pg_locks where relation = 'provider_event'::regclass and not granted) loop
                    perform pg_sleep(0.02);
                end loop;
            end $$;
            delete from app_user where user_id = 1001;
            commit;
            """
        )
        let isLocked = try await live.withOperator { database in
            try await awaitUntil(.seconds(20)) { try await database.run(Locked(), .read, of: nil) == [true] }
        }
        #expect(isLocked)
        let run = await live.run("user export chillin 1001 --out \(file.path)")
        try await deletion
        #expect(run.status == .notFound && run.err.contains("was deleted while the export was written"), "\(run.err)")
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(await live.run("user export chillin 1002 --out \(file.path)").status == .success)
        #expect(FileManager.default.fileExists(atPath: file.path))
        try await live.remove()
    }
}
