import ChilDatabase
import ChilStore
import Foundation

/// A rule that database and statements keep from the first day, so that both can be spread over several machines later.
struct GrowingRule: Sendable, CustomStringConvertible {
    /// What the rules are held against.
    struct Evidence: Sendable {
        struct Text: Sendable {
            let name: String
            let sql: String
            /// Whether the service sends it, or an operator.
            let isServices: Bool
            /// In a function that is of all tenants (`SchemaFunction`).
            var isOfAllTenants = false
        }

        var catalogue: [(rule: Int, what: String)] = []
        var walled: Set<String> = []
        var texts: [Text] = []
        var functions: [SchemaFunction] = []
        /// Scripts of the schema, by name.
        var scripts: [(name: String, sql: String)] = []
        /// Swift files of the programs, by path.
        var sources: [(name: String, text: String)] = []
    }

    let number: Int
    let description: String
    private let look: @Sendable (Evidence) -> [String]

    /// What breaks it, in words that lead there.
    func breaks(in evidence: Evidence) -> [String] {
        evidence.catalogue.filter { $0.rule == number }.map(\.what) + look(evidence)
    }

    private init(_ number: Int, _ description: String, _ look: @escaping @Sendable (Evidence) -> [String] = { _ in [] })
    {
        self.number = number
        self.description = description
        self.look = look
    }

