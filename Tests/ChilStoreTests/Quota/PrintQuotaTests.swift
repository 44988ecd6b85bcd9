import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// Prints reserve their quotas and settle them when they end.
@Suite struct PrintQuotaTests {
    private struct Place: Sendable {
        let tenant: TestTenant
        let owner: UserID
        let drawing: DrawingID

        init(_ store: TestStore) async throws {
            tenant = try await TestTenant(store)
            owner = try await tenant.user()
            drawing = try await tenant.drawing(by: owner)
            _ = try await tenant.printer()
        }

        func limit(_ jobs: Int64, _ pages: Int64) async throws {
            try await tenant.limit(QuotaKey(.printJobs, .tenant, .day), to: jobs)
            try await tenant.limit(QuotaKey(.printedPages, .user, .day), to: pages)
        }

        func print(_ job: PrintJobID = fresh(), copies: Int32, at now: Timestamp = noon) async throws
            -> PrintJobCreate.Outcome
        {
            try await PrintJobCreate(
                job,
                of: drawing,
                by: owner,
                in: tenant.id,
                on: nil,
                scale: .large,
                copies: copies,
                caller: testCaller,
                at: now,
                isLimited: true
            ).answer(from: tenant.store.service)
        }

        /// Jobs of the tenant and pages of the owner.
        func used(at now: Timestamp = noon) async throws -> [Int64] {
            try await OwnQuotas(of: owner, in: tenant.id, at: now).rows(from: tenant.store.service).map(\.used)
        }

        func reserved() async throws -> Int64? {
            try await tenant.store.administrator.run(Reserved(tenant: tenant.id), .read, of: nil).first
        }
    }

    private struct Reserved: Statement {
        static let sql = SQL("select count(*) from quota_reservation where tenant_id = $1")
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
        static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
    }

    private struct PrinterUse: Statement {
        static let sql = SQL(
            "select used from quota_use where tenant_id = $1 and scope = 'printer' order by subject_id"
        )
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
        static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
    }

    struct End: CustomTestStringConvertible, Sendable {
        let states: [PrintJobState]
        let pages: Int32
        let used: [Int64]
        var testDescription: String { "\(states) \(pages)" }

        init(_ states: [PrintJobState], pages: Int32 = 0, used: [Int64]) {
            (self.states, self.pages, self.used) = (states, pages, used)
        }
    }

