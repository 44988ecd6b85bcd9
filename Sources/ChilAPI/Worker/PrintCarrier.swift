import ChilCore
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilPrint
import ChilS3
import ChilStore

/// Carries a print job as far as it can be carried now. Not `Sendable`.
///
/// It decides nothing: `PrintJobMachine` does. It stores the machine before each step, under the lease's fence, so that whoever
/// takes over after a crash, or after a lease that ran out, goes on from there.
final class PrintCarrier {
    private let loop: EventLoop
    private let shared: SharedState
    private let database: DatabaseClient
    private let drivers: PrintDrivers
    private let notices: EpsonNotices
    private let news: LiveAnnouncer
    private let lease: Duration
    private let stopping: StopFlag
    private let watch: PrinterWatch
    private let report: WorkReport

    /// - Parameters:
    ///   - lease: for how long an item is claimed, and again at each step.
    ///   - stopping: looked at between steps.
    init(
        _ shared: SharedState,
        _ database: DatabaseClient,
        on loop: EventLoop,
        lease: Duration,
        _ report: WorkReport,
        _ stopping: StopFlag
    ) {
        self.report = report
        self.shared = shared
        self.database = database
        self.loop = loop
        self.lease = lease
        self.stopping = stopping
        let objects = shared.configuration.s3.map { S3Client($0, on: loop) }
        let images = ImageReader(ImageStore(database, objects), shared.images)
        drivers = PrintDrivers(PageDesk(images, database, shared), shared.sealer, database, on: loop)
        notices = EpsonNotices(shared, database, drivers, on: loop)
        news = LiveAnnouncer(on: loop, database)
        watch = PrinterWatch(database)
    }

    /// Carries one job on, and leaves it in the queue for later or done. Interrupted, it is taken up again from its last stored step.
    /// Answers for how long its printer is left alone: it could not be had just now, so the next job would not be printed either.
    func work(on item: WorkItem) async throws -> Duration? {
        let id = PrintJobID(rawValue: item.subject)
        guard let task = try await PrintJobTask.load(id, in: item.tenant, from: database) else {
            _ = try await WorkFinish(item).run(on: database)
            return nil
        }
        let deadline = task.expiresAt ?? task.job.createdAt + PrintSchedule.lifetime
        var machine =
            task.machine.flatMap { PrintJobMachine(text: $0) }
            ?? PrintJobMachine(at: task.job.createdAt, expiresAt: deadline)
        var step = machine.received(.taken, at: loop.wallClock)
        if task.isHinted { step = machine.received(.hinted, at: loop.wallClock) }
        if task.isCancelWanted, !machine.wantsCancel { step = machine.received(.withdrawn, at: loop.wallClock) }
        if try await lacksConsent(to: task, in: item.tenant) {
            step = machine.received(.consentMissing, at: loop.wallClock)
        }
        if isWithdrawn(task) { step = machine.received(.drawingGone, at: loop.wallClock) }
        var driver: (any PrintDriver)?
        for _ in 0..<Self.stepsMax {
            // What is stored now is taken up by the next process.
            if stopping.isRaised { break }
            let now = loop.wallClock
            if step.handsOver {
                // Before each step anew: it may have been minutes.
                let current = try await PrintJobTask.load(id, in: item.tenant, from: database)
                if current.map({ $0.printer.state == .removed }) ?? true {
                    step = machine.received(.withdrawn, at: now)
                }
                if try await lacksConsent(to: task, in: item.tenant) {
                    step = machine.received(.consentMissing, at: now)
                }
            }
            let turn: PrintJobAdvance.Turn
            switch step {
            case .done:
                if try await store(machine, task, item, again: nil, .end).isStored {
                    report.ended(Self.state(of: machine), machine.reason, askedAt: task.job.createdAt, at: now)
                }
                return nil
            case .wait(let until):
                return try await putOff(machine, task, item, by: max(.milliseconds(50), until - now))
            case .checkPrinter:
                if task.printer.state == .disabled {
                    step = machine.received(.printerWithheld(until: now + Self.lineRest), at: now)
                    continue
                }
                turn = .take
            case .createJob, .findJob, .sendDocument, .askToPrint, .printJob, .traceJob, .poll, .cancelJob: turn = .keep
            }
            let rest = max(.seconds(1), min(Self.lineRest, machine.expiresAt - now))
            let stored = try await store(machine, task, item, again: lease, turn, rest: rest)
            guard stored.isStored, stored.hasTurn else { return nil }
            if stored.isCancelWanted, !machine.wantsCancel {
                step = machine.received(.withdrawn, at: loop.wallClock)
                continue
            }
            if driver == nil { driver = try await drivers.driver(for: task, in: item.tenant) }
            if step == .checkPrinter, task.printer.kind != .ipp { await notices.ask(of: task.place) }
            // However long a book takes to go out, the job stays this worker's.
            let keeper = step.handsOver ? LeaseKeeper(item, lease: lease, on: loop, database) : nil
            let performed = await driver?.perform(step)
            keeper?.stop()
            guard let event = performed else { return nil }
            await watch.saw(event, of: task, at: loop.wallClock)
            step = machine.received(event, at: loop.wallClock)
        }
        _ = try await putOff(machine, task, item, by: Self.postponement)
        return nil
    }

