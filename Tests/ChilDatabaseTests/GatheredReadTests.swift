import ChilCore
import ChilDatabase
import Testing

/// The tenant that is entered, the one that is named, ten by a number; how it was sent, in the end.
private struct Tenth: Statement {
    static let sql = SQL(
        """
        select $1::bigint, nullif(current_setting('chil.tenant', true), '')::bigint, 10 / $2::bigint, current_query()
         where $2 <> 7 order by 1 limit 5
        """
    )
    static let gathered: SQL? = SQL(gathering: sql, parameters: 2)

    let tenant: TenantID
    let by: Int64?

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(by)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> (numbers: [Int64?], isGathered: Bool) {
        (
            [try row.int64OrNil(0), try row.int64OrNil(1), try row.int64OrNil(2)],
            row.text(3).contains("with ordinality")
        )
    }
}

@Suite struct GatheredReadTests {
    private enum Answer: Equatable {
        case row([Int64?], isGathered: Bool)
        case none
        case error(String?)
    }

    /// One after another as a turn's reads come, each with what it divides by.
    private func answers(_ divisors: [Int64?], _ form: DriverForm) async throws -> [Answer] {
        try await withDatabase(form, { $0.readConnections = 1 }) { database in
            // The connection is there, and the statements are prepared.
            for _ in 0..<2 { _ = try await ask(database, [1, 2, 3]) }
            return try await ask(database, divisors)
        }
    }

    /// From the loop itself, so that all are asked in one turn.
    private func ask(_ database: SharedDatabase, _ divisors: [Int64?]) async throws -> [Answer] {
        await withTaskExecutorPreference(database.loop) { await askTogether(database, divisors) }
    }

    private func askTogether(_ database: SharedDatabase, _ divisors: [Int64?]) async -> [Answer] {
        await withTaskGroup(of: (Int, Answer).self) { group in
            for (index, divisor) in divisors.enumerated() {
                group.addTask(executorPreference: database.loop) {
                    let tenant = TenantID(rawValue: Int64(index + 1))
                    var batch = Batch(.read, of: tenant)
                    let slot = batch.add(Tenth(tenant: tenant, by: divisor))
                    do throws(DatabaseError) {
                        let row = try await database.run(batch).first(slot)
                        return (index, row.map { .row($0.numbers, isGathered: $0.isGathered) } ?? .none)
                    } catch { return (index, .error(error.sqlState)) }
                }
            }
            var answers = [Answer](repeating: .none, count: divisors.count)
            for await (index, answer) in group { answers[index] = answer }
            return answers
        }
    }

    @Test(arguments: DriverForm.allCases)
    func eachGetsItsOwnRows(_ form: DriverForm) async throws {
        let isImplicit = form == .implicitNamed || form == .implicitUnnamed
        // 7 has no row: nobody else's is taken for it, at either end.
        let divisors: [Int64] = [7, 1, 2, 7, 7, 5] + Array(repeating: 10, count: 20) + [7]
        let answers = try await answers(divisors, form)
        for (index, divisor) in divisors.enumerated() {
            let tenant = Int64(index + 1)
            let row = Answer.row([tenant, tenant, 10 / divisor], isGathered: isImplicit)
            #expect(answers[index] == (divisor == 7 ? .none : row), "read \(index)")
        }
    }

    @Test(arguments: [DriverForm.implicitNamed, .implicitUnnamed])
    func anErrorIsOnesOwn(_ form: DriverForm) async throws {
        let divisors: [Int64] = [1, 0, 2, 7, 0]
        let answers = try await answers(divisors, form)
        for (index, divisor) in divisors.enumerated() {
            let tenant = Int64(index + 1)
            switch divisor {
            case 0: #expect(answers[index] == .error("22012"))
            case 7: #expect(answers[index] == .none)
            // Sent again alone.
            default: #expect(answers[index] == .row([tenant, tenant, 10 / divisor], isGathered: false))
            }
        }
    }

    @Test func whatIsNullIsNotGathered() async throws {
        let answers = try await answers([nil, nil, 5], .implicitNamed)
        #expect(answers[0] == .none && answers[1] == .none)
        #expect(answers[2] == .row([3, 3, 2], isGathered: false))
    }
}
