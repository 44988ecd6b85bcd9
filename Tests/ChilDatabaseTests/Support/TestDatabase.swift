import ChilCore
import ChilDatabase
import ChilLoop
import ChilTestSupport
import Testing

enum DriverForm: CaseIterable, Sendable {
    case implicitNamed, explicitNamed, implicitUnnamed, explicitUnnamed

    func apply(_ configuration: inout DatabaseConfiguration) {
        configuration.form = self == .implicitNamed || self == .implicitUnnamed ? .implicit : .explicit
        configuration.naming = self == .implicitNamed || self == .explicitNamed ? .named : .unnamed
    }
}

extension DatabaseConfiguration {
    /// Exactly so many, so that a test knows what waits behind what.
    mutating func limitWrites(to count: Int) {
        writeConnections = count
        writeConnectionsMax = count
    }
}

/// Runs `body` with a client of the given form on a loop of its own.
func withDatabase<Value>(
    _ form: DriverForm = .implicitNamed,
    _ adjust: (inout DatabaseConfiguration) -> Void = { _ in },
    _ body: (SharedDatabase) async throws -> Value
) async throws -> Value {
    var configuration = DatabaseConfiguration(forTestsAt: try TestCluster.administratorURL())
    form.apply(&configuration)
    adjust(&configuration)
    try await prepareSchema.value
    let thread = try LoopThread()
    defer { thread.loop.stop() }
    let database = SharedDatabase(configuration, on: thread.loop)
    let value: Value
    do {
        value = try await body(database)
    } catch {
        await database.close()
        throw error
    }
    await database.close()
    return value
}

/// Made once per run: the entry function and two small tables under the policies that the product's tables have.
let prepareSchema = Task {
    try await DatabaseScript(url: try TestCluster.administratorURL()).runScript(
        """
        drop table if exists driver_note;
        create or replace function chil_enter(tenant bigint) returns text language sql as
            $$ select set_config('chil.tenant', tenant::text, true) $$;
        create table driver_note (tenant_id bigint, note_id bigint, body text, primary key (tenant_id, note_id));
        create or replace function driver_write(
            p_tenant bigint, p_note bigint, p_act text, p_body text,
            out entered bigint, out transaction bigint, out body text, out is_gathered boolean
        ) language plpgsql as $$
            begin
                entered := nullif(current_setting('chil.tenant', true), '')::bigint;
                transaction := pg_current_xact_id()::text::bigint;
                body := p_body;
                is_gathered := current_query() like '%with ordinality%';
                insert into driver_note values (p_tenant, p_note, p_body);
                case p_act
                    when 'fail' then raise division_by_zero;
                    when 'sleep' then perform pg_sleep(1.5);
                    when 'wait' then
                        perform set_config('lock_timeout', '50ms', true);
                        perform pg_advisory_xact_lock(78);
                    else null;
                end case;
            end
        $$;
        """
    )
}
