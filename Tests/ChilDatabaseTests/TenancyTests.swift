import ChilCore
import ChilDatabase
import ChilLoop
import ChilTestSupport
import Testing

private struct Note: Statement {
    typealias Row = Void
    static let sql = SQL("insert into driver_note (tenant_id, note_id, body) values ($1, $2, 'x')")
    let tenant: Int64
    let id: Int64
    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(id)
    }
}

private struct Fail: Statement {
    static let sql = SQL("select 1 / $1::bigint")
    func bind(_ values: inout BoundValues) { values.append(Int64(0)) }
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

private struct Notes: Statement {
    static let sql = SQL("select note_id from driver_note where tenant_id = $1 order by 1")
    let tenant: Int64
    func bind(_ values: inout BoundValues) { values.append(tenant) }
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

private struct Entered: Statement {
    static let sql = SQL(
        "select coalesce(nullif(current_setting('chil.tenant', true), ''), 'none') || ' ' || pg_backend_pid()"
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

private struct ShortPatience: Statement {
    static let sql = SQL("select set_config('statement_timeout', '60ms', true)")
    func bind(_ values: inout BoundValues) {}
}

private struct Sleep: Statement {
    static let sql = SQL("select pg_sleep(0.3)")
    func bind(_ values: inout BoundValues) {}
}

private struct RefusedAtCommit: Statement {
    static let sql = SQL("insert into driver_commit (state) values ($1)")
    let state: String
    func bind(_ values: inout BoundValues) { values.append(state) }
}

/// A connection is shared by tenants, and remembers none of them.
@Suite struct TenancyTests {
    private static let tenants = Counter()

    @Test(
        "I-10 every seventh batch of one tenant fails; all acknowledged writes of both are there",
        arguments: DriverForm.allCases
    )
    func acknowledgedWritesStay(_ form: DriverForm) async throws {
        try await withDatabase(form, { $0.limitWrites(to: 1) }) { database in
            let (a, b) = (Self.tenants.next(), Self.tenants.next())
            let kept = await withTaskGroup(of: (tenant: Int64, id: Int64, isKept: Bool).self) { group in
                for id in 1...350 as ClosedRange<Int64> {
                    for tenant in [a, b] {
                        group.addTask(executorPreference: database.loop) {
                            var batch = Batch(.write, of: TenantID(rawValue: tenant))
                            batch.add(Note(tenant: tenant, id: id))
                            if tenant == b, id % 7 == 0 { batch.add(Fail()) }
                            return (tenant, id, (try? await database.run(batch)) != nil)
                        }
                    }
                }
                var kept: [Int64: [Int64]] = [:]
                for await write in group where write.isKept { kept[write.tenant, default: []].append(write.id) }
                return kept
            }
            #expect(kept[a]?.count == 350 && kept[b]?.count == 300)
            for tenant in [a, b] {
                let stored = try await database.run(Notes(tenant: tenant), .read, of: nil)
                #expect(stored == kept[tenant]?.sorted())
            }
        }
    }

    @Test(
        "I-11 a batch that ends between its tenant and its question leaves no tenant behind",
        arguments: DriverForm.allCases
    )
    func nobodyIsLeftBehind(_ form: DriverForm) async throws {
        try await withDatabase(form, { $0.limitWrites(to: 1) }) { database in
            let tenant = TenantID(rawValue: Self.tenants.next())
            let other = TenantID(rawValue: Self.tenants.next())
            let connection = try await database.run(Entered(), .write, of: nil)[0].split(separator: " ")[1]
            // Ended by its time, by an error, by whoever asked having gone.
            var slow = Batch(.write, of: tenant)
            slow.add(ShortPatience())
            slow.add(Sleep())
            let late = await #expect(throws: DatabaseError.self) { try await database.run(slow) }
            #expect(late?.sqlState == "57014")
            let afterTime = try await database.run(Entered(), .write, of: nil)
            #expect(afterTime == ["none \(connection)"])
            var failing = Batch(.write, of: tenant)
            failing.add(Fail())
            _ = try? await database.run(failing)
            let afterError = try await database.run(Entered(), .write, of: other)
            #expect(afterError == ["\(other.rawValue) \(connection)"])
            let abandoned = Task {
                var batch = Batch(.write, of: tenant)
                batch.add(Sleep())
                return try? await database.run(batch)
            }
            abandoned.cancel()
            let afterLeaving = try await database.run(Entered(), .write, of: nil)
            #expect(afterLeaving == ["none \(connection)"])
            _ = await abandoned.value
        }
    }

    /// What a COMMIT that fails says of the rows: a constraint that they are not there, anything else nothing, for behind Citus some of
    /// them may be.
    @Test(arguments: [("23514", DatabaseError.Code.constraint), ("XX000", .outcomeUnknown), ("55000", .outcomeUnknown)])
    func aCommitThatFailsIsCertainOrNot(_ state: String, _ code: DatabaseError.Code) async throws {
        try await Self.deferred.value
        try await withDatabase(.explicitNamed, { $0.limitWrites(to: 1) }) { database in
            let error = await #expect(throws: DatabaseError.self) {
                try await database.run(RefusedAtCommit(state: state), .write, of: nil)
            }
            #expect(error?.code == code)
            #expect(error?.sqlState == state)
            let entered = try await database.run(Entered(), .write, of: nil)[0]
            #expect(entered.hasPrefix("none "))
        }
    }

    /// A table whose rows are refused by the COMMIT, with the state that they name.
    private static let deferred = Task {
        try await prepareSchema.value
        try await DatabaseScript(url: try TestCluster.administratorURL()).runScript(
            """
            create table if not exists driver_commit (state text);
            create or replace function driver_refuse() returns trigger language plpgsql as
                $$ begin raise exception 'no' using errcode = new.state; end $$;
            drop trigger if exists driver_refuse on driver_commit;
            create constraint trigger driver_refuse after insert on driver_commit deferrable initially deferred
                for each row execute function driver_refuse();
            """
        )
    }
}

/// Fresh numbers of tenants.
private final class Counter: Sendable {
    private let last = Locked(Int64(7_000_000))
    func next() -> Int64 {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
