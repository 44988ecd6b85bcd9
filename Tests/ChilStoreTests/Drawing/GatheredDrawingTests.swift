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
}
