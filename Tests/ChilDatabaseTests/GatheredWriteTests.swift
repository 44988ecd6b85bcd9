import ChilCore
import ChilDatabase
import ChilLoop
import ChilTestSupport
import Testing

/// A note of a tenant, and how it was written.
private struct Note: Statement {
    enum Act: String { case nothing, fail, sleep, wait }

    struct Written: Sendable, Equatable {
        let entered: Int64
        let transaction: Int64
        let body: String?
        let isGathered: Bool
    }

    static let sql = SQL(entering: "select * from driver_write($1, $2, $3, $4)")
    static let gathered: SQL? = SQL(gatheringCallsOf: "driver_write", [.bigint, .bigint, .text, .text])

    let tenant: TenantID
    let number: Int64
    var act = Act.nothing
    var body: String?

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(number)
        values.append(act.rawValue)
        values.append(body)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Written {
        Written(
            entered: try row.int64(0),
            transaction: try row.int64(1),
            body: row.textOrNil(2),
            isGathered: try row.bool(3)
        )
    }
}

private struct NoteCount: Statement {
    static let sql = SQL("select count(*) from driver_note where tenant_id = $1")
    let tenant: TenantID
    func bind(_ values: inout BoundValues) { values.append(tenant) }
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

private struct EndSleepers: Statement {
    static let sql = SQL(
        """
        select count(pg_terminate_backend(pid)) from pg_stat_activity
         where state = 'active' and wait_event = 'PgSleep' and query like '%driver_write%' and pid <> pg_backend_pid()
        """
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

private struct HoldLock: Statement {
    static let sql = SQL("select pg_advisory_xact_lock(78), pg_sleep(2)")
    func bind(_ values: inout BoundValues) {}
}

private struct LockHolders: Statement {
    static let sql = SQL("select count(*) from pg_locks where locktype = 'advisory' and objid = 78 and granted")
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

@Suite(.serialized) struct GatheredWriteTests {
    private typealias Answer = Result<Note.Written, DatabaseError>

    /// Tenants that no other test has.
    private let first = Int64.random(in: 1 << 40..<1 << 52)

    private func tenant(_ index: Int) -> TenantID { TenantID(rawValue: first + Int64(index)) }

    private func withWrites(
        _ form: DriverForm = .implicitNamed,
        _ body: (SharedDatabase) async throws -> Void
    ) async throws {
        try await withDatabase(form, { $0.limitWrites(to: 4) }) { database in
            // The connections are there.
            for index in 0..<8 { _ = try await database.run(NoteCount(tenant: tenant(index)), .write, of: nil) }
            try await body(database)
        }
    }

    /// All asked in one turn of the loop, each with a note of its own; answers in their order.
    private func write(_ notes: [Note], on database: SharedDatabase) async -> [Answer] {
        await withTaskExecutorPreference(database.loop) {
            await withTaskGroup(of: (Int, Answer).self) { group in
                for (index, note) in notes.enumerated() {
                    group.addTask(executorPreference: database.loop) {
                        do throws(DatabaseError) {
                            return (index, .success(try await database.run(note, .write, of: note.tenant)[0]))
                        } catch { return (index, .failure(error)) }
                    }
                }
                var answers: [Int: Answer] = [:]
                for await (index, answer) in group { answers[index] = answer }
                return notes.indices.compactMap { answers[$0] }
            }
        }
    }

    private func counts(_ tenants: Range<Int>, _ database: SharedDatabase) async throws -> [Int64] {
        var counts: [Int64] = []
        for index in tenants { counts += try await database.run(NoteCount(tenant: tenant(index)), .read, of: nil) }
        return counts
    }

    @Test(arguments: DriverForm.allCases)
    func eachEntersItsTenantAndGetsItsRow(_ form: DriverForm) async throws {
        try await withWrites(form) { database in
            let bodies = [nil, "", "one", "두 글자", String(repeating: "x", count: 300)]
            let notes = (0..<40).map { Note(tenant: tenant($0), number: 1, body: bodies[$0 % bodies.count]) }
            let written = try await write(notes, on: database).map { try $0.get() }
            for (note, written) in zip(notes, written) {
                #expect(written.entered == note.tenant.rawValue)
                #expect(written.body == note.body)
            }
            let transactions = Set(written.map(\.transaction)).count
            let gathered = written.count { $0.isGathered }
            if form == .implicitNamed || form == .implicitUnnamed {
                #expect(gathered == notes.count)
                #expect(transactions == 3, "40 in groups of at most 16")
            } else {
                #expect(gathered == 0)
                #expect(transactions == notes.count)
            }
            let kept = try await counts(0..<40, database)
            #expect(kept == Array(repeating: 1, count: 40))
        }
    }

    @Test func oneByItselfIsNotGathered() async throws {
        try await withWrites { database in
            let written = try await database.run(Note(tenant: tenant(0), number: 1), .write, of: tenant(0))[0]
            #expect(!written.isGathered && written.entered == tenant(0).rawValue)
        }
    }

    @Test func largeOnesAndThoseThatMustNotBeRepeatedGoAlone() async throws {
        try await withWrites { database in
            let large = (0..<4).map {
                Note(tenant: tenant($0), number: 1, body: String(repeating: "x", count: 9_000))
            }
            let written = try await write(large, on: database).map { try $0.get() }
            let gathered = written.count { $0.isGathered }
            #expect(gathered == 0)
            let once = await withTaskExecutorPreference(database.loop) {
                await withTaskGroup(of: Bool?.self) { group in
                    for index in 0..<4 {
                        group.addTask(executorPreference: database.loop) {
                            var batch = Batch(.write, of: tenant(index), isRepeatable: false)
                            let slot = batch.add(Note(tenant: tenant(index), number: 2))
                            return try? await database.run(batch).first(slot)?.isGathered
                        }
                    }
                    return await group.reduce(into: [Bool?]()) { $0.append($1) }
                }
            }
            #expect(once == [false, false, false, false])
        }
    }

    @Test(arguments: [DriverForm.implicitNamed, .implicitUnnamed])
    func anErrorIsOnesOwn(_ form: DriverForm) async throws {
        try await withWrites(form) { database in
            let failing = 3
            let notes = (0..<6).map { Note(tenant: tenant($0), number: 1, act: $0 == failing ? .fail : .nothing) }
            for (index, answer) in await write(notes, on: database).enumerated() {
                switch answer {
                case .success(let written):
                    // Rolled back with the others, then sent again alone.
                    #expect(index != failing && !written.isGathered)
                case .failure(let error): #expect(index == failing && error.sqlState == "22012")
                }
            }
            let kept = try await counts(0..<6, database)
            #expect(kept == [1, 1, 1, 0, 1, 1])

            // Whoever failed goes alone for a while, and is nobody's trouble; the others go together.
            let again = (0..<6).map { Note(tenant: tenant($0), number: 2, act: $0 == failing ? .fail : .nothing) }
            for (index, answer) in await write(again, on: database).enumerated() where index != failing {
                let written = try answer.get()
                #expect(written.isGathered)
            }
            let sound = try await write(
                [Note(tenant: tenant(failing), number: 3), Note(tenant: tenant(0), number: 3)],
                on: database
            )
            .map { try $0.get().isGathered }
            #expect(sound == [false, false])
        }
    }

    @Test func aLockHoldsUpItsOwnTenantAlone() async throws {
        try await withWrites { database in
            let loop = database.loop
            let notes = (0..<6).map { Note(tenant: tenant($0), number: 1, act: $0 == 2 ? .wait : .nothing) }
            let answers = await withTaskGroup(of: [Answer].self) { group in
                group.addTask(executorPreference: loop) {
                    _ = try? await database.run(HoldLock(), .bulkWrite, of: nil)
                    return []
                }
                group.addTask(executorPreference: loop) {
                    await awaitUntil(.seconds(1)) { (try? await database.run(LockHolders(), .read, of: nil)) == [1] }
                    return await write(notes, on: database)
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            for (index, answer) in answers.enumerated() {
                switch answer {
                case .success(let written): #expect(index != 2 && !written.isGathered)
                case .failure(let error): #expect(index == 2 && error.sqlState == "55P03")
                }
            }
            let kept = try await counts(0..<6, database)
            #expect(kept == [1, 1, 0, 1, 1, 1])
        }
    }

    @Test func whatIsLostWithTheConnectionIsNotSentAgain() async throws {
        try await withWrites { database in
            let loop = database.loop
            let notes = (0..<4).map { Note(tenant: tenant($0), number: 1, act: $0 == 3 ? .sleep : .nothing) }
            let answers = await withTaskGroup(of: [Answer].self) { group in
                group.addTask(executorPreference: loop) { await write(notes, on: database) }
                group.addTask(executorPreference: loop) {
                    await awaitUntil(.seconds(1)) {
                        (try? await database.run(EndSleepers(), .bulkWrite, of: nil)) == [1]
                    }
                    return []
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            #expect(answers.count == notes.count)
            for answer in answers {
                // The server said that it ends the session before the statement was done: nothing of it has happened.
                guard case .failure(let error) = answer else {
                    Issue.record("answered from a transaction that was ended")
                    continue
                }
                #expect(error.code == .unavailable)
            }
            let kept = try await counts(0..<4, database)
            #expect(kept == [0, 0, 0, 0])
        }
    }
}
