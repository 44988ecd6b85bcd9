import ChilCore
import ChilDatabase
import ChilLoop
import ChilTestSupport
import Testing

private struct Sleep: Statement {
    static let sql = SQL("select pg_backend_pid()::bigint, pg_sleep($1::bigint / 1000.0)::text")
    let milliseconds: Int64
    func bind(_ values: inout BoundValues) { values.append(milliseconds) }
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

private struct BackendPID: Statement {
    static let sql = SQL("select pg_backend_pid()::bigint")
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

private struct Terminate: Statement {
    static let sql = SQL("select pg_terminate_backend($1::bigint::integer)")
    let pid: Int64
    func bind(_ values: inout BoundValues) { values.append(pid) }
    static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}

/// How many sleep at this moment in `pg_sleep`; of one backend, or holding the lock below.
private struct Sleepers: Statement {
    static let sql = SQL(
        """
        select count(*) from pg_stat_activity
         where datname = current_database() and wait_event = 'PgSleep'
           and (pid = $1::bigint or $1::bigint is null and pid in (
                select pid from pg_locks where locktype = 'advisory' and objid = 77 and granted))
        """
    )
    let pid: Int64?
    func bind(_ values: inout BoundValues) { values.append(pid) }
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

private struct LockTimeout: Statement {
    static let sql = SQL("select set_config('lock_timeout', '50ms', true)")
    func bind(_ values: inout BoundValues) {}
}

private struct HoldLock: Statement {
    static let sql = SQL("select pg_advisory_xact_lock(77), pg_sleep(2)")
    func bind(_ values: inout BoundValues) {}
}

private struct TakeLock: Statement {
    static let sql = SQL("select pg_advisory_xact_lock(77)")
    func bind(_ values: inout BoundValues) {}
}

@Suite struct FaultTests {
    @Test func aLostReadIsSentAgain() async throws {
        try await withDatabase(.implicitNamed, { $0.readConnections = 1 }) { database in
            let pid = try await database.run(BackendPID(), .read, of: nil)[0]
            let after = try await endingBackend(pid, by: .write, of: database) { () throws(DatabaseError) in
                try await database.run(Sleep(milliseconds: 1_500), .read, of: nil)[0]
            }.get()
            #expect(after != pid)
        }
    }