    @Test(arguments: [
        End([.sent, .printing, .completed], pages: 5, used: [1, 5]),
        End([.sent, .completed], used: [1, 5]),
        End([.submitting, .failed], used: [0, 0]),
        End([.canceled], used: [0, 0]),
        End([.sent, .expired], used: [0, 0]),
        End([.sent, .printing, .canceled], pages: 2, used: [1, 2]),
        End([.sent, .printing, .failed], used: [1, 5]),
        End([.sent, .outcomeUnknown], used: [1, 5]),
        // A printer that counts more than it was sent.
        End([.sent, .printing, .canceled], pages: 9, used: [1, 5]),
    ])
    func aJobsEndSettlesIt(_ end: End) async throws {
        try await TestStore.withOwnDatabase { store in
            let place = try await Place(store), other = try await Place(store)
            try await place.limit(10, 10)
            try await other.limit(10, 10)
            #expect(try await other.print(copies: 3) != .noPrinter)
            let others = try await WorkClaim(countMax: 1, lease: .seconds(600), holder: "other").run(on: store.service)
            #expect(others.count == 1)
            #expect(try await place.print(copies: 5) != .noPrinter)
            #expect(try await place.used() == [1, 5])
            #expect(try await place.reserved() == 2)
            let item = try #require(
                try await WorkClaim(countMax: 1, lease: .seconds(600), holder: "test").run(on: store.service).first
            )
            for (index, state) in end.states.enumerated() {
                let isLast = index == end.states.count - 1
                let step = PrintJobAdvance(
                    item,
                    to: state,
                    reason: nil,
                    pages: end.pages,
                    machine: "step",
                    again: isLast ? nil : .seconds(60),
                    at: noon + .seconds(Int64(index))
                )
                #expect(try await step.answer(from: store.service).isStored)
            }
            #expect(try await place.used() == end.used)
            #expect(try await place.reserved() == 0)
            #expect(try await place.tenant.differences() == [])
            #expect(try await other.used() == [1, 3])
            #expect(try await other.reserved() == 2)
        }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func jobsAndPagesAreTakenTogether(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let place = try await Place(store)
            try await place.limit(2, 6)
            let midnight = noon + .seconds(3 * 3_600)
            let pages = QuotaRefusal(try QuotaKey(.printedPages, .user, .day), resetsAt: midnight)
            let jobs = QuotaRefusal(try QuotaKey(.printJobs, .tenant, .day), resetsAt: midnight)
            // The job is not counted where its pages are refused.
            #expect(try await place.print(copies: 7) == .overQuota(pages))
            #expect(try await place.used() == [0, 0])
            #expect(try await place.reserved() == 0)
            for _ in 0..<2 { #expect(try await place.print(copies: 1) != .overQuota(jobs)) }
            #expect(try await place.print(copies: 1) == .overQuota(jobs))
            #expect(try await place.used() == [2, 2])
            #expect(
                try await place.tenant.auditedActions().contains {
                    $0.hasPrefix("print-job.create quota printed_pages")
                }
            )
        }
    }

    /// What was taken yesterday is not given to today.
    @Test func nothingIsGivenIntoAnotherWindow() async throws {
        try await TestStore.withOwnDatabase { store in
            let place = try await Place(store)
            try await place.limit(10, 10)
            let tomorrow = noon + .seconds(86_400)
            #expect(try await place.print(copies: 4) != .noPrinter)
            let item = try #require(
                try await WorkClaim(countMax: 1, lease: .seconds(600), holder: "test").run(on: store.service).first
            )
            #expect(try await place.print(copies: 3, at: tomorrow) != .noPrinter)
            #expect(try await place.used(at: tomorrow) == [1, 3])
            let failed = PrintJobAdvance(item, to: .failed, reason: nil, machine: "m", again: nil, at: tomorrow)
            #expect(try await failed.answer(from: store.service).isStored)
            #expect(try await place.used(at: tomorrow) == [1, 3])
            #expect(try await place.reserved() == 2)
        }
    }

    /// A lease that ran out is given back, once, and only where the work is gone.
    @Test func aLapsedReservationIsGivenBack() async throws {
        try await TestStore.withOwnDatabase { store in
            let place = try await Place(store), other = try await Place(store)
            for one in [place, other] {
                try await one.tenant.limit(QuotaKey(.printJobs, .tenant, .month), to: 10)
                #expect(try await one.print(copies: 1) != .noPrinter)
            }
            let late = noon + .seconds(8 * 86_400)
            func given(_ tenant: TestTenant, at now: Timestamp) async throws -> Int {
                try await Sweep(of: tenant.id, at: now).run(on: store.service).reservations
            }
            // Its work is in the queue still: whatever the clock says, it will be settled.
            #expect(try await given(place.tenant, at: late) == 0)
            try await store.script("delete from work where tenant_id = \(place.tenant.id.rawValue)")
            #expect(try await given(place.tenant, at: noon + .seconds(6 * 86_400)) == 0)
            #expect(try await place.used() == [1])
            #expect(try await given(place.tenant, at: late) == 1)
            #expect(try await given(place.tenant, at: late) == 0)
            #expect(try await place.used() == [0])
            #expect(try await other.used() == [1])
        }
    }

    /// With the account its waiting jobs are given back; those that a printer has are paid for.
    @Test func anAccountsEndSettlesItsJobs() async throws {
        try await TestStore.withOwnDatabase { store in
            let place = try await Place(store)
            try await place.tenant.limit(QuotaKey(.printJobs, .tenant, .month), to: 10)
            try await place.tenant.limit(QuotaKey(.printedPages, .tenant, .month), to: 10)
            #expect(try await place.print(copies: 2) != .noPrinter)
            let item = try #require(
                try await WorkClaim(countMax: 1, lease: .seconds(600), holder: "test").run(on: store.service).first
            )
            let sent = PrintJobAdvance(item, to: .sent, reason: nil, machine: "m", again: .seconds(60), at: noon)
            #expect(try await sent.answer(from: store.service).isStored)
            #expect(try await place.print(copies: 3) != .noPrinter)
            _ = try await place.tenant.delete(place.owner).run(on: store.service)
            #expect(try await place.tenant.quotas().map(\.used) == [1, 2])
            #expect(try await place.reserved() == 0)
        }
    }

    /// A printer's own limit: another printer prints on.
    @Test func eachPrinterHasItsPages() async throws {
        try await TestStore.with { store in
            let place = try await Place(store)
            let hall = try await place.tenant.printer("hall")
            let key = try QuotaKey(.printedPages, .printer, .hour)
            try await place.tenant.limit(key, to: 2)
            #expect(try await place.print(copies: 2) != .noPrinter)
            guard case .overQuota(let refusal) = try await place.print(copies: 1) else {
                Issue.record("the third page was given")
                return
            }
            #expect(refusal.key == key)
            let elsewhere = PrintJobCreate(
                fresh(),
                of: place.drawing,
                by: place.owner,
                in: place.tenant.id,
                on: hall,
                scale: .small,
                copies: 2,
                caller: testCaller,
                at: noon,
                isLimited: true
            )
            #expect(try await elsewhere.answer(from: store.service) == .created(hall))
        }
    }

    /// A print that is moved is another printer's: it counts there, and no more where it was.
    @Test func aMovedPrintCountsWhereItIs() async throws {
        try await TestStore.with { store in
            let place = try await Place(store), other = try await Place(store)
            let desk = try #require(try await PrinterList(of: place.tenant.id).rows(from: store.service).first).id
            let hall = try await place.tenant.printer("hall")
            let key = try QuotaKey(.printedPages, .printer, .hour)
            for one in [place, other] { try await one.tenant.limit(key, to: 3) }
            let job: PrintJobID = fresh()
            #expect(try await place.print(job, copies: 2) == .created(desk))
            #expect(try await other.print(copies: 2) != .noPrinter)
            func isRefused(_ printer: PrinterID, _ copies: Int32, in place: Place) async throws -> Bool {
                let answer = try await PrintJobCreate(
                    fresh(),
                    of: place.drawing,
                    by: place.owner,
                    in: place.tenant.id,
                    on: printer,
                    scale: .small,
                    copies: copies,
                    caller: testCaller,
                    at: noon,
                    isLimited: true
                ).answer(from: store.service)
                if case .overQuota(let refusal) = answer { return refusal.key == key }
                return false
            }
            let move = PrintJobsMove(
                from: desk,
                to: hall,
                at: PrintPlace(tenant: place.tenant.id, printer: hall),
                of: place.tenant.id,
                note: place.tenant.note()
            )
            #expect(try await move.answer(from: store.operatorRole) == 1)
            #expect(try await isRefused(hall, 2, in: place), "two of three are the moved print's")
            #expect(try await !isRefused(desk, 3, in: place), "and no more the desk's")
            // Its end settles what it has, where it is.
            _ = try await place.tenant.delete(place.owner).run(on: store.service)
            let counters = try await store.administrator.run(PrinterUse(tenant: place.tenant.id), .read, of: nil)
            #expect(counters == [0, 0], "none was printed")
            let untouched = try await store.administrator.run(PrinterUse(tenant: other.tenant.id), .read, of: nil)
            #expect(untouched == [2])
        }
    }

    /// Printers are the operator's to add, within the limit; a removed one makes room.
    @Test func printersHaveALimit() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let desk = try await tenant.printer("desk")
            for one in [tenant, other] { try await one.limit(.printers, to: 2) }
            _ = try await tenant.printer("hall")
            let third = tenant.printerAdd("third", isDefault: true)
            guard case .overQuota(let refusal) = try await third.run(on: store.operatorRole) else {
                Issue.record("a third of two printers")
                return
            }
            #expect(try refusal == QuotaRefusal(QuotaKey(.printers)))
            // Nothing was done: the default is who it was.
            let printers = try await PrinterList(of: tenant.id).rows(from: store.service)
            #expect(printers.map(\.name) == ["desk", "hall"] && printers.first?.id == desk)
            let remove = PrinterRemove(named: "hall", of: tenant.id, note: tenant.note())
            #expect(try await remove.run(on: store.operatorRole) != nil)
            #expect(try await remove.run(on: store.operatorRole) == nil)
            _ = try await tenant.printer("third", isDefault: true)
            #expect(try await [tenant.used(.printers), other.used(.printers)] == [2, 0])
            #expect(try await tenant.differences() == [])
        }
    }
}