    /// Leaves it in the queue until then: in line, or with its printer's turn if that has something of it.
    private func putOff(_ machine: PrintJobMachine, _ task: PrintJobTask, _ item: WorkItem, by pause: Duration)
        async throws
        -> Duration?
    {
        guard case .queued(let wait) = machine.stage else {
            _ = try await store(machine, task, item, again: pause, .hold)
            return nil
        }
        // A printer that could not be had is left alone for a moment; one that this tenant may not use just now is another's at once.
        let rest = wait == nil || wait == .printerDisabled ? Duration.zero : min(pause, Self.restMax)
        _ = try await store(machine, task, item, again: pause, .free, rest: rest)
        return wait == nil ? nil : min(pause, Self.restMax)
    }

    /// Nothing more may be done for the job here if it was not stored.
    private func store(
        _ machine: PrintJobMachine,
        _ task: PrintJobTask,
        _ item: WorkItem,
        again: Duration?,
        _ turn: PrintJobAdvance.Turn,
        rest: Duration = .zero
    )
        async throws
        -> PrintJobAdvance.Answer
    {
        let advance = PrintJobAdvance(
            item,
            to: Self.state(of: machine),
            reason: machine.reason,
            pages: machine.pagesPrinted,
            remoteJobID: machine.remoteJob?.rawValue,
            machine: machine.text,
            again: again,
            turn: turn,
            rest: rest,
            knowsCancel: machine.wantsCancel,
            place: task.place,
            at: loop.wallClock
        )
        let answer = try await advance.answer(from: database)
        if answer.isStored { news.happened(to: task.owner, in: item.tenant) }
        // Somebody's turn has come, or somebody changed their mind while this was put off.
        if answer.hasPassed || answer.isCancelWanted && !machine.wantsCancel { shared.work.ring() }
        return answer
    }

    private static func state(of machine: PrintJobMachine) -> PrintJobState {
        PrintJobState(rawValue: machine.status.rawValue) ?? .failed
    }

    /// Whether what is to be printed, or where, is no more. Once the printer has the page, it is let out.
    private func isWithdrawn(_ task: PrintJobTask) -> Bool {
        guard task.job.state == .queued || task.job.state == .submitting else { return false }
        return task.image == nil || task.printer.state == .removed
    }

    /// Whether the printer is a party's, and the person's guardian does not agree to that (any more).
    private func lacksConsent(to task: PrintJobTask, in tenant: TenantID) async throws -> Bool {
        guard let party = task.printer.disclosedTo else { return false }
        return try await ConsentMissing(.disclose(party), of: task.owner, in: tenant).answer(from: database)
    }

    private static let postponement = Duration.seconds(1)
    /// However long a job waits for its printer, another one soon tries whether it is back.
    private static let restMax = Duration.seconds(5)
    /// Whoever waits in line is called; it asks by itself this seldom, in case that who was called did not come.
    private static let lineRest = Duration.seconds(60)
    /// A job that goes round without waiting is put off, so that it cannot keep its printer for ever.
    private static let stepsMax = 32
}
