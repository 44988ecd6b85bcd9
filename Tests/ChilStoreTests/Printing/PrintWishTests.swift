import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// What people want of prints that others work on, or that have ended.
@Suite struct PrintWishTests {
    private static func claim(_ store: TestStore) async throws -> WorkItem? {
        try await WorkClaim(countMax: 1, lease: .seconds(600), holder: "test").run(on: store.service).first
    }

    private static func actor(_ user: UserID) -> PrintJobActor { .person(user, userNote()) }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func aCancelWakesWhatWaitsAndTakesNothingFromAWorker(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.withOwnDatabase(form) { store in
            let desk = try await PrintLineTests.Place(store), other = try await PrintLineTests.Place(store)
            let (tenant, owner) = (desk.tenant.tenant, desk.tenant.people[0].user)
            let job = try await desk.print(store)
            let item = try #require(try await Self.claim(store))
            func cancel(_ job: PrintJobID, by actor: PrintJobActor, in id: TenantID? = nil) async throws
                -> PrintJobCancel.Outcome
            {
                try await PrintJobCancel(job, in: id ?? tenant.id, by: actor).answer(from: store.service)
            }
            #expect(try await cancel(job, by: Self.actor(try await tenant.user("stranger"))) == .missing)
            #expect(
                try await cancel(job, by: Self.actor(other.tenant.people[0].user), in: other.tenant.tenant.id)
                    == .missing
            )
            #expect(try await cancel(fresh(), by: Self.actor(owner)) == .missing)
            #expect(try await cancel(job, by: Self.actor(owner)) == .wanted)
            #expect(try await cancel(job, by: Self.actor(owner)) == .wanted)
            // A worker holds it: it is not due, and the lease is that one's.
            #expect(try await Self.claim(store) == nil)
            func step(_ turn: PrintJobAdvance.Turn, to state: PrintJobState, knows: Bool, again: Duration?) async throws
                -> PrintJobAdvance.Answer
            {
                try await PrintJobAdvance(
                    item,
                    to: state,
                    reason: nil,
                    machine: "m",
                    again: again,
                    turn: turn,
                    knowsCancel: knows,
                    place: desk.place,
                    at: noon
                ).answer(from: store.service)
            }
            #expect(try await step(.keep, to: .submitting, knows: false, again: .seconds(600)).isCancelWanted)
            // Put off without knowing of it: somebody looks at once.
            #expect(try await step(.hold, to: .sent, knows: false, again: .seconds(600)).isCancelWanted)
            let again = try #require(try await Self.claim(store))
            #expect(again.fence == item.fence + 1)
            let task = try #require(try await PrintJobTask.load(job, in: tenant.id, from: store.service))
            #expect(task.isCancelWanted)
            let end = PrintJobAdvance(
                again,
                to: .canceled,
                reason: nil,
                machine: "m",
                again: nil,
                knowsCancel: true,
                place: desk.place,
                at: noon
            )
            #expect(try await end.answer(from: store.service).isStored)
            #expect(try await cancel(job, by: Self.actor(owner)) == .over(.canceled))
            #expect(try await tenant.auditedActions().count { $0.hasPrefix("print-job.cancel ") } == 1)
        }
    }

    /// A row that nobody holds is due at once, however long it was put off.
    @Test func aCancelWakesWhatWasPutOff() async throws {
        try await TestStore.withOwnDatabase { store in
            let desk = try await PrintLineTests.Place(store)
            let job = try await desk.print(store)
            let item = try #require(try await Self.claim(store))
            let put = PrintJobAdvance(
                item,
                to: .queued,
                reason: "printerUnreachable",
                machine: "m",
                again: .seconds(300),
                turn: .free,
                place: desk.place,
                at: noon
            )
            #expect(try await put.answer(from: store.service).isStored)
            #expect(try await Self.claim(store) == nil)
            let actor = Self.actor(desk.tenant.people[0].user)
            #expect(
                try await PrintJobCancel(job, in: desk.tenant.tenant.id, by: actor).answer(from: store.service)
                    == .wanted
            )
            #expect(try await Self.claim(store)?.subject == job.rawValue)
        }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func whatHasEndedIsBegunAgainWithItsQuotas(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.withOwnDatabase(form) { store in
            let desk = try await PrintLineTests.Place(store), other = try await PrintLineTests.Place(store)
            let (tenant, owner) = (desk.tenant.tenant, desk.tenant.people[0].user)
            try await tenant.limit(QuotaKey(.printJobs, .tenant, .month), to: 2)
            let job = try await desk.print(store)
            func retry(_ was: String?, by actor: PrintJobActor? = nil, in id: TenantID? = nil) async throws
                -> PrintJobRetry.Outcome
            {
                try await PrintJobRetry(
                    job,
                    in: id ?? tenant.id,
                    PrintMachineChange(from: was, to: "again"),
                    until: noon + .seconds(60),
                    by: actor ?? Self.actor(owner),
                    isLimited: true
                ).answer(from: store.service)
            }
            #expect(try await retry(nil) == .state(.queued))
            func end(_ state: PrintJobState) async throws {
                guard let item = try await Self.claim(store) else {
                    Issue.record("nothing is due")
                    return
                }
                let end = PrintJobAdvance(
                    item,
                    to: state,
                    reason: nil,
                    machine: "over",
                    again: nil,
                    place: desk.place,
                    at: noon
                )
                #expect(try await end.answer(from: store.service).isStored)
            }
            try await end(.failed)
            #expect(try await tenant.used(.printJobs) == 0)
            #expect(try await retry("another") == .changed)
            #expect(
                try await retry("over", by: Self.actor(other.tenant.people[0].user), in: other.tenant.tenant.id)
                    == .missing
            )
            #expect(try await retry("over", by: Self.actor(try await tenant.user("stranger"))) == .missing)
            #expect(try await retry("over") == .retried)
            #expect(try await tenant.used(.printJobs) == 1)
            #expect(try await retry("again") == .state(.queued))
            // It may end again, and that is told again.
            try await end(.outcomeUnknown)
            #expect(try await tenant.used(.printJobs) == 1)
            #expect(try await retry("over") == .retried)
            #expect(try await tenant.used(.printJobs) == 2)
            try await end(.expired)
            #expect(try await tenant.used(.printJobs) == 1)
            _ = try await desk.print(store)
            guard case .overQuota = try await retry("over") else {
                Issue.record("a third of two")
                return
            }
            let record = try #require(try await PrintJobOne(job, of: owner, in: tenant.id).run(on: store.service))
            #expect(record.history.map(\.state) == [.queued, .failed, .queued, .outcomeUnknown, .queued, .expired])
            #expect(record.expiresAt == noon + .seconds(60))
            let audited = try await tenant.auditedActions()
            #expect(audited.count { $0.hasPrefix("print-job.end") } == 3, "\(audited)")
            #expect(audited.count { $0.hasPrefix("print-job.retry") } == 2, "\(audited)")
            #expect(try await tenant.differences() == [])
        }
    }

    @Test func aPersonSaysWhatNobodyKnows() async throws {
        try await TestStore.withOwnDatabase { store in
            let desk = try await PrintLineTests.Place(store)
            let (tenant, owner) = (desk.tenant.tenant, desk.tenant.people[0].user)
            let job = try await desk.print(store)
            func resolve(_ was: String?, by actor: PrintJobActor) async throws -> PrintJobResolve.Outcome {
                try await PrintJobResolve(
                    job,
                    in: tenant.id,
                    PrintMachineChange(from: was, to: "known"),
                    as: .completed,
                    reason: nil,
                    by: actor
                ).answer(from: store.operatorRole)
            }
            #expect(try await resolve(nil, by: .operator(tenant.note())) == .state(.queued))
            let item = try #require(try await Self.claim(store))
            let doubt = PrintJobAdvance(
                item,
                to: .outcomeUnknown,
                reason: "answerLost",
                machine: "over",
                again: nil,
                at: noon
            )
            #expect(try await doubt.answer(from: store.service).isStored)
            #expect(try await resolve("another", by: .operator(tenant.note())) == .changed)
            #expect(try await resolve("over", by: Self.actor(try await tenant.user("stranger"))) == .missing)
            #expect(try await resolve("over", by: .operator(tenant.note())) == .resolved)
            #expect(try await resolve("known", by: .operator(tenant.note())) == .state(.completed))
            let record = try #require(try await PrintJobOne(job, of: owner, in: tenant.id).run(on: store.service))
            #expect(record.history.map(\.state) == [.queued, .outcomeUnknown, .completed])
        }
    }

    /// Those that no printer has go where they are sent, whoever looks at one; the others stay.
    @Test func waitingPrintsMove() async throws {
        try await TestStore.withOwnDatabase { store in
            let desk = try await PrintLineTests.Place(store), other = try await PrintLineTests.Place(store)
            let tenant = desk.tenant.tenant
            let hall = try await tenant.printer("hall")
            let jobs = [try await desk.print(store), try await desk.print(store)]
            let foreign = try await other.print(store)
            let sent = try #require(try await Self.claim(store))
            #expect(sent.subject == jobs[0].rawValue)
            let step = PrintJobAdvance(sent, to: .sent, reason: nil, machine: "m", again: .seconds(600), at: noon)
            #expect(try await step.answer(from: store.service).isStored)
            let looking = try #require(try await Self.claim(store))
            let move = PrintJobsMove(
                from: desk.printer,
                to: hall,
                at: PrintPlace(tenant: tenant.id, printer: hall),
                of: tenant.id,
                note: tenant.note()
            )
            #expect(try await move.answer(from: store.operatorRole) == 1)
            // Whoever looked at it has lost it before anything was sent.
            let late = PrintJobAdvance(
                looking,
                to: .submitting,
                reason: nil,
                machine: "m",
                again: .seconds(600),
                at: noon
            )
            #expect(try await !late.answer(from: store.service).isStored)
            let unfinished = UnfinishedPrintJobs(at: PrintPlace(tenant: tenant.id, printer: desk.printer))
            #expect(try await unfinished.rows(from: store.operatorRole) == [jobs[0]])
            let task = try #require(try await PrintJobTask.load(jobs[1], in: tenant.id, from: store.service))
            #expect(task.printer.id == hall)
            #expect(try await step.answer(from: store.service).isStored)
            let untouched = try await PrintJobTask.load(foreign, in: other.tenant.tenant.id, from: store.service)
            #expect(untouched?.printer.id == other.printer)
        }
    }

    /// What is seen is written when it is news, and else once a minute.
    @Test func whatIsSeenOfAPrinterIsKept() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let place = PrintPlace(tenant: tenant.id, printer: try await tenant.printer())
            _ = try await other.printer()
            func saw(_ state: PrinterView.Seen.State, _ reasons: [String], _ media: [String]?, at now: Timestamp)
                async throws -> Int
            {
                try await PrinterSeen(place, is: state, reasons: reasons, media: media, at: now).touched(
                    on: store.service
                )
            }
            #expect(try await saw(.idle, [], ["iso_a4_210x297mm"], at: noon) == 1)
            #expect(try await saw(.idle, [], nil, at: noon + .seconds(30)) == 0)
            #expect(try await saw(.stopped, ["media-empty", "bad\nword", ""], nil, at: noon + .seconds(31)) == 1)
            #expect(try await saw(.stopped, ["media-empty"], nil, at: noon + .seconds(91)) == 1)
            // A worker whose clock is behind.
            #expect(try await saw(.idle, [], nil, at: noon) == 0)
            let seen = try #require(try await PrinterViews(of: tenant.id).rows(from: store.service).first)
            #expect(
                seen.seen?.state == .stopped && seen.seen?.reasons == ["media-empty"]
                    && seen.seen?.at == noon + .seconds(91)
            )
            #expect(seen.media == ["iso_a4_210x297mm"])
            // Stopped since it was seen so first, not last; of one tenant alone.
            let troubles = PrinterTroubles(of: [tenant.id, other.id])
            let found = try await store.operatorRole.run(troubles, .read, of: nil)
            #expect(found.map(\.tenant) == [tenant.id] && found.first?.state == .stopped)
            #expect(found.first?.since == noon + .seconds(31) && found.first?.reasons == ["media-empty"])
            #expect(try await store.operatorRole.run(PrinterTroubles(of: [other.id]), .read, of: nil).isEmpty)
            #expect(try await saw(.idle, [], nil, at: noon + .seconds(200)) == 1)
            #expect(try await store.operatorRole.run(troubles, .read, of: nil).isEmpty)
            #expect(try await PrinterViews(of: other.id).rows(from: store.service).first?.seen == nil)
        }
    }

    /// What the lender sets holds for the borrower.
    @Test func aLendersStateIsTheBorrowersToo() async throws {
        try await TestStore.withOwnDatabase { store in
            let lender = try await PrintLineTests.Place(store)
            let borrower = try await PrintLineTests.Place(store, borrowing: lender)
            let tenant = borrower.tenant.tenant
            let job = try await borrower.print(store)
            let task = try #require(try await PrintJobTask.load(job, in: tenant.id, from: store.service))
            #expect(task.printer.uri == "ipp://192.0.2.9/print" && task.place == lender.place)
            let off = PrinterSetState(.disabled, named: "desk", of: lender.tenant.tenant.id, note: tenant.note())
            #expect(try await off.first(from: store.operatorRole) != nil)
            let loans = try await PrinterLoans(of: lender.place).rows(from: store.operatorRole)
            #expect(loans.map(\.borrower) == [PrintPlace(tenant: tenant.id, printer: borrower.printer)])
            for loan in loans {
                _ = try await PrinterLenderState(.disabled, at: loan.borrower, at: noon).touched(on: store.operatorRole)
            }
            #expect(try await PrintJobTask.load(job, in: tenant.id, from: store.service)?.printer.state == .disabled)
            let refused = PrintJobCreate(
                fresh(),
                of: borrower.tenant.people[0].drawing,
                by: borrower.tenant.people[0].user,
                in: tenant.id,
                on: borrower.printer,
                scale: .large,
                copies: 1,
                caller: testCaller,
                at: noon,
                isLimited: false
            )
            #expect(try await refused.answer(from: store.service) == .printerDisabled)
            #expect(try await PrinterViews(of: tenant.id).rows(from: store.service).first?.state == .disabled)
        }
    }
}
