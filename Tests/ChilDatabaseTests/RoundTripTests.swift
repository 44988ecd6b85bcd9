import ChilCore
import ChilDatabase
import Testing

private struct Echo: Statement {
    static let sql = SQL("select $1::bigint, $2::text, $3::bytea, $4::boolean, $5::timestamptz, $6::integer, $7::text")
    let number: Int64
    let text: String
    let raw: [UInt8]
    let flag: Bool
    let moment: Timestamp
    let small: Int32

    func bind(_ values: inout BoundValues) {
        values.append(number)
        values.append(text)
        values.append(raw)
        values.append(flag)
        values.append(moment)
        values.append(int32: small)
        values.append(nil as String?)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Echo {
        #expect(row.isNull(6))
        return Echo(
            number: try row.int64(0),
            text: row.text(1),
            raw: row.bytes(2),
            flag: try row.bool(3),
            moment: try row.timestamp(4),
            small: try row.int32(5)
        )
    }
}

private struct CurrentTenant: Statement {
    static let sql = SQL("select coalesce(nullif(current_setting('chil.tenant', true), ''), 'none')")
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

private struct AddNote: Statement {
    static let sql = SQL("insert into driver_note (tenant_id, note_id, body) values ($1, $2, $3)")
    let tenant: Int64
    let id: Int64
    let body: String
    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(id)
        values.append(body)
    }
}

private struct CountNotes: Statement {
    static let sql = SQL("select count(*) from driver_note where tenant_id = $1")
    let tenant: Int64
    func bind(_ values: inout BoundValues) { values.append(tenant) }
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

private struct Divide: Statement {
    static let sql = SQL("select 1 / $1::bigint")
    let by: Int64
    func bind(_ values: inout BoundValues) { values.append(by) }
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

@Suite struct RoundTripTests {
    @Test(arguments: DriverForm.allCases)
    func everyTypeComesBackAsItWent(_ form: DriverForm) async throws {
        try await withDatabase(form) { client in
            let sent = Echo(
                number: -(1 << 52),
                text: "그림 🎨",
                raw: [0, 255, 10],
                flag: true,
                moment: Timestamp(microseconds: 1_767_225_600_123_456),
                small: -7
            )
            let back = try await client.run(sent, .read, of: nil)[0]
            #expect(back.number == sent.number)
            #expect(back.text == sent.text)
            #expect(back.raw == sent.raw)
            #expect(back.flag == sent.flag)
            #expect(back.moment == sent.moment)
            #expect(back.small == sent.small)
        }
    }

    @Test(arguments: DriverForm.allCases)
    func theTenantHoldsForItsBatchOnly(_ form: DriverForm) async throws {
        try await withDatabase(form) { client in
            for round in 1...3 {
                let tenant = TenantID(rawValue: Int64(round))
                let inside = try await client.run(CurrentTenant(), .read, of: tenant)
                let outside = try await client.run(CurrentTenant(), .read, of: nil)
                #expect(inside == ["\(round)"])
                #expect(outside == ["none"])
            }
        }
    }

    @Test(arguments: DriverForm.allCases)
    func aFailingBatchUndoesItselfAndNoNeighbour(_ form: DriverForm) async throws {
        try await withDatabase(form, { $0.limitWrites(to: 1) }) { client in
            let first = Int64(DriverForm.allCases.firstIndex(of: form)!) * 10 + 1_000_000
            async let good: Void = write(client, tenant: first, notes: [1, 2])
            async let bad: DatabaseError? = failure(client, tenant: first + 1)
            async let alsoGood: Void = write(client, tenant: first + 2, notes: [1])
            try await good
            try await alsoGood
            let refusal = await bad
            #expect(refusal?.sqlState == "22012")
            var counts: [Int64] = []
            for tenant in first...first + 2 {
                counts += try await client.run(CountNotes(tenant: tenant), .read, of: nil)
            }
            #expect(counts == [2, 0, 1])
        }
    }

    @Test(arguments: DriverForm.allCases)
    func readsOfOneTurnShareNeitherTenantNorError(_ form: DriverForm) async throws {
        try await withDatabase(form, { $0.readConnections = 1 }) { database in
            // Twice, so that in the second round everything is prepared and the reads really go together.
            for _ in 0..<2 {
                let answers = await withTaskGroup(of: (Int, String).self) { group in
                    for number in 1...40 {
                        group.addTask(executorPreference: database.loop) {
                            let tenant = TenantID(rawValue: Int64(number))
                            do throws(DatabaseError) {
                                if number % 10 == 0 {
                                    return (number, "\(try await database.run(Divide(by: 0), .read, of: tenant))")
                                }
                                return (number, try await database.run(CurrentTenant(), .read, of: tenant)[0])
                            } catch { return (number, error.sqlState ?? error.code.rawValue) }
                        }
                    }
                    var answers: [Int: String] = [:]
                    for await (number, answer) in group { answers[number] = answer }
                    return answers
                }
                for number in 1...40 {
                    #expect(answers[number] == (number % 10 == 0 ? "22012" : "\(number)"), "batch \(number)")
                }
            }
        }
    }

    private func write(_ client: SharedDatabase, tenant: Int64, notes: [Int64]) async throws {
        var batch = Batch(.write, of: TenantID(rawValue: tenant))
        for note in notes { batch.add(AddNote(tenant: tenant, id: note, body: "x")) }
        _ = try await client.run(batch)
    }

    private func failure(_ client: SharedDatabase, tenant: Int64) async -> DatabaseError? {
        var batch = Batch(.write, of: TenantID(rawValue: tenant))
        batch.add(AddNote(tenant: tenant, id: 1, body: "x"))
        batch.add(Divide(by: 0))
        batch.add(AddNote(tenant: tenant, id: 2, body: "x"))
        do {
            _ = try await client.run(batch)
            return nil
        } catch { return error }
    }
}
