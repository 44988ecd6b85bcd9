import ChilCore
import ChilDatabase
import ChilStore
import ChilTestSupport
import Testing

/// Keeps a batch's transaction open for a while after its other statements.
private struct Pause: Statement {
    typealias Row = Void
    // No longer than a lock is waited for, whatever else is slow.
    static let sql = SQL("select pg_sleep(0.15)")
    func bind(_ values: inout BoundValues) {}
}

/// How many do so at this moment.
private struct Pauses: Statement {
    static let sql = SQL(
        "select count(*) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'"
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

/// Two services at once, the second surely inside the first one's transaction: what the second sees must be what the first commits.
/// On connections that no other test uses: a pause holds up what is behind it.
@Suite(.serialized) struct OverlapTests {
    private static let pair = (TestStore.shared(.implicit), TestStore.shared(.implicit))

    private func withPair(_ body: (TestStore, TestStore) async throws -> Void) async throws {
        try await body(Self.pair.0.value, Self.pair.1.value)
    }

    private func overlap<First: TenantStatement, Second: TenantStatement>(
        _ first: First,
        _ second: Second,
        _ store: TestStore,
        _ other: TestStore
    ) async throws -> (First.Row, Second.Row)
    where First: Sendable, Second: Sendable, First.Row: Sendable, Second.Row: Sendable {
        // Connections are there before the race.
        for service in [store.service, other.service] { _ = try await service.run(SchemaVersion(), .write, of: nil) }
        let service = store.service
        async let held: First.Row? = {
            var batch = Batch(.write, of: first.tenant)
            let slot = batch.add(first)
            batch.add(Pause())
            return try await service.run(batch).first(slot)
        }()
        await awaitUntil(.seconds(5)) { (try? await other.service.run(Pauses(), .read, of: nil)) == [1] }
        let late = try await second.answer(from: other.service)
        return (try #require(try await held), late)
    }

    @Test func replayInsideASignIn() async throws {
        try await withPair { store, other in
            let tenant = try await TestTenant(store), token = freshDigest()
            let (first, second) = try await overlap(
                tenant.signIn("person", token: token),
                tenant.signIn("person", token: token),
                store,
                other
            )
            #expect([first.word, second.word] == ["new", "replayed"])
        }
    }

    @Test func nonceInsideASignIn() async throws {
        try await withPair { store, other in
            let tenant = try await TestTenant(store), nonce = freshDigest()
            try await NonceCreate(in: tenant.id, digest: nonce, expires: noon + .seconds(60)).touched(on: store.service)
            let (first, second) = try await overlap(
                tenant.signIn("person", nonce: nonce),
                tenant.signIn("person", nonce: nonce),
                store,
                other
            )
            #expect([first.word, second.word] == ["new", "nonce"])
        }
    }

    @Test func secondDeviceInsideTheFirstSignIn() async throws {
        try await withPair { store, other in
            let tenant = try await TestTenant(store)
            try await tenant.limit(.users, to: 1)
            let (first, second) = try await overlap(tenant.signIn("person"), tenant.signIn("person"), store, other)
            #expect([first.word, second.word] == ["new", "known"])
            #expect(first.user?.id == second.user?.id)
        }
    }

    @Test func theLastOfAQuotaIsTakenOnce() async throws {
        try await withPair { store, other in
            let tenant = try await TestTenant(store)
            try await tenant.limit(.drawings, to: 1)
            let owner = try await tenant.user()
            let (first, second) = try await overlap(tenant.create(by: owner), tenant.create(by: owner), store, other)
            #expect(first == .created && second == .overQuota(.drawings))
        }
    }

    @Test func sameBytesInsideACreateAreCountedOnce() async throws {
        try await withPair { store, other in
            let tenant = try await TestTenant(store)
            try await tenant.limit(.storageBytes, to: 100)
            let owner = try await tenant.user(), hash = freshDigest()
            let (first, second) = try await overlap(
                tenant.create(by: owner, hash: hash),
                tenant.create(by: owner, hash: hash),
                store,
                other
            )
            #expect(first == .created && second == .created)
            #expect(try await tenant.used(.storageBytes) == 4)
        }
    }

    /// The image goes with its last drawing while another drawing of the same bytes is made, in both orders.
    @Test(arguments: [true, false])
    func imageStaysWithItsDrawing(_ isDeleteFirst: Bool) async throws {
        try await withPair { store, other in
            let tenant = try await TestTenant(store)
            try await tenant.limit(.storageBytes, to: 100)
            let owner = try await tenant.user(), hash = freshDigest()
            let old = try await tenant.drawing(by: owner, hash: hash)
            let create = tenant.create(by: owner, hash: hash)
            let delete = DrawingDelete(old, of: owner, in: tenant.id, note: userNote(), isLimited: false)
            if isDeleteFirst {
                let (deleted, created) = try await overlap(delete, create, store, other)
                #expect(deleted && created == .created)
            } else {
                let (created, deleted) = try await overlap(create, delete, store, other)
                #expect(deleted && created == .created)
            }
            #expect(try await tenant.used(.storageBytes) == 4)
            let chunks = try await ImageBytes(of: hash, owner: owner, in: tenant.id).rows(from: store.service)
            #expect(chunks.map { $0.bytes(0) } == [[1, 2, 3, 4]])
        }
    }

    @Test func twoTabsRefreshAtOnce() async throws {
        try await withPair { store, other in
            let tenant = try await TestTenant(store), session: SessionID = fresh()
            _ = try await tenant.user(session: session)
            func refresh() -> SessionRefresh {
                SessionRefresh(
                    session,
                    of: tenant.id,
                    counter: 1,
                    audit: fresh(),
                    caller: testCaller,
                    at: noon + .seconds(1),
                    living: SessionRules(idle: .seconds(1_000), absolute: .seconds(10_000), countMax: nil)
                )
            }
            let (first, second) = try await overlap(refresh(), refresh(), store, other)
            guard case .rotated(let granted) = first, case .same(let repeated) = second else {
                Issue.record("\(first), \(second)")
                return
            }
            #expect(granted == repeated)
        }
    }
}
