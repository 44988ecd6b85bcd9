import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// Whose turn a printer is.
@Suite struct PrintLineTests {
    /// A tenant with a person, a drawing and a printer; or a borrower of another's.
    struct Place {
        let tenant: TenantOf
        let place: PrintPlace
        let printer: PrinterID

        struct TenantOf {
            let tenant: TestTenant
            var people: [(user: UserID, drawing: DrawingID)] = []
        }

        init(_ store: TestStore, people: Int = 1, borrowing lender: Place? = nil) async throws {
            var own = TenantOf(tenant: try await TestTenant(store))
            for number in 0..<people {
                let user = try await own.tenant.user("person-\(number)")
                own.people.append((user, try await own.tenant.drawing(by: user)))
            }
            tenant = own
            guard let lender else {
                printer = try await own.tenant.printer("desk")
                place = PrintPlace(tenant: own.tenant.id, printer: printer)
                return
            }
            place = lender.place
            printer = fresh()
            let borrowed = PrintPlace(tenant: own.tenant.id, printer: printer)
            let views = try await PrinterViews(of: lender.tenant.tenant.id).rows(from: store.service)
            let view = try #require(views.first { $0.record.id == lender.printer })
            let loan = PrinterLoanAdd(of: place, to: borrowed, note: own.tenant.note())
            #expect(try await loan.first(from: store.operatorRole) != nil)
            #expect(try await loan.first(from: store.operatorRole) == nil)
            let lend = PrinterLend(view, at: place, as: borrowed, named: "lent", note: own.tenant.note())
            guard case .added = try await lend.run(on: store.operatorRole) else {
                throw DatabaseError(.broken, detail: "printer refused")
            }
        }

        func print(_ store: TestStore, by person: Int = 0) async throws -> PrintJobID {
            let job: PrintJobID = fresh()
            let outcome = try await PrintJobCreate(
                job,
                of: tenant.people[person].drawing,
                by: tenant.people[person].user,
                in: tenant.tenant.id,
                on: printer,
                scale: .large,
                copies: 1,
                caller: testCaller,
                at: noon,
                isLimited: false
            ).answer(from: store.service)
            #expect(outcome == .created(printer))
            return job
        }
    }

    private static func claimed(_ store: TestStore) async throws -> [PrintJobID: WorkItem] {
        var items: [PrintJobID: WorkItem] = [:]
        while true {
            let more = try await WorkClaim(countMax: 64, lease: .seconds(600), holder: "test").run(on: store.service)
            if more.isEmpty { return items }
            for item in more { items[PrintJobID(rawValue: item.subject)] = item }
        }
    }

    private static func step(
        _ item: WorkItem,
        _ turn: PrintJobAdvance.Turn,
        at place: PrintPlace,
        to state: PrintJobState = .queued,
        _ store: TestStore
    ) async throws -> PrintJobAdvance.Answer {
        try await PrintJobAdvance(
            item,
            to: state,
            reason: nil,
            machine: "m",
            again: turn == .end ? nil : .seconds(600),
            turn: turn,
            rest: turn == .end ? .zero : .seconds(60),
            place: place,
            at: noon
        ).answer(from: store.service)
    }

