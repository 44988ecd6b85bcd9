import ChilCore
import ChilDatabase
import Testing

@Suite struct EnteringTests {
    @Test(arguments: [
        ("select f($1)", "select f(chil_enter($1)::bigint)"),
        ("select * from f($1, $2, $10, $11)", "select * from f(chil_enter($1)::bigint, $2, $10, $11)"),
        ("select a, b from f( $1, $3, $2)", "select a, b from f( chil_enter($1)::bigint, $3, $2)"),
        ("select * from f(\n    $1,\n    $12)", "select * from f(\n    chil_enter($1)::bigint,\n    $12)"),
    ])
    func theTenantIsEnteredInTheFirstArgument(_ call: String, _ expected: String) {
        #expect(SQL(entering: call).text == expected)
    }

    @Test func aGatheredCallEntersForEachPlace() {
        let sql = SQL(gatheringCallsOf: "f", [.bigint, .text, .timestamptz])
        #expect(
            sql.text == """
                select d.*, r.place from unnest($1::bigint[], $2::text[], $3::timestamptz[]) with ordinality r (p1, p2, p3, place)
                 cross join lateral f(chil_enter(r.p1)::bigint, r.p2, r.p3) d
                """
        )
    }

    @Test(arguments: DriverForm.allCases)
    func anotherTenantThanTheBatchsIsRefused(_ form: DriverForm) async throws {
        try await withDatabase(form) { database in
            for tenant in [TenantID(rawValue: 1), nil] {
                let error = await #expect(throws: DatabaseError.self) {
                    try await database.run(Entered(tenant: TenantID(rawValue: 2)), .write, of: tenant)
                }
                #expect(error?.code == .forbidden)
            }
            let entered = try await database.run(
                Entered(tenant: TenantID(rawValue: 2)),
                .write,
                of: TenantID(rawValue: 2)
            )
            #expect(entered == [2])
        }
    }
}

/// What a function finds entered.
private struct Entered: Statement {
    static let sql = SQL(entering: "select entered from driver_write($1, $2, null, null)")
    let tenant: TenantID

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(Int64.random(in: 1 << 40..<1 << 52))
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}
