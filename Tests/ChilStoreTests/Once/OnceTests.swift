import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// Records of requests with a key, beside their effects.
@Suite struct OnceTests {
    private func create(_ tenant: TestTenant, _ owner: UserID, _ drawing: DrawingID, _ mark: OnceMark) async throws
        -> Once<DrawingCreate.Outcome>
    {
        try await DrawingCreateOnce(tenant.create(by: owner, id: drawing), mark).answer(from: tenant.store.service)
    }

    private func count(_ tenant: TestTenant, _ owner: UserID) async throws -> Int {
        try await DrawingPageRequest(of: owner, in: tenant.id, type: nil, place: .newest, count: 50)
            .run(on: tenant.store.service).count
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func theSecondFindsTheFirst(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let (ann, bob, eve) = (
                try await tenant.user("ann"), try await tenant.user("bob"), try await other.user("ann")
            )
            let key = freshDigest(), body = freshDigest()
            let mark = OnceMark(key: key, body: body, at: noon)
            let first: DrawingID = fresh()
            #expect(try await create(tenant, ann, first, mark) == .first(.created))
            #expect(try await create(tenant, ann, fresh(), mark) == .repeated(first.rawValue))
            let mark2 = OnceMark(key: key, body: freshDigest(), at: noon)
            #expect(try await create(tenant, ann, fresh(), mark2) == .otherBody)
            // The same key is another's own.
            #expect(try await create(tenant, bob, fresh(), mark) == .first(.created))
            #expect(try await create(other, eve, fresh(), mark) == .first(.created))
            #expect(try await create(tenant, UserID(rawValue: 4), fresh(), mark) == .first(.noOwner))
            for (tenant, owner) in [(tenant, ann), (tenant, bob), (other, eve)] {
                #expect(try await count(tenant, owner) == 1)
            }
        }
    }

    @Test func aRefusedEffectIsForgotten() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let ann = try await tenant.user()
            let mark = OnceMark(key: freshDigest(), body: freshDigest(), at: noon)
            try await tenant.limit(.drawings, to: 0)
            #expect(try await create(tenant, ann, fresh(), mark) == .first(.overQuota(.drawings)))
            try await tenant.limit(.drawings, to: 1)
            let made: DrawingID = fresh()
            #expect(try await create(tenant, ann, made, mark) == .first(.created))
            #expect(try await create(tenant, ann, fresh(), mark) == .repeated(made.rawValue))
        }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func fiftyAtOnceAreOne(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.withTwo(form) { store, second in
            let tenant = try await TestTenant(store)
            let ann = try await tenant.user()
            let mark = OnceMark(key: freshDigest(), body: freshDigest(), at: noon)
            let outcomes = try await withThrowingTaskGroup(of: Once<DrawingCreate.Outcome>.self) { group in
                for number in 0..<50 {
                    let create = DrawingCreateOnce(tenant.create(by: ann, isLimited: false), mark)
                    let service = number.isMultiple(of: 2) ? store.service : second.service
                    group.addTask { try await create.answer(from: service) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .first(.created) } == 1)
            #expect(Set(outcomes.filter { $0 != .first(.created) }.map { "\($0)" }).count == 1)
            #expect(try await count(tenant, ann) == 1)
        }
    }

    /// A request in several steps: others wait for its lease, and it may end itself as often as it likes.
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func aLeaseEnds(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store)
            let ann = try await tenant.user()
            let mark = OnceMark(key: freshDigest(), body: freshDigest(), at: noon)
            func begin(_ drawing: DrawingID, at now: Timestamp, _ mark: OnceMark) async throws -> Once<Bool> {
                try await OnceBegin(mark, by: ann, in: tenant.id, making: drawing, until: now + .seconds(60), at: now)
                    .answer(from: store.service)
            }
            let first: DrawingID = fresh(), second: DrawingID = fresh()
            #expect(try await begin(first, at: noon, mark) == .first(true))
            #expect(try await begin(second, at: noon + .seconds(59), mark) == .running)
            #expect(try await create(tenant, ann, second, mark) == .running)
            let other = OnceMark(key: mark.key, body: freshDigest(), at: noon)
            #expect(try await begin(second, at: noon, other) == .otherBody)
            // Its process has died: the key is free again, for the same body and for another.
            #expect(try await begin(second, at: noon + .seconds(60), mark) == .first(true))
            // Whoever has lost the lease creates nothing.
            #expect(try await create(tenant, ann, first, mark) == .running)
            #expect(try await create(tenant, ann, second, mark) == .first(.created))
            #expect(try await begin(fresh(), at: noon, mark) == .repeated(second.rawValue))
            #expect(try await count(tenant, ann) == 1)

            let third: DrawingID = fresh(), next = OnceMark(key: freshDigest(), body: freshDigest(), at: noon)
            #expect(try await begin(third, at: noon, next) == .first(true))
            try await OnceForget(next, by: ann, in: tenant.id, making: third).touched(on: store.service)
            #expect(try await begin(fresh(), at: noon, next) == .first(true))
        }
    }

    @Test func aDayLaterItIsNewAndSwept() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let (ann, eve) = (try await tenant.user(), try await other.user())
            let yesterday = noon - .seconds(86_400)
            let mark = OnceMark(key: freshDigest(), body: freshDigest(), at: yesterday)
            for (tenant, owner) in [(tenant, ann), (other, eve)] {
                #expect(try await create(tenant, owner, fresh(), mark) == .first(.created))
            }
            // The create's own time is noon.
            #expect(try await create(tenant, ann, fresh(), mark) == .first(.created))
            #expect(try await count(tenant, ann) == 2)
            let early = try await Sweep(of: tenant.id, at: noon).run(on: store.service)
            #expect(early.idempotencyKeys == 0)
            let sweep = try await Sweep(of: tenant.id, at: noon + .seconds(1)).run(on: store.service)
            #expect(sweep.idempotencyKeys == 1)
            #expect(try await Sweep(of: other.id, at: noon + .seconds(1)).run(on: store.service).idempotencyKeys == 1)
        }
    }

    @Test func aPrintIsOnePrint() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let ann = try await tenant.user()
            let drawing = try await tenant.drawing(by: ann)
            let mark = OnceMark(key: freshDigest(), body: freshDigest(), at: noon)
            func print(_ job: PrintJobID, on printer: PrinterID?) async throws -> Once<PrintJobCreate.Outcome> {
                let create = PrintJobCreate(
                    job,
                    of: drawing,
                    by: ann,
                    in: tenant.id,
                    on: printer,
                    scale: .large,
                    copies: 1,
                    caller: testCaller,
                    at: noon,
                    isLimited: false
                )
                return try await PrintJobCreateOnce(create, mark).answer(from: store.service)
            }
            #expect(try await print(fresh(), on: nil) == .first(.noPrinter))
            let printer = try await tenant.printer(), job: PrintJobID = fresh()
            #expect(try await print(job, on: printer) == .first(.created(printer)))
            #expect(try await print(fresh(), on: printer) == .repeated(job.rawValue))
        }
    }
}
