import ChilDatabase
import ChilSchema
import ChilStore
import ChilTestSupport
import Foundation
import Testing

/// The twelve rules of growing past one machine, held against the catalogue, all statements that the programs can send, and the bodies of
/// the schema's functions.
@Suite struct GrowingRuleTests {
    @Test func theTwelveRulesAreKept() async throws {
        try await TestStore.withOwnDatabase { store in
            let evidence = try await Self.evidence(store)
            #expect(evidence.texts.count > 150, "so many statements are looked at")
            for rule in GrowingRule.all {
                #expect(rule.breaks(in: evidence) == [], "rule \(rule.number): \(rule)")
            }
            #expect(GrowingRule.all.map(\.number) == Array(1...12))
        }
    }

    /// Each breaks one rule, and is found to.
    @Test(arguments: [
        (
            "create table planted (note text, tenant_id bigint not null, constraint planted_pkey primary key (note, tenant_id)); alter table planted enable row level security",
            1
        ),
        (
            "create table planted (tenant_id integer not null, constraint planted_pkey primary key (tenant_id)); alter table planted enable row level security",
            1
        ),
        (
            "alter table drawing alter column version drop default, alter column version add generated always as identity",
            1
        ),
        ("alter table nonce set unlogged", 1),
        (
            "create function planted() returns trigger language plpgsql as 'begin return new; end'; create trigger planted before insert on nonce for each row execute function planted()",
            1
        ),
        (
            "alter table session drop constraint session_user_fkey, add constraint session_user_fkey foreign key (tenant_id, user_id) references app_user on delete set null",
            1
        ),
        (
            "alter table session drop constraint session_user_fkey, add constraint session_user_fkey foreign key (tenant_id, user_id) references app_user on update cascade",
            1
        ),
        ("create policy planted on nonce using (tenant_id = (select 1))", 2),
        ("alter table nonce force row level security", 3),
        ("alter table nonce disable row level security", 3),
        ("create table planted (note text primary key)", 4),
    ])
    func aSchemaThatBreaksARuleIsFound(_ ddl: String, _ rule: Int) async throws {
        try await TestStore.withOwnDatabase { store in
            try await store.script(ddl)
            let found = try await store.administrator.run(RuleBreaks(), .read, of: nil)
            #expect(Set(found.map(\.rule)).contains(rule), "\(found)")
        }
    }

    @Test(arguments: [
        ("select body from nonce where digest = $1", 5),
        ("select set_config('chil.tenant', $1, true)", 6),
        ("select 1 from nonce where tenant_id = current_setting('chil.tenant')::bigint", 6),
        ("select 1 from nonce n join session s on s.session_id = $2 where n.tenant_id = $1", 8),
        ("select 1 from nonce where tenant_id = current_setting('chil.tenant')::bigint", 8),
        ("delete from session using app_user u where session.user_id = u.user_id and u.tenant_id = $1", 8),
        ("insert into nonce (digest, tenant_id) values ($1, $2)", 8),
        ("insert into nonce (tenant_id, digest) select t.tenant_id, $1 from tenant t", 8),
        (
            "with a as (insert into nonce (tenant_id) values ($1) returning tenant_id) insert into session (tenant_id) select $1 from a",
            9
        ),
        ("update nonce set expires_at = $2 where tenant_id = $1 returning expires_at > now()", 9),
        ("delete from nonce where tenant_id = $1 returning pg_notify('chil', 'x')", 9),
        (
            "delete from work w using print_job j where j.tenant_id = $1 and w.tenant_id = $1 and w.work_id = j.job_id",
            10
        ),
        ("select job_id from print_job where state = 'queued' for update skip locked", 10),
        ("insert into nonce (tenant_id) select $1 from pg_notify('chil', 'x')", 10),
        ("select pg_advisory_lock(1)", 12),
        ("select set_config('statement_timeout', '1s', false)", 12),
        ("create temp table a (b int)", 12),
    ])
    func aStatementThatBreaksARuleIsFound(_ sql: String, _ rule: Int) {
        var evidence = GrowingRule.Evidence()
        evidence.walled = ["nonce", "session", "app_user", "print_job"]
        evidence.texts = [GrowingRule.Evidence.Text(name: "planted", sql: sql, isServices: true)]
        let broken = GrowingRule.all.filter { $0.number != 7 && !$0.breaks(in: evidence).isEmpty }.map(\.number)
        #expect(broken.contains(rule), "\(broken)")
    }