    static let all = [
        GrowingRule(
            1,
            "tenant_id first in every key, of one type; no triggers, no unlogged tables, no sequences, no key that sets it"
        ),
        GrowingRule(2, "the two policies and no other, without a sub-select"),
        GrowingRule(3, "row security enabled and not forced; the wall is the role, and the owner can log in"),
        GrowingRule(4, "foreign keys have names and stand apart from their tables; every table has its place") {
            evidence in
            evidence.scripts.flatMap { script in
                script.sql.matches(of: #/create table [\s\S]*?\n\)[^;]*;/#).filter { $0.0.contains(" references ") }
                    .map { "\(script.name): a foreign key within \($0.0.prefix(40))" }
                    + script.sql.matches(of: #/add foreign key/#).map { _ in
                        "\(script.name): a foreign key without a name"
                    }
            }
        },
        GrowingRule(5, "nobody is looked up without the tenant") { evidence in
            evidence.texts.filter { text in
                !text.sql.contains("tenant_id") && !Set(SQLText(text.sql).tables).isDisjoint(with: evidence.walled)
            }.map(\.name)
        },
        GrowingRule(
            6,
            "a tenant is entered by chil_enter and by nothing else; who has the owner's rights asks chil_entered for it, and nobody else does",
            tenantsAreEntered
        ),
        GrowingRule(7, "a segment can be a transaction by BEGIN and COMMIT, and then nothing of two tenants is in one")
        { evidence in
            guard DatabaseConfiguration.SegmentForm(rawValue: "explicit") != nil else { return ["no explicit form"] }
            let connection = evidence.sources.first { $0.name.hasSuffix("/PipelinedConnection.swift") }?.text
            guard let connection, !connection.contains("let isGrouped = configuration.form == .implicit && ") else {
                return []
            }
            return ["reads of several tenants may share a transaction in the explicit form"]
        },
        GrowingRule(8, "the tenant is a parameter for each of its tables", tenantsAreParameters),
        GrowingRule(
            9,
            "writes are not chained (operators can wait); only columns and constants are returned",
            writesAreApart
        ),
        GrowingRule(
            10,
            "work of all tenants is one table that no statement joins with a tenant's; it is announced by a statement",
            queueIsApart
        ),
        GrowingRule(11, "errors are told by SQLSTATE, and by a constraint's name without its shard") { evidence in
            var breaks = evidence.sources.filter { source in
                source.text.contains("PQresultErrorField(") && !source.name.hasSuffix("/ServerRefusal.swift")
                    && !source.name.hasSuffix("/PipelinedConnection.swift")
            }.map { "\($0.name) reads errors by itself" }
            if SQLStateRule.rule(for: "08006").decision != .reconnect { breaks.append("08006 is no lost machine") }
            return breaks
        },
        GrowingRule(12, "statements are named by their text; nothing is kept by the session", nothingIsTheSessions),
    ]

    // MARK: Looking at statements

    @Sendable private static func tenantsAreEntered(_ evidence: Evidence) -> [String] {
        let all = evidence.texts.map { ($0.name, $0.sql) } + evidence.functions.map { ($0.name, $0.source) }
        let bare = all.filter { name, sql in
            name != "chil_enter" && name != "chil_entered"
                && (sql.contains("chil.tenant") || sql.contains("current_setting("))
        }.map(\.0)
        // No policy holds these to the tenant: they refuse every other. An operator's are of whatever tenant they are told.
        let asking = evidence.functions.filter { $0.isOwners && $0.isServices && !$0.isOfAllTenants }
        let silent = asking.filter {
            !$0.source.contains(#/if p_tenant is distinct from chil_entered\(\) then\s+raise exception/#)
        }.map { "\($0.name) has the owner's rights and asks for no tenant" }
        let names = Set(asking.map(\.name))
        let curious = all.filter { name, sql in sql.contains("chil_entered(") && !names.contains(name) }
            .map { "\($0.0) takes the tenant that was entered for a parameter" }
        return Array(Set(bare)) + silent + Array(Set(curious))
    }

    @Sendable private static func tenantsAreParameters(_ evidence: Evidence) -> [String] {
        evidence.texts.flatMap { text -> [String] in
            let sql = SQLText(text.sql)
            var breaks: [String] = []
            let read = sql.tablesRead.filter(evidence.walled.contains)
            guard !text.isOfAllTenants else {
                return goesFromTenantToTenant(text, read) ? [] : ["\(text.name): of all tenants"]
            }
            let named = text.sql.matches(of: #/\btenant_id = (\$\d+|e\.tenant)\b/#.wordBoundaryKind(.simple)).count
            if read.count > named {
                breaks.append("\(text.name): \(read.count) tables of tenants, \(named) times the tenant")
            }
            for insert in sql.inserts where evidence.walled.contains(insert.table) {
                if insert.firstColumn != "tenant_id" || !insert.firstValue.hasPrefix("$") {
                    breaks.append("\(text.name): a row of \(insert.table) whose tenant is \(insert.firstValue)")
                }
            }
            return breaks
        }
    }

    /// The one form in which all tenants may be asked: behind a tenant, the next one of an index.
    private static func goesFromTenantToTenant(_ text: Evidence.Text, _ read: [String]) -> Bool {
        read.count <= 1 && SQLText(text.sql).inserts.isEmpty
            && text.sql.contains(
                #/^select \w+\.tenant_id from .*\btenant_id > \$\d+ .*order by \w+\.tenant_id limit 1$/#
                    .wordBoundaryKind(.simple)
            )
    }

    @Sendable private static func writesAreApart(_ evidence: Evidence) -> [String] {
        let writers = Set(evidence.functions.filter { $0.isVolatile && $0.name != "chil_enter" }.map(\.name))
        return evidence.texts.flatMap { text -> [String] in
            var breaks: [String] = []
            // A function that may write is a write; entering a tenant is none.
            let writes =
                text.sql.matches(
                    of: #/\b(insert into|delete from|update \w+( \w+)?\s+set)\b/#.wordBoundaryKind(.simple)
                ).count
                + text.sql.matches(of: #/\b(chil_\w+)\(/#.wordBoundaryKind(.simple)).count {
                    writers.contains(String($0.1))
                }
            if text.isServices, writes > 1, text.sql.contains("with ") { breaks.append("\(text.name): chained writes") }
            for clause in text.sql.matches(
                of: #/\breturning\b([\s\S]*?)(\)\s*,|\)\s*select|$)/#.wordBoundaryKind(.simple)
            ) {
                let calls = clause.1.matches(of: #/\b([a-z_]+)\(/#.wordBoundaryKind(.simple)).map { String($0.1) }
                    .filter {
                        !immutable.contains($0)
                    }
                breaks += calls.map { "\(text.name) returns \($0)()" }
            }
            return breaks
        }
    }

    private static let immutable: Set = ["coalesce", "greatest", "least", "substring", "nullif"]

    @Sendable private static func queueIsApart(_ evidence: Evidence) -> [String] {
        let single = Set(TablePlace.named.filter { $0.value == .single }.keys)
        return evidence.texts.flatMap { text -> [String] in
            let sql = SQLText(text.sql)
            var breaks: [String] = []
            let read = Set(sql.tablesRead)
            let queues = read.intersection(single)
            if !queues.isEmpty, !read.subtracting(queues).isDisjoint(with: evidence.walled.union(TablePlace.named.keys))
            {
                breaks.append("\(text.name): \(queues.sorted().joined(separator: ", ")) with other tables")
            }
            let isOneTenants = text.sql.contains(#/\btenant_id = \$\d/#.wordBoundaryKind(.simple)) && queues.isEmpty
            if text.sql.contains("skip locked"), queues.isEmpty, !isOneTenants {
                breaks.append("\(text.name): locks rows of all tenants")
            }
            if text.sql.contains("pg_notify("), !text.sql.hasPrefix("select pg_notify(") {
                breaks.append("\(text.name): announces within another statement")
            }
            return breaks
        }
    }

    @Sendable private static func nothingIsTheSessions(_ evidence: Evidence) -> [String] {
        var breaks: [String] = []
        for text in evidence.texts {
            let sql = text.sql.lowercased()
            let found = sessions.filter { sql.contains($0) }
            breaks += found.map { "\(text.name): \($0)" }
            if sql.contains("set_config("), !sql.contains(#/set_config\([^)]*, true\)/#) {
                breaks.append("\(text.name): set_config")
            }
            if sql.hasPrefix("set ") { breaks.append("\(text.name): set") }
        }
        if SQL("select 1").name != SQL("select 1").name || SQL("select 1").name == SQL("select 2").name {
            breaks.append("a statement's name is not its text's")
        }
        for source in evidence.sources {
            for call in [
                "PQexec(", "PQexecParams(", "PQsendQuery(", "PQsendQueryParams(", "PQprepare(", "PQsendPrepare(",
            ] where source.text.contains(call) {
                if !senders.contains(where: source.name.hasSuffix) { breaks.append("\(source.name) sends by \(call)") }
            }
            if source.text.contains(".runScript("), !scripters.contains(where: source.name.hasSuffix) {
                breaks.append("\(source.name) runs scripts")
            }
        }
        return breaks
    }

    private static let sessions = [
        "pg_advisory_lock(", "pg_try_advisory_lock(", "pg_advisory_lock_shared(", "create temp", "temporary table",
        " cursor ",
        "listen ", "deallocate ", "discard ", "set session ", ", false)::text",
    ]
    private static let senders = [
        "/PipelinedConnection.swift", "/LiveHandle.swift", "/NotificationListener.swift", "/DatabaseScript.swift",
        "/ConnectionProbe.swift", "/HeldSession.swift",
    ]
    private static let scripters = ["/SchemaMigrator.swift", "/DistributionPlan.swift"]
}