    /// Prints all, one after another, as they are called; in which order.
    private static func order(_ items: [PrintJobID: WorkItem], at place: PrintPlace, _ store: TestStore) async throws
        -> [PrintJobID]
    {
        var order: [PrintJobID] = []
        var left = items
        while !left.isEmpty {
            // All ask; one gets it.
            var holders: [PrintJobID] = []
            for (job, item) in left where try await step(item, .take, at: place, store).hasTurn { holders.append(job) }
            #expect(holders.count == 1, "\(holders)")
            guard let job = holders.first, let item = left.removeValue(forKey: job) else { break }
            order.append(job)
            let end = try await step(item, .end, at: place, to: .completed, store)
            #expect(end.isStored && end.hasPassed == !left.isEmpty)
        }
        return order
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func turnsGoRoundAmongTenants(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.withOwnDatabase(form) { store in
            let lender = try await Place(store)
            let borrower = try await Place(store, borrowing: lender)
            let third = try await Place(store, borrowing: lender)
            var many: [PrintJobID] = []
            for _ in 0..<5 { many.append(try await lender.print(store)) }
            let one = try await borrower.print(store)
            let two = [try await third.print(store), try await third.print(store)]
            let order = try await Self.order(Self.claimed(store), at: lender.place, store)
            #expect(order == [many[0], one, two[0], many[1], two[1], many[2], many[3], many[4]])
        }
    }

    @Test func turnsGoRoundAmongTheTenantsPeople() async throws {
        try await TestStore.withOwnDatabase { store in
            let lender = try await Place(store, people: 2)
            let borrower = try await Place(store, borrowing: lender)
            var many: [PrintJobID] = []
            for _ in 0..<3 { many.append(try await lender.print(store, by: 0)) }
            let other = try await lender.print(store, by: 1)
            let one = try await borrower.print(store)
            let order = try await Self.order(Self.claimed(store), at: lender.place, store)
            #expect(order == [many[0], one, other, many[1], many[2]])
        }
    }

    /// Whoever comes while somebody has the printer is next, before what that one's tenant has more.
    @Test func whoeverHasNothingIsNext() async throws {
        try await TestStore.withOwnDatabase { store in
            let lender = try await Place(store)
            let borrower = try await Place(store, borrowing: lender)
            let first = try await lender.print(store), second = try await lender.print(store)
            var items = try await Self.claimed(store)
            #expect(try await Self.step(try #require(items[first]), .take, at: lender.place, store).hasTurn)
            let late = try await borrower.print(store)
            items.merge(try await Self.claimed(store)) { $1 }
            let held = try #require(items[first])
            items[first] = nil
            // It is not their turn yet, however often they ask.
            for item in items.values {
                let asked = try await Self.step(item, .take, at: lender.place, store)
                #expect(asked.isStored && !asked.hasTurn && !asked.hasPassed)
            }
            _ = try await Self.step(held, .hold, at: lender.place, to: .printing, store)
            #expect(try await Self.step(held, .end, at: lender.place, to: .completed, store).hasPassed)
            // Who is called is due at once, the other is not.
            let due = try await Self.claimed(store)
            #expect(Set(due.keys) == [late])
            #expect(second != late)
        }
    }

    /// Who waits for a printer that is away lets others try, after a moment; who was called and never comes loses the turn.
    @Test func aTurnIsNeverLostForGood() async throws {
        try await TestStore.withOwnDatabase { store in
            let lender = try await Place(store)
            let first = try await lender.print(store), second = try await lender.print(store)
            let items = try await Self.claimed(store)
            let one = try #require(items[first]), two = try #require(items[second])
            #expect(try await Self.step(one, .take, at: lender.place, store).hasTurn)
            #expect(try await !Self.step(two, .take, at: lender.place, store).hasTurn)
            // Back to the queue: it does not ask for ten minutes.
            #expect(try await Self.step(one, .free, at: lender.place, store).hasPassed)
            #expect(try await Self.step(two, .take, at: lender.place, store).hasTurn)
            #expect(try await !Self.step(one, .take, at: lender.place, store).hasTurn)
            // Its worker is gone, and so is its lease.
            try await store.script(
                "update work set turn_until = now() - interval '1 second' where turn_until is not null"
            )
            #expect(try await Self.step(one, .take, at: lender.place, store).hasTurn)
            #expect(try await Self.step(two, .keep, at: lender.place, to: .submitting, store).isStored)
            #expect(try await !Self.step(two, .take, at: lender.place, store).hasTurn)
        }
    }

    /// With an account goes its place in line; what it had of the printer's time does not outlive it.
    @Test func anAccountsEndLeavesTheLine() async throws {
        try await TestStore.withOwnDatabase { store in
            let lender = try await Place(store, people: 2)
            let gone = try await lender.print(store, by: 0), stays = try await lender.print(store, by: 1)
            let items = try await Self.claimed(store)
            #expect(try await Self.step(try #require(items[gone]), .take, at: lender.place, store).hasTurn)
            _ = try await lender.tenant.tenant.delete(lender.tenant.people[0].user).run(on: store.service)
            #expect(try await !Self.step(try #require(items[gone]), .keep, at: lender.place, store).isStored)
            #expect(try await Self.step(try #require(items[stays]), .take, at: lender.place, store).hasTurn)
        }
    }
}