    /// Each breaks one rule, and is found to.
    @Test(arguments: [
        (
            "chil_planted(p_tenant bigint) returns void language sql security definer as 'delete from nonce n where n.tenant_id = p_tenant'",
            6
        ),
        ("chil_planted() returns text language sql as $$ select current_setting('chil.tenant') $$", 6),
        ("chil_planted() returns bigint language sql as 'select chil_entered()'", 6),
        ("chil_planted() returns bigint language sql security definer as 'select min(n.tenant_id) from nonce n'", 8),
        (
            "chil_planted(p_after bigint) returns bigint language sql security definer as 'select s.user_id from session s where s.tenant_id > p_after order by s.tenant_id limit 1'",
            8
        ),
        (
            "chil_planted(p_tenant bigint) returns void language sql as $$ with a as (delete from nonce n where n.tenant_id = p_tenant returning n.digest) select chil_emit(p_tenant, 1, 'user.created', '1', '', now()) from a $$",
            9
        ),
    ])
    func aFunctionThatBreaksARuleIsFound(_ function: String, _ rule: Int) async throws {
        try await TestStore.withOwnDatabase { store in
            try await store.script(
                "create function \(function); grant execute on function chil_planted to chil_service"
            )
            let evidence = try await Self.evidence(store)
            let broken = GrowingRule.all.filter { !$0.breaks(in: evidence).isEmpty }.map(\.number)
            #expect(broken == [rule])
        }
    }

    @Test func aFunctionIsTakenApart() {
        let body = FunctionBody(
            """

            #variable_conflict use_column
            declare
                held record;
                count bigint := 0;
                oldest constant timestamptz := (select min(n.expires_at) from nonce n where n.tenant_id = p_tenant);
            begin
                -- A comment; with a semicolon.
                if not exists (select from nonce n where n.tenant_id = p_tenant and n.digest = 'a;b' and case when true then true end) then
                    return;
                end if;
                for held in select x.a, x.b from session x where x.tenant_id = p_tenant loop
                    update session s set user_id = held.a where s.tenant_id = p_tenant and s.session_id = held.b;
                end loop;
                select q.used into count from quota q where q.tenant_id = p_tenant;
                insert into audit (tenant_id, count) values (p_tenant, count);
                perform from tenant t where t.tenant_id = p_tenant for update;
                count := extract(epoch from oldest);
                delete from nonce n where n.tenant_id = p_tenant and n.expires_at <= oldest;
                return count;
            end

            """,
            arguments: [(name: "p_tenant", type: "bigint")],
            language: "plpgsql"
        )
        #expect(
            body.inner.map(\.text) == [
                "select (select min(n.expires_at) from nonce n where n.tenant_id = $1)",
                "select not exists (select from nonce n where n.tenant_id = $1 and n.digest = 'a;b' and case when true then true end)",
                "select x.a, x.b from session x where x.tenant_id = $1",
                "update session s set user_id = $1 where s.tenant_id = $2 and s.session_id = $3",
                "select q.used from quota q where q.tenant_id = $1",
                "insert into audit (tenant_id, count) values ($1, $2)",
                "select from tenant t where t.tenant_id = $1 for update",
                "delete from nonce n where n.tenant_id = $1 and n.expires_at <= $2",
            ]
        )
        #expect(body.inner[3].types == ["unknown", "bigint", "unknown"])
        #expect(body.inner[7].types == ["bigint", "timestamptz"])
    }

    static func evidence(_ store: TestStore) async throws -> GrowingRule.Evidence {
        var evidence = GrowingRule.Evidence()
        evidence.catalogue = try await store.administrator.run(RuleBreaks(), .read, of: nil)
        evidence.walled = Set(
            try await store.administrator.run(TablesByOwner(), .read, of: nil).filter(\.isWalled).map(\.name)
        )
        evidence.texts = StatementRegister.all.flatMap { entry in
            [entry.text, entry.gathered].compactMap { $0 }.map {
                GrowingRule.Evidence.Text(name: entry.name, sql: $0, isServices: !$0.contains("'operator', $4"))
            }
        }
        evidence.functions = try await store.administrator.run(Functions(), .read, of: nil)
        for function in evidence.functions {
            evidence.texts += function.body.inner.map {
                GrowingRule.Evidence.Text(
                    name: function.name,
                    sql: $0.text,
                    isServices: function.isServices,
                    isOfAllTenants: function.isOfAllTenants
                )
            }
        }
        evidence.scripts = Schema.migrations.map { (name: $0.name, sql: $0.sql) }
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources").path
        let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        evidence.sources = try files.filter { $0.hasSuffix(".swift") }.map {
            (name: "Sources/\($0)", text: try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8))
        }
        return evidence
    }
}

/// That nothing is sent which the rules are not held against.
@Suite struct StatementRegisterTests {
    @Test func everyLiteralOfSQLIsAStatement() async throws {
        let entries = StatementRegister.all
        #expect(StatementRegister.genericCount == 0, "a generic statement escapes the register")
        #expect(Set(entries.map(\.name)).count == entries.count)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources").path
        var literals = 0
        for file in FileManager.default.enumerator(atPath: root)?.compactMap({ $0 as? String }) ?? []
        where file.hasSuffix(".swift") && !file.hasSuffix("/PipelinedConnection.swift") {
            let text = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
            literals += text.matches(of: #/\bSQL\(\s*(entering:\s*)?("|[A-Z]\w+\.text\()/#).count
        }
        #expect(entries.count == literals, "\(entries.map(\.name))")
    }
}
