import ChilDatabase
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// Every command that writes, against PostgreSQL: what is only tried changes no row, what is done changes some, and the audit names who.
@Suite struct LiveDryRunTests {
    @Test func whatIsOnlyTriedChangesNothing() async throws {
        let live = try await LiveDatabase()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-dry-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(await live.run("migrate", as: nil).status == .success)
        for slug in ["chillin", "other", "leaving"] {
            #expect(await live.run("tenant create \(slug)").status == .success)
        }
        #expect(await live.run("tenant suspend leaving").status == .success)
        try live.setKeys("1:\(String(repeating: "0f", count: 32))\n2:\(String(repeating: "1e", count: 32))\n")
        try await live.script(WritingRow.people)
        for row in WritingRow.all {
            if let before = row.before { try await live.script(before) }
            if row.path == "ledger apply" {
                let path = folder.appendingPathComponent("deletions.ndjson").path
                #expect(await live.run("ledger export --out \(path)").status == .success)
                try await live.script("delete from account_deletion; " + WritingRow.people)
            }
            if row.path == "tenant apply" {
                let file = WritingRow.file.replacing("{kind}", with: "sketchbook")
                try Data(file.utf8).write(to: folder.appendingPathComponent("tenant.json"))
            }
            let numbers = try await look(live, TestNumbers())
            var line = row.line.replacing("{folder}", with: folder.path)
            for (name, number) in zip(TestNumbers.names, numbers) { line = line.replacing("{\(name)}", with: number) }
            let address = "https://api.example"

            let (before, notes) = (try await look(live, Fingerprint()), try await look(live, OperatorNotes())[0])
            let tried = await live.run("--dry-run " + line, publicURL: address)
            #expect(tried.status == .success, "\(line) --dry-run: \(tried.err)")
            #expect(tried.err.contains("Dry run: nothing was changed.\n"), "\(line): \(tried.err)")
            let after = try await look(live, Fingerprint())
            #expect(before == after, "\(line) --dry-run changed \(Set(before).symmetricDifference(after))")

            let done = await live.run(line, publicURL: address)
            #expect(done.status == .success, "\(line): \(done.err)")
            #expect(!done.err.contains("Dry run"))
            #expect(try await look(live, Fingerprint()) != before, "\(line) changed nothing")
            let isAudited = try await look(live, OperatorNotes())[0] > notes
            #expect(
                isAudited == (WritingRow.unaudited[row.path] == nil || row.isAudited),
                "\(line): audited \(isAudited)"
            )
        }
        try await live.remove()
    }

    @Test func everyCommandThatWritesIsTried() {
        let writing = CommandTable.standard.commands.filter(\.effect.isWriting).map(\.guide.name)
        #expect(Set(writing).subtracting(WritingRow.all.map(\.path)) == [])
        #expect(Set(WritingRow.all.map(\.path)).subtracting(writing) == [])
        #expect(Set(WritingRow.unaudited.keys).subtracting(writing) == [])
    }

    private func look<S: Statement>(_ live: LiveDatabase, _ statement: S) async throws -> [S.Row] {
        try await withDatabase(live.url(role: nil)) { database in try await database.run(statement, .read, of: nil) }
    }
}

/// The content of each table, in one line each.
private struct Fingerprint: Statement {
    static let sql = SQL(
        """
        select c.relname::text || ' ' || (xpath('/row/c/text()', query_to_xml(format(
            'select count(*) || '' '' || md5(coalesce(string_agg(t::text, chr(10) order by t::text), '''')) as c from %I t', c.relname
        ), false, true, '')))[1]::text
          from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1
        """
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

/// How many acts are ann's.
private struct OperatorNotes: Statement {
    static let sql = SQL("select count(*) from audit where actor_kind = 'operator' and actor = 'ann'")
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

/// What lines of the table name by number.
private struct TestNumbers: Statement {
    static let names = ["webhook", "generator", "motion", "erasure", "key"]
    static let sql = SQL(
        """
        select unnest(array[
            (select max(endpoint_id)::text from webhook_endpoint),
            (select max(endpoint_id)::text from image_endpoint where kind = 'sketchbook'),
            (select max(endpoint_id)::text from image_endpoint where kind <> 'sketchbook'),
            (select max(request_id)::text from erasure_request where state = 'open'),
            (select key_id from tenant_key k join tenant t using (tenant_id) where t.slug = 'chillin' and k.state = 'active')
        ])
        """
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
