import ChilCore
import ChilDatabase
import ChilTestSupport
import Foundation
import Testing

@testable import ChilStore

/// The plan of everything that is ever sent, and of every statement within the schema's functions: over tables of more than a thousand
/// rows of three tenants each, analysed, generic, with the settings of the service's role.
@Suite struct EveryPlanTests {
    /// As the role that sends it, so with its policies; and as an administrator, whom no policy binds: what is in the condition then, the
    /// statement says itself.
    @Test("I-15, I-16: each table of tenants is read by an index that begins with the tenant, whom the statement names")
    func everyPlanGoesByTheTenant() async throws {
        try await TestStore.withOwnDatabase { store in
            try await store.script(Self.fill)
            // For what only `chiladmin distribute` sends.
            try await store.script(CitusSimulation.script)
            let evidence = try await GrowingRuleTests.evidence(store)
            let types = try await Self.innerTypes(store)
            var planned = 0
            for text in evidence.texts {
                let sender = text.isServices ? store.service : store.operatorRole
                for (who, databases) in [
                    ("policies", [sender, store.operatorRole]), ("nobody's", [store.administrator]),
                ] {
                    do throws(DatabaseError) {
                        let plan = try await Self.plan(text.sql, types[text.sql] ?? [], by: databases)
                        planned += plan == nil ? 0 : 1
                        for fault in PlanNode.faults(in: plan ?? "[]", isOfAllTenants: text.isOfAllTenants) {
                            Issue.record("\(text.name), \(who): \(fault): \(text.sql)")
                        }
                    } catch {
                        Issue.record("\(text.name): \(error) \(error.detail): \(text.sql)")
                    }
                }
            }
            #expect(planned > 300)
        }
    }

    @Test func aPlanThatReadsAWholeTableIsFound() async throws {
        try await TestStore.withOwnDatabase { store in
            try await store.script(Self.fill)
            for sql in [
                "select 1 from nonce where expires_at < $1", "select 1 from session where session_id = $1",
                "delete from drawing where owner_id = $1", "update image set media_type = $1",
            ] {
                let plan = try await store.administrator.run(Explain(sql: sql, types: ""), .read, of: nil)[0]
                #expect(!PlanNode.faults(in: plan).isEmpty, "\(plan)")
            }
        }
    }

    /// By the first role that may run it; `nil`: none of them, so it is an administrator's, or done with the owner's rights. A parameter
    /// that could be anything is a text.
    private static func plan(_ sql: String, _ types: [String], by databases: [SharedDatabase])
        async throws(DatabaseError)
        -> String?
    {
        for database in databases {
            var types = types
            while true {
                do {
                    let explain = Explain(sql: sql, types: types.joined(separator: ", "))
                    return try await database.run(explain, .read, of: TenantID(rawValue: 1)).first
                } catch {
                    if error.sqlState == "42501" { break }
                    let number = error.detail.split(separator: "$").last.flatMap { Int($0) }
                    guard error.sqlState == "42P18", let number, number <= types.count, types[number - 1] != "text"
                    else {
                        throw error
                    }
                    types[number - 1] = "text"
                }
            }
        }
        return nil
    }

    private static func innerTypes(_ store: TestStore) async throws -> [String: [String]] {
        var types: [String: [String]] = [:]
        for function in try await store.administrator.run(Functions(), .read, of: nil) {
            for inner in function.body.inner { types[inner.text] = inner.types }
        }
        return types
    }

    private static let fill =
        ManyRows.script + """
            analyze;
            create function planned(p_sql text, p_types text) returns text language plpgsql
                set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set jit = off
                as $$
                declare
                    plan text := 'plan_' || md5(random()::text);
                    nulls text;
                    answer text;
                begin
                    execute 'prepare ' || plan || case when p_types <> '' then '(' || p_types || ')' else '' end || ' as ' || p_sql;
                    select '(' || string_agg('null', ', ') || ')' into nulls
                      from pg_prepared_statements s cross join unnest(s.parameter_types) where s.name = plan;
                    execute 'explain (format json, costs off) execute ' || plan || coalesce(nulls, '') into answer;
                    execute 'deallocate ' || plan;
                    return answer;
                end
                $$;
            grant execute on function planned(text, text) to chil_service, chil_operator;
            """
}

private struct Explain: Statement {
    static let sql = SQL("select planned($1, $2)")

    let sql: String
    let types: String

    func bind(_ values: inout BoundValues) {
        values.append(sql)
        values.append(types)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

/// A step of a plan, as `explain (format json)` tells it.
enum PlanNode {
    /// The steps that read a table of tenants otherwise than by an index whose condition has the tenant.
    ///
    /// - Parameter isOfAllTenants: it goes from tenant to tenant instead (`GrowingRule.Evidence.Text`).
    static func faults(in plan: String, isOfAllTenants: Bool = false) -> [String] {
        let root = (try? JSONSerialization.jsonObject(with: Data(plan.utf8))) as? [[String: Any]]
        return (root ?? [["Plan": ["Node Type": "no plan's Scan", "Relation Name": "it"]]]).compactMap {
            $0["Plan"] as? [String: Any]
        }.flatMap { faults($0, named: isOfAllTenants ? "tenant_id > " : "tenant_id = ") }
    }

    private static func faults(_ node: [String: Any], named tenant: String) -> [String] {
        var faults = (node["Plans"] as? [[String: Any]] ?? []).flatMap { Self.faults($0, named: tenant) }
        let kind = node["Node Type"] as? String ?? ""
        if let table = node["Relation Name"] as? String, kind.hasSuffix("Scan"), !whole.contains(table),
            !table.hasPrefix("pg_")
        {
            let condition = node["Index Cond"] as? String
            if condition == nil { faults.append("\(kind) of \(table)") }
            if let condition, !condition.contains(tenant) {
                faults.append("\(kind) of \(table) by \(condition)")
            }
        }
        return faults
    }

    /// Tables that no tenant owns, the catalogue, and what a test made.
    private static var whole: Set<String> { Set(TablePlace.named.keys) }
}