    @Test func aLostWriteIsNotSentAgain() async throws {
        try await withDatabase(.implicitNamed, { $0.limitWrites(to: 1) }) { database in
            let pid = try await database.run(BackendPID(), .write, of: nil)[0]
            let answer = await endingBackend(pid, by: .read, of: database) { () throws(DatabaseError) in
                try await database.run(Sleep(milliseconds: 1_500), .write, of: nil)[0]
            }
            // The server said that it ends the batch (57P01) before its last result: it did not happen.
            #expect(throws: DatabaseError.self) { try answer.get() }
            if case .failure(let error) = answer { #expect(error.code == .unavailable) }
            let again = try await database.run(BackendPID(), .write, of: nil)[0]
            #expect(again != pid)
        }
    }

    @Test func withoutADatabaseTheAnswerComesWithinTwoSeconds() async throws {
        let thread = try LoopThread()
        defer { thread.loop.stop() }
        // Measured on the loop: the other tests keep the shared threads busy.
        let (code, nanoseconds) = await LoopHome(thread.loop).run { loop in
            let client = DatabaseClient(DatabaseConfiguration(url: "host=/nonexistent dbname=x"), on: loop)
            client.open()
            defer { client.close() }
            let begun = loop.monotonicNow
            do throws(DatabaseError) {
                _ = try await client.run(BackendPID(), .read, of: nil)
                return (DatabaseError.Code?.none, loop.monotonicNow - begun)
            } catch {
                return (error.code, loop.monotonicNow - begun)
            }
        }
        #expect(code == .unavailable)
        #expect(nanoseconds < Int64(Duration.seconds(2).patient / .nanoseconds(1)))
    }

    /// What `body` answers when the backend is ended while it sleeps. All of it on the loop, by the loop's clock: the other tests keep
    /// the shared threads busy.
    private func endingBackend(
        _ pid: Int64,
        by access: Batch.Access,
        of database: SharedDatabase,
        _ body: @escaping @Sendable () async throws(DatabaseError) -> Int64
    ) async -> Result<Int64, DatabaseError> {
        let loop = database.loop
        return await withTaskGroup(of: Result<Int64, DatabaseError>?.self) { group in
            group.addTask(executorPreference: loop) {
                do throws(DatabaseError) {
                    return .success(try await body())
                } catch { return .failure(error) }
            }
            group.addTask(executorPreference: loop) {
                await awaitUntil(.seconds(1)) {
                    (try? await database.run(Sleepers(pid: pid), access, of: nil)) == [1]
                }
                _ = try? await database.run(Terminate(pid: pid), access, of: nil)
                return nil
            }
            var answer: Result<Int64, DatabaseError> = .success(0)
            for await ended in group where ended != nil { answer = ended! }
            return answer
        }
    }

    @Test func aFullQueueRefusesAtOnce() async throws {
        try await withDatabase(
            .implicitNamed,
            {
                $0.readConnections = 1
                $0.depthMax = 1
                $0.queueMax = 4
            }
        ) { database in
            // On the loop, so that all are there before the first is done.
            let loop = database.loop
            let codes = await withTaskGroup(of: DatabaseError.Code?.self) { group in
                for _ in 0..<12 {
                    group.addTask(executorPreference: loop) {
                        do throws(DatabaseError) {
                            _ = try await database.run(Sleep(milliseconds: 100), .read, of: nil)
                            return nil
                        } catch { return error.code }
                    }
                }
                var codes: [DatabaseError.Code?] = []
                for await code in group { codes.append(code) }
                return codes
            }
            #expect(codes.filter { $0 == .overloaded }.count >= 6)
            #expect(codes.filter { $0 == nil }.count >= 4)
            #expect(codes.allSatisfy { $0 == nil || $0 == .overloaded })
        }
    }

    /// What waits behind a tenant's own contended row counts as that tenant's, so that it takes no other's place.
    @Test func aTenantsContendedBatchesFillItsOwnShareAlone() async throws {
        try await withDatabase(
            .implicitNamed,
            {
                $0.queueMax = 8
                $0.queuePerTenantMax = 4
            }
        ) { database in
            let (greedy, other) = (TenantID(rawValue: 5), TenantID(rawValue: 6))
            // Connected, so that the first goes out at once and only the rest waits.
            _ = try await database.run(BackendPID(), .write, of: nil)
            // On the loop: one after another, and all before the first is done.
            let loop = database.loop
            let codes = await withTaskGroup(of: (TenantID, DatabaseError.Code?).self) { group in
                for _ in 0..<16 {
                    group.addTask(executorPreference: loop) {
                        var batch = Batch(.write, of: greedy, contending: .init(tenant: greedy, row: 1))
                        batch.add(Sleep(milliseconds: 100))
                        return (greedy, await Self.code(batch, database))
                    }
                }
                group.addTask(executorPreference: loop) {
                    var batch = Batch(.write, of: other)
                    batch.add(BackendPID())
                    return (other, await Self.code(batch, database))
                }
                var codes: [(TenantID, DatabaseError.Code?)] = []
                for await code in group { codes.append(code) }
                return codes
            }
            #expect(codes.filter { $0.0 == other }.map(\.1) == [nil])
            #expect(codes.filter { $0.0 == greedy && $0.1 == nil }.count == 5)
            #expect(codes.filter { $0.0 == greedy && $0.1 == .overloaded }.count == 11)
        }
    }

    private static func code(_ batch: Batch, _ database: SharedDatabase) async -> DatabaseError.Code? {
        do throws(DatabaseError) {
            _ = try await database.run(batch)
            return nil
        } catch { return error.code }
    }

    @Test func aLockThatStaysIsContendedAfterBoundedRetries() async throws {
        try await withDatabase(.implicitNamed, { $0.limitWrites(to: 2) }) { database in
            // On the loop, with its timer: the other tests keep the shared threads busy.
            let loop = database.loop
            let codes = await withTaskGroup(of: DatabaseError.Code?.self) { group in
                group.addTask(executorPreference: loop) {
                    _ = try? await database.run(HoldLock(), .write, of: nil)
                    return nil
                }
                group.addTask(executorPreference: loop) {
                    await awaitUntil(.seconds(1)) {
                        (try? await database.run(Sleepers(pid: nil), .read, of: nil)) == [1]
                    }
                    // On another connection: on the holder's it would only wait its turn.
                    var batch = Batch(.bulkWrite, of: nil)
                    batch.add(LockTimeout())
                    batch.add(TakeLock())
                    do throws(DatabaseError) {
                        _ = try await database.run(batch)
                        return nil
                    } catch { return error.code }
                }
                var codes: [DatabaseError.Code] = []
                for await code in group where code != nil { codes.append(code!) }
                return codes
            }
            #expect(codes == [.contended])
        }
    }

    @Test func contendedBatchesGoOneByOneAndNeverBlockAnother() async throws {
        try await withDatabase(.implicitNamed, { $0.limitWrites(to: 1) }) { database in
            let tenant = TenantID(rawValue: 5)
            // Everything on the loop, with the loop's clock: the other tests keep the shared threads busy.
            let loop = database.loop
            let (contended, other) = await withTaskGroup(of: (Int, Int64).self) { group in
                for number in 0..<3 {
                    group.addTask(executorPreference: loop) {
                        var batch = Batch(.write, of: tenant, contending: .init(tenant: tenant, row: 1))
                        batch.add(Sleep(milliseconds: 150))
                        _ = try? await database.run(batch)
                        return (number, loop.monotonicNow)
                    }
                }
                group.addTask(executorPreference: loop) {
                    _ = try? await database.run(BackendPID(), .write, of: nil)
                    return (99, loop.monotonicNow)
                }
                var contended: [Int64] = []
                var other: Int64 = 0
                for await (number, ended) in group {
                    if number == 99 { other = ended } else { contended.append(ended) }
                }
                return (contended.sorted(), other)
            }
            // At most the first of the three is ahead of it on the connection.
            #expect(other < contended[1])
        }
    }
}
