import ChilCore
import ChilDatabase
import ChilStore
import Testing

@Suite struct SessionRefreshTests {
    /// One step of a session's life and what must come of it.
    enum Step: Sendable {
        case refresh(Int32, after: Int64, is: String)
        case use(Int32, after: Int64)
        case logout
    }

    struct Life: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [Step]
        var testDescription: String { name }

        static let all = [
            Life(
                name: "in step",
                steps: [.refresh(1, after: 1, is: "rotated 2"), .refresh(2, after: 2, is: "rotated 3")]
            ),
            Life(
                name: "lost reply: the parent gives the same child",
                steps: [
                    .refresh(1, after: 1, is: "rotated 2"), .refresh(1, after: 500, is: "same 2"),
                    .refresh(2, after: 600, is: "rotated 3"),
                ]
            ),
            Life(
                name: "two tabs: the parent is good for 60 s of its child's use",
                steps: [
                    .refresh(1, after: 1, is: "rotated 2"), .use(2, after: 10), .refresh(1, after: 70, is: "same 2"),
                    .refresh(1, after: 71, is: "reused"), .refresh(2, after: 72, is: "ended"),
                ]
            ),
            Life(
                name: "a second use of the child does not prolong its parent",
                steps: [
                    .refresh(1, after: 1, is: "rotated 2"), .use(2, after: 10), .use(2, after: 60),
                    .refresh(1, after: 71, is: "reused"),
                ]
            ),
            Life(
                name: "a child's refresh is its use: the grandparent is too old at once",
                steps: [
                    .refresh(1, after: 1, is: "rotated 2"), .refresh(2, after: 2, is: "rotated 3"),
                    .refresh(1, after: 3, is: "reused"), .refresh(3, after: 4, is: "ended"),
                ]
            ),
            Life(name: "a counter never given", steps: [.refresh(2, after: 1, is: "reused")]),
            Life(name: "counter below the first", steps: [.refresh(0, after: 61, is: "reused")]),
            Life(name: "logged out", steps: [.logout, .refresh(1, after: 1, is: "ended")]),
            Life(name: "idle for too long", steps: [.refresh(1, after: 1_000, is: "ended")]),
            Life(
                name: "idle time begins anew, the absolute end does not move",
                steps: [
                    .refresh(1, after: 999, is: "rotated 2"), .refresh(2, after: 1_998, is: "rotated 3"),
                    .refresh(3, after: 10_000, is: "ended"),
                ]
            ),
        ]
    }

    @Test(arguments: Life.all, DatabaseConfiguration.SegmentForm.allCases)
    func counterAgainstGeneration(_ life: Life, _ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store)
            let session: SessionID = fresh()
            let user = try await tenant.user(session: session)
            for step in life.steps {
                switch step {
                case .refresh(let counter, let seconds, let expected):
                    let outcome = try await refresh(session, tenant, counter, seconds).answer(from: store.service)
                    #expect(Self.word(outcome) == expected, "counter \(counter) after \(seconds) s")
                case .use(let generation, let seconds):
                    let used = SessionChildUsed(
                        session,
                        of: tenant.id,
                        generation: generation,
                        at: noon + .seconds(seconds)
                    )
                    try await used.touched(on: store.service)
                case .logout:
                    #expect(try await logout(.local, user, session, tenant).run(on: store.service) == 1)
                    #expect(try await logout(.local, user, session, tenant).run(on: store.service) == 0)
                }
            }
        }
    }

    @Test func foreignSessionIsMissing() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let session: SessionID = fresh()
            _ = try await tenant.user(session: session)
            #expect(try await refresh(session, other, 1, 1).answer(from: store.service) == .missing)
            #expect(try await SessionCheck(session, of: other.id).first(from: store.service) == nil)
            let record = try #require(try await SessionCheck(session, of: tenant.id).first(from: store.service))
            #expect(record.generation == 1 && record.childUsedAt == noon && record.salt.count == 16)
            #expect(record.isLive(at: noon) && !record.isLive(at: noon + .seconds(1_000)))
        }
    }

    @Test(arguments: [(Logout.Scope.local, [0]), (.others, [1, 2]), (.global, [0, 1, 2])])
    func logoutEndsItsScope(_ scope: Logout.Scope, _ expected: [Int]) async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let sessions: [SessionID] = [fresh(), fresh(), fresh()], foreign: SessionID = fresh()
            let user = try await tenant.user(session: sessions[0])
            for session in sessions[1...] { _ = try await tenant.user(session: session) }
            _ = try await tenant.user("someone else", session: foreign)
            #expect(try await logout(scope, user, sessions[0], tenant).run(on: store.service) == expected.count)
            var ended: [Int] = []
            for (index, session) in sessions.enumerated() {
                let record = try await SessionCheck(session, of: tenant.id).first(from: store.service)
                if record?.endedAt != nil { ended.append(index) }
            }
            #expect(ended == expected)
            #expect(try await SessionCheck(foreign, of: tenant.id).first(from: store.service)?.endedAt == nil)
            #expect(
                try await tenant.auditedActions().filter { $0 == "session.end logout \(scope.rawValue)" }.count == 1
            )
        }
    }

    private func refresh(_ session: SessionID, _ tenant: TestTenant, _ counter: Int32, _ seconds: Int64)
        -> SessionRefresh
    {
        SessionRefresh(
            session,
            of: tenant.id,
            counter: counter,
            audit: fresh(),
            caller: testCaller,
            at: noon + .seconds(seconds),
            idleExpires: noon + .seconds(seconds + 1_000)
        )
    }

    private func logout(_ scope: Logout.Scope, _ user: UserID, _ session: SessionID, _ tenant: TestTenant) -> Logout {
        Logout(scope, by: user, in: session, of: tenant.id, audit: fresh(), caller: testCaller, at: noon + .seconds(1))
    }

    private static func word(_ outcome: SessionRefresh.Outcome) -> String {
        switch outcome {
        case .rotated(let grant): "rotated \(grant.generation)"
        case .same(let grant): "same \(grant.generation)"
        case .reused: "reused"
        case .ended: "ended"
        case .missing: "missing"
        }
    }
}
