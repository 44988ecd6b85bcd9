import ChilCore
import ChilDatabase
import ChilStore
import ChilTestSupport
import Testing

/// Addresses that Epson's service calls: each wakes what its own tenant's printers have, and nothing else.
@Suite struct EpsonNoticeTests {
    private static let base = "https://api.example.test"
    private static let digest = [UInt8](repeating: 7, count: 32)

    /// A printer by Epson's service, and a print that it has.
    private struct Desk {
        let tenant: TestTenant
        let place: PrintPlace
        let item: WorkItem

        init(_ store: TestStore, _ tenant: TestTenant, named name: String) async throws {
            self.tenant = tenant
            let printer = try await EpsonAccountTests.add(name, to: tenant)
            place = PrintPlace(tenant: tenant.id, printer: printer)
            let user = try await tenant.user(name)
            let job: PrintJobID = fresh()
            let outcome = try await PrintJobCreate(
                job,
                of: try await tenant.drawing(by: user),
                by: user,
                in: tenant.id,
                on: printer,
                scale: .large,
                copies: 1,
                caller: testCaller,
                at: noon,
                isLimited: false
            ).answer(from: store.service)
            #expect(outcome == .created(printer))
            item = try #require(try await EpsonNoticeTests.claimed(store).first { $0.subject == job.rawValue })
            #expect(try await step(.take, item, store).hasTurn)
            #expect(try await step(.hold, item, store).isStored)
        }

        func step(_ turn: PrintJobAdvance.Turn, _ item: WorkItem, _ store: TestStore) async throws
            -> PrintJobAdvance.Answer
        {
            try await PrintJobAdvance(
                item,
                to: .sent,
                reason: nil,
                machine: "m",
                again: .seconds(600),
                turn: turn,
                place: place,
                at: noon
            ).answer(from: store.service)
        }

        func isHinted(_ store: TestStore) async throws -> Bool? {
            let job = PrintJobID(rawValue: item.subject)
            return try await PrintJobTask.load(job, in: tenant.id, from: store.service)?.isHinted
        }

        func claim(_ digest: [UInt8], at now: Timestamp, under base: String = base, _ store: TestStore) async throws
            -> EpsonNoticeClaim.Claim?
        {
            try await EpsonNoticeClaim(digest, under: base, of: place.printer, in: tenant.id, at: now)
                .first(from: store.service)
        }
    }

    private struct Removal: Statement {
        typealias Row = Void
        static let sql = SQL("update printer set state = 'removed' where tenant_id = $1")
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
    }

    fileprivate static func claimed(_ store: TestStore) async throws -> [WorkItem] {
        try await WorkClaim(countMax: 64, lease: .seconds(600), holder: "test").run(on: store.service)
    }

    private static func call(_ digest: [UInt8], _ tenant: TestTenant, at now: Timestamp = noon, _ store: TestStore)
        async throws -> Bool
    {
        try await EpsonNoticeTake(digest, of: tenant.id, at: now).answer(from: store.service)
    }

    @Test func aPrinterHasOneAddress() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let desk = try await Desk(store, tenant, named: "home"),
                foreign = try await Desk(store, other, named: "home")
            let claim = try #require(try await desk.claim(Self.digest, at: noon, store))
            #expect(claim.slug == tenant.slug && !claim.isPrivate)
            // Epson's answer was lost: another is asked for, and not at once.
            #expect(try await desk.claim([1], at: noon + .seconds(899), store) == nil)
            #expect(try await desk.claim([1], at: noon + .seconds(901), store) != nil)
            let late = EpsonNoticeSet(Self.digest, of: desk.place.printer, in: tenant.id)
            #expect(try await late.touched(on: store.service) == 0)
            let set = EpsonNoticeSet([1], of: desk.place.printer, in: tenant.id)
            #expect(try await EpsonNoticeSet([1], of: desk.place.printer, in: other.id).touched(on: store.service) == 0)
            #expect(try await set.touched(on: store.service) == 1)
            #expect(try await desk.claim([2], at: noon + .seconds(86_400), store) == nil)
            // The service has moved.
            let moved = try await desk.claim([2], at: noon + .seconds(86_400), under: "https://elsewhere.test", store)
            #expect(moved != nil)
            #expect(try await !Self.call([1], tenant, store))
            #expect(try await Self.call([2], tenant, store))
            #expect(try await foreign.claim([2], at: noon, store) != nil, "the other tenant has its own")
        }
    }

    @Test func anAddressWakesItsClientsPrints() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let home = try await Desk(store, tenant, named: "home"), hall = try await Desk(store, tenant, named: "hall")
            let foreign = try await Desk(store, other, named: "home")
            #expect(try await home.claim(Self.digest, at: noon, store) != nil)
            #expect(try await Self.claimed(store).isEmpty)

            // Forged: nothing.
            #expect(try await !Self.call([9], tenant, store))
            #expect(try await !Self.call(Self.digest, other, store))
            #expect(try await Self.claimed(store).isEmpty)
            #expect(try await home.isHinted(store) == false)

            #expect(try await Self.call(Self.digest, tenant, store))
            let woken = try await Self.claimed(store)
            #expect(Set(woken.map(\.subject)) == [home.item.subject, hall.item.subject])
            #expect(try await home.isHinted(store) == true)
            #expect(try await foreign.isHinted(store) == false)
            let item = try #require(woken.first { $0.subject == home.item.subject })

            // The printer is asked: what was said before is done with. What is said meanwhile is not.
            #expect(try await home.step(.keep, item, store).isStored)
            #expect(try await home.isHinted(store) == false)
            #expect(try await home.step(.hold, item, store).isStored)
            #expect(try await Self.claimed(store).isEmpty)
            let again = noon + .seconds(60)
            #expect(try await Self.call(Self.digest, tenant, at: again, store))
            let taken = try #require(try await Self.claimed(store).first)
            #expect(taken.subject == home.item.subject)
            #expect(try await home.step(.keep, taken, store).isStored)
            #expect(try await Self.call(Self.digest, tenant, at: again, store))
            #expect(try await Self.claimed(store).isEmpty, "a worker holds it")
            #expect(try await home.step(.hold, taken, store).isStored)
            var next: [WorkItem] = []
            let isDue = try await awaitUntil(.seconds(20)) {
                next = try await Self.claimed(store)
                return !next.isEmpty
            }
            #expect(isDue && next.map(\.subject) == [home.item.subject])
        }
    }

    @Test func aRemovedPrinterHasNoAddress() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let desk = try await Desk(store, tenant, named: "home")
            let foreign = try await Desk(store, other, named: "home")
            for one in [desk, foreign] { #expect(try await one.claim(Self.digest, at: noon, store) != nil) }
            _ = try await store.administrator.run(Removal(tenant: tenant.id), .write, of: nil)
            #expect(try await !Self.call(Self.digest, tenant, store))
            #expect(try await Self.call(Self.digest, other, store))
        }
    }
}
