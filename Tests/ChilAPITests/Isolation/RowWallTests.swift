import ChilTestSupport
import Foundation
import Testing

/// SQL in the service's role, as whoever has taken the process over would send it.
@Suite(.ownThread)
struct RowWallTests {
    /// Statements about one table, which shall touch no row of tenant 2: none entered, or 1 entered.
    private static func statements(_ table: String) -> [(entering: Bool, sql: String)] {
        [
            (false, "select count(*) from \(table)"), (false, "select count(*) from \(table) where tenant_id = 2"),
            (false, "copy \(table) to stdout"), (false, "delete from \(table)"),
            (true, "select count(*) from \(table) where tenant_id = 2"),
            (true, "select count(*) from \(table) where tenant_id <> 1"),
            (true, "select tenant_id from \(table) where tenant_id = 2 for update"),
            (true, "copy (select tenant_id from \(table) where tenant_id = 2) to stdout"),
            (true, "update \(table) set tenant_id = 2 where tenant_id = 1"),
            (true, "update \(table) set tenant_id = 1 where tenant_id = 2"),
            (true, "insert into \(table) (tenant_id) values (2)"),
            (true, "copy \(table) (tenant_id) from program 'echo 2'"),
            (true, "delete from \(table) where tenant_id = 2"),
            (true, "truncate \(table)"), (true, "alter table \(table) disable row level security"),
        ]
    }

    /// Directly, and through PgBouncer in transaction mode (I-17).
    @Test(
        "I-07 the service's role sees and changes no row without its tenant, or of another",
        arguments: [false, true]
    )
    func noRowOfAnother(_ isPooled: Bool) async throws {
        let bed = try await TestBed()
        let outcome = Result {
            try bed.fill([])
            let pooler = isPooled ? try Pooler(bed.database) : nil
            defer { pooler?.stop() }
            try bed.query(ManyRows.script)
            let address = try pooler?.url("chil_service") ?? bed.database.url("chil_service")
            try Self.attack(bed, address)
        }
        try await bed.remove()
        try outcome.get()
    }

    private static func attack(_ bed: TestBed, _ address: String) throws {
        let tables = try bed.query(
            """
            select relname from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' and relrowsecurity
               and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id') order by 1
            """
        )
        #expect(tables.count >= 22)
        var script = ""
        for table in tables {
            for (index, attempt) in statements(table).enumerated() {
                let enter = attempt.entering ? "select chil_enter(1) \\g /dev/null\n" : ""
                script += "\\echo @ \(table) \(index)\nbegin;\n\(enter)\(attempt.sql);\nrollback;\n"
            }
        }
        let before = try counts(tables, bed)
        let said = try bed.psql(script, address)
        // After each mark: an error, or nothing, or the number 0.
        let answers = said.components(separatedBy: "@ ").dropFirst()
        #expect(answers.count == tables.count * statements("").count)
        var refused = 0
        for answer in answers {
            let lines = answer.split(separator: "\n").map(String.init)
            let rest = lines.dropFirst().filter {
                $0 != "0" && $0 != "BEGIN" && $0 != "ROLLBACK" && $0 != "UPDATE 0" && $0 != "DELETE 0" && $0 != "COPY 0"
            }
            // insufficient_privilege; COPY FROM with row security
            let states = rest.filter { $0.contains("ERROR:  42501") || $0.contains("ERROR:  0A000") }
            refused += states.count
            #expect(rest.count == states.count, "\(answer)")
        }
        // What writes at all is refused for every table.
        #expect(refused >= 6 * tables.count)
        #expect(try counts(tables, bed) == before)
    }

    private static func counts(_ tables: [String], _ bed: TestBed) throws -> [String] {
        try bed.query(
            tables.map { "select '\($0)', tenant_id, count(*) from \($0) group by 2" }.joined(separator: " union all ")
                + " order by 1, 2"
        )
    }
}
