import ChilCore
import ChilDatabase
import ChilStore
import Testing

@Suite struct PrintJobTests {
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func aJobIsAcceptedOrSaysWhyNot(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), stranger = try await tenant.user("stranger")
            let drawing = try await tenant.drawing(by: owner)
            let foreignPrinter = try await other.printer()
            func print(
                _ drawing: DrawingID,
                by user: UserID,
                on printer: PrinterID? = nil,
                copies: Int32 = 1,
                at now: Timestamp = noon
            ) async throws -> PrintJobCreate.Outcome {
                try await PrintJobCreate(
                    fresh(),
                    of: drawing,
                    by: user,
                    in: tenant.id,
                    on: printer,
                    scale: .large,
                    copies: copies,
                    caller: testCaller,
                    at: now,
                    isLimited: true
                ).answer(from: store.service)
            }
            #expect(try await print(drawing, by: owner) == .noPrinter)
            let desk = try await tenant.printer("desk"), hall = try await tenant.printer("hall")
            #expect(try await print(drawing, by: owner) == .created(desk))
            #expect(try await print(drawing, by: owner, on: hall) == .created(hall))
            #expect(try await print(drawing, by: stranger) == .noDrawing)
            #expect(try await print(fresh(), by: owner) == .noDrawing)
            #expect(try await print(drawing, by: owner, on: foreignPrinter) == .noPrinter)

            // Two a day, by the tenant's own calendar: noon UTC is 21:00 in Seoul.
            try await tenant.limit(.printJobs, to: 2, per: .day)
            let midnight = noon + .seconds(3 * 3_600)
            let refusal = QuotaRefusal(try QuotaKey(.printJobs, .tenant, .day), resetsAt: midnight)
            #expect(try await print(drawing, by: owner, copies: 3) == .created(desk))
            #expect(try await print(drawing, by: owner, copies: 2) == .created(desk))
            #expect(try await print(drawing, by: owner) == .overQuota(refusal))
            #expect(try await print(drawing, by: owner, at: noon + .seconds(3 * 3_600)) == .created(desk))
        }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func aLeasedJobGoesOnUnderItsFence(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.withOwnDatabase(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), job: PrintJobID = fresh()
            let drawing = try await tenant.drawing(by: owner), printer = try await tenant.printer()
            _ = try await PrintJobCreate(
                job,
                of: drawing,
                by: owner,
                in: tenant.id,
                on: nil,
                scale: .small,
                copies: 2,
                caller: testCaller,
                at: noon,
                isLimited: false
            ).answer(from: store.service)

            let first = try #require(try await claim(job, on: printer, store.service, lease: .zero))
            let second = try #require(try await claim(job, on: printer, store.service, lease: .seconds(60)))
            #expect(first.attempts == 1 && second.attempts == 2 && second.fence > first.fence)
            #expect(try await claim(job, on: printer, store.service, lease: .seconds(60)) == nil)

            // The first worker woke too late: it writes nothing.
            let late = PrintJobAdvance(first, to: .failed, reason: "late", machine: "step", again: nil, at: noon)
            #expect(try await late.answer(from: store.service).isStored == false)
            #expect(try await WorkFinish(first).run(on: store.service) == false)

            let sent = PrintJobAdvance(
                second,
                to: .sent,
                reason: nil,
                remoteJobID: "17",
                remoteJobURI: "ipp://192.0.2.9/jobs/17",
                machine: "step",
                again: .seconds(60),
                at: noon + .seconds(1)
            )
            #expect(try await sent.answer(from: store.service).isStored)
            let same = PrintJobAdvance(
                second,
                to: .sent,
                reason: nil,
                machine: "step",
                again: .seconds(60),
                at: noon + .seconds(2)
            )
            #expect(try await same.answer(from: store.service).isStored)
            let blocked = PrintJobAdvance(
                second,
                to: .blocked,
                reason: "paperEmpty",
                machine: "step",
                again: .seconds(60),
                at: noon + .seconds(3)
            )
            #expect(try await blocked.answer(from: store.service).isStored)

            let task = try #require(try await PrintJobLoad(job, in: tenant.id).first(from: store.service))
            #expect(
                task.remoteJobID == "17" && task.machine == "step" && task.remoteJobURI == "ipp://192.0.2.9/jobs/17"
                    && task.printer.id == printer
            )
            #expect(task.owner == owner && task.image?.byteCount == 4 && task.job.copies == 2)
            #expect(try await PrintJobLoad(job, in: other.id).first(from: store.service) == nil)

            _ = try await DrawingDelete(drawing, of: owner, in: tenant.id, note: userNote(), isLimited: false).answer(
                from: store.service
            )
            #expect(try await PrintJobLoad(job, in: tenant.id).first(from: store.service)?.image == nil)
            let done = PrintJobAdvance(
                second,
                to: .completed,
                reason: nil,
                machine: "step",
                again: nil,
                at: noon + .seconds(4)
            )
            #expect(try await done.answer(from: store.service).isStored)
            #expect(try await done.answer(from: store.service).isStored == false)

            let record = try #require(try await PrintJobOne(job, of: owner, in: tenant.id).run(on: store.service))
            #expect(record.state == .completed && record.updatedAt == noon + .seconds(4))
            #expect(record.history.map(\.state) == [.queued, .sent, .blocked, .completed])
            #expect(record.history.map(\.reason) == [nil, nil, "paperEmpty", nil])
            #expect(record.history[2].at == noon + .seconds(3))
            #expect(
                try await PrintJobOne(job, of: tenant.user("stranger"), in: tenant.id).run(on: store.service) == nil
            )
            #expect(try await PrintJobOne(job, of: owner, in: other.id).run(on: store.service) == nil)
        }
    }

    private func claim(_ job: PrintJobID, on printer: PrinterID, _ database: SharedDatabase, lease: Duration)
        async throws
        -> WorkItem?
    {
        let items = try await WorkClaim(countMax: 10, lease: lease, holder: "test").run(on: database)
        #expect(items.allSatisfy { $0.subject == job.rawValue && $0.lane == printer.rawValue })
        return items.first
    }
}
