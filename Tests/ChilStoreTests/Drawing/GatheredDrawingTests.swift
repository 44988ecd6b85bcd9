import ChilCore
import ChilDatabase
import Testing

@testable import ChilStore

/// How many drawings row level security shows, whatever the statement asks for.
private struct Visible: TenantStatement {
    static let access = Batch.Access.read
    static let sql = SQL("select count(*) from drawing where $1::bigint is not null")
    static let gathered: SQL? = SQL(gathering: sql, parameters: 1)

    let tenant: TenantID

    func bind(_ values: inout BoundValues) { values.append(tenant) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

/// The same by a function that names no tenant, as a write.
private struct Written: TenantStatement {
    static let access = Batch.Access.write
    static let sql = SQL(entering: "select visible_drawings($1, $2)")
    static let gathered: SQL? = SQL(gatheringCallsOf: "visible_drawings", [.bigint, .bigint])

    /// What a mistake in one of the service's functions would be.
    static let script = """
        create or replace function visible_drawings(p_tenant bigint, p_any bigint) returns bigint language plpgsql as
            $$ begin return (select count(*) from drawing d where d.tenant_id <> p_any); end $$;
        grant execute on function visible_drawings(bigint, bigint) to chil_service;
        """

    let tenant: TenantID

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(Int64(0))
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

/// Reads of several tenants in one statement, under the service's role.
@Suite struct GatheredDrawingTests {
    private struct Owner: Sendable {
        let tenant: TenantID
        let user: UserID
        /// Newest first.
        let drawings: [DrawingID]
    }

    /// Two tenants, two users each, with 0 to 3 drawings.
    private func owners(_ store: TestStore) async throws -> [Owner] {
        var owners: [Owner] = []
        for first in [0, 2] {
            let tenant = try await TestTenant(store)
            for count in first...first + 1 {
                let user = try await tenant.user("person-\(count)")
                var drawings: [DrawingID] = []
                for _ in 0..<count {
                    let create = tenant.create(by: user)
                    _ = try await create.answer(from: store.service)
                    drawings.insert(create.draft.id, at: 0)
                }
                owners.append(Owner(tenant: tenant.id, user: user, drawings: drawings))
            }
        }
        return owners
    }

    /// Runs all at once, several times over, so that they go together.
    private func together<Value: Equatable & Sendable>(
        _ store: TestStore,
        _ reads: [(expected: Value, read: @Sendable (SharedDatabase) async throws -> Value)]
    ) async throws {
        let service = store.service
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            for _ in 0..<3 {
                for (index, item) in reads.enumerated() {
                    let read = item.read
                    group.addTask(executorPreference: service.loop) { (index, try await read(service)) }
                }
            }
            for try await (index, value) in group { #expect(value == reads[index].expected, "read \(index)") }
        }
    }

    @Test func everyOwnerSeesOwnDrawingsAlone() async throws {
        try await TestStore.with { store in
            let owners = try await owners(store)
            var reads: [(expected: [DrawingID], read: @Sendable (SharedDatabase) async throws -> [DrawingID])] = []
            for owner in owners {
                let page = DrawingPageRequest(of: owner.user, in: owner.tenant, type: nil, place: .newest, count: 2)
                reads.append((Array(owner.drawings.prefix(2)), { try await page.run(on: $0).drawings.map(\.id) }))
                for other in owners {
                    for drawing in other.drawings {
                        let isOwn = other.user == owner.user && other.tenant == owner.tenant
                        let one = DrawingOne(drawing, of: owner.user, in: owner.tenant)
                        // Another user's, and another tenant's under this one's name.
                        reads.append((isOwn ? [drawing] : [], { try await one.rows(from: $0).map(\.id) }))
                    }
                }
            }
            try await together(store, reads)
        }
    }

    @Test func rowLevelSecurityHoldsForEachPlace() async throws {
        try await TestStore.with { store in
            let owners = try await owners(store)
            var counts: [TenantID: Int64] = [:]
            for owner in owners { counts[owner.tenant, default: 0] += Int64(owner.drawings.count) }
            try await together(
                store,
                owners.map { owner in
                    (counts[owner.tenant]!, { try await Visible(tenant: owner.tenant).answer(from: $0) })
                }
            )
        }
    }

    /// The second lock holds inside a function that enters by its argument: by itself, and for each place of a group.
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func rowLevelSecurityHoldsInAWritesFunction(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.withOwnDatabase(form) { store in
            try await store.script(Written.script)
            let owners = try await owners(store)
            var counts: [TenantID: Int64] = [:]
            for owner in owners { counts[owner.tenant, default: 0] += Int64(owner.drawings.count) }
            for owner in owners {
                #expect(try await Written(tenant: owner.tenant).answer(from: store.service) == counts[owner.tenant])
            }
            try await together(
                store,
                owners.map { owner in
                    (counts[owner.tenant]!, { try await Written(tenant: owner.tenant).answer(from: $0) })
                }
            )
        }
    }

    /// Creates of two tenants in one transaction: each under its own, and none for another's user.
    @Test func createsThatGoTogetherStayApart() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let other = try await TestTenant(store)
            let users = [try await tenant.user("one"), try await other.user("two")]
            let creates = (0..<12).map { index in
                // The last two name the other tenant's user.
                index < 10
                    ? (index % 2 == 0 ? tenant : other).create(by: users[index % 2], isLimited: false)
                    : (index % 2 == 0 ? tenant : other).create(by: users[1 - index % 2], isLimited: false)
            }
            let service = store.service
            let outcomes = try await withThrowingTaskGroup(of: (Int, DrawingCreate.Outcome).self) { group in
                for (index, create) in creates.enumerated() {
                    group.addTask(executorPreference: service.loop) { (index, try await create.answer(from: service)) }
                }
                return try await group.reduce(into: [Int: DrawingCreate.Outcome]()) { $0[$1.0] = $1.1 }
            }
            for index in creates.indices {
                #expect(outcomes[index] == (index < 10 ? .created : .noOwner), "create \(index)")
            }
            for (place, user) in users.enumerated() {
                let home = place == 0 ? tenant : other
                let page = DrawingPageRequest(of: user, in: home.id, type: nil, place: .newest, count: 20)
                let made = creates.enumerated().filter { $0.offset < 10 && $0.offset % 2 == place }.map(
                    \.element.draft.id
                )
                #expect(Set(try await page.run(on: service).drawings.map(\.id)) == Set(made))
            }
        }
    }
}
