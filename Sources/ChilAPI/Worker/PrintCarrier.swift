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
    private let news: LiveAnnouncer
    private let lease: Duration
    private let stopping: StopFlag
    private struct Printer: Hashable {
        let tenant: TenantID
        let id: PrinterID
    }

    /// A printer prints one page after another: a second job for it waits here rather than at the printer. (None is claimed, but for one
    /// whose printer is not in its row.)
    private var busyPrinters: Set<Printer> = []

    /// - Parameters:
    ///   - lease: for how long an item is claimed, and again at each step.
    ///   - stopping: looked at between steps.
    init(
        _ shared: SharedState,
        _ database: DatabaseClient,
        on loop: EventLoop,
        lease: Duration,
        _ stopping: StopFlag
    ) {
        self.shared = shared
        self.database = database
        self.loop = loop
        self.lease = lease
        self.stopping = stopping
        let objects = shared.configuration.s3.map { S3Client($0, on: loop) }
        let images = ImageReader(ImageStore(database, objects), shared.images)
        drivers = PrintDrivers(PageDesk(images, database, shared), shared.sealer, database, on: loop)
        news = LiveAnnouncer(on: loop, database)
    }

    /// Carries one job on, and leaves it in the queue for later or done. Interrupted, it is taken up again from its last stored step.
    /// Answers for how long its printer is left alone: it could not be had just now, so the next job would not be printed either.
    func work(on item: WorkItem) async throws -> Duration? {
        let id = PrintJobID(rawValue: item.subject)
        guard let task = try await PrintJobLoad(id, in: item.tenant).first(from: database) else {
            _ = try await WorkFinish(item).run(on: database)
            return nil
        }
        let printer = Printer(tenant: item.tenant, id: task.printer.id)
        guard busyPrinters.insert(printer).inserted else {
            _ = try await WorkPostpone(item, by: Self.postponement).run(on: database)
            return nil
        }
        defer { busyPrinters.remove(printer) }
        var machine =
            task.machine.flatMap { PrintJobMachine(text: $0) }
            ?? PrintJobMachine(at: task.job.createdAt, expiresAt: task.job.createdAt + PrintSchedule.lifetime)
        var step = machine.received(.taken, at: loop.wallClock)
        if try await lacksConsent(to: task, in: item.tenant) {
            step = machine.received(.consentMissing, at: loop.wallClock)
        }
        if isWithdrawn(task) { step = machine.received(.drawingGone, at: loop.wallClock) }
        var driver = try await drivers.driver(for: task, in: item.tenant)
        for _ in 0..<Self.stepsMax {
            // What is stored now is taken up by the next process.
            if stopping.isRaised { break }
            let now = loop.wallClock
            if step.handsOver {
                // Before each step anew: it may have been minutes.
                let current = try await PrintJobLoad(id, in: item.tenant).first(from: database)
                if current.map({ $0.printer.state == .removed }) ?? true {
                    step = machine.received(.cancelRequested, at: now)
                }
                if try await lacksConsent(to: task, in: item.tenant) {
                    step = machine.received(.consentMissing, at: now)
                }
            }
            switch step {
            case .done:
                _ = try await store(machine, task, item, again: nil)
                return nil
            case .wait(let until):
                let pause = max(.milliseconds(50), until - now)
                _ = try await store(machine, task, item, again: pause)
                guard case .queued(.some) = machine.stage else { return nil }
                return min(pause, Self.restMax)
            case .checkPrinter, .createJob, .findJob, .sendDocument, .printJob, .traceJob, .poll, .cancelJob:
                guard try await store(machine, task, item, again: lease) else { return nil }
                guard let event = await driver.perform(step) else { return nil }
                step = machine.received(event, at: loop.wallClock)
            }
        }
        _ = try await store(machine, task, item, again: Self.postponement)
        return nil
    }

    /// False: the lease is another's now; nothing more may be done for the job here.
    private func store(_ machine: PrintJobMachine, _ task: PrintJobTask, _ item: WorkItem, again: Duration?)
        async throws
        -> Bool
    {
        let advance = PrintJobAdvance(
            item,
            to: PrintJobState(rawValue: machine.status.rawValue) ?? .failed,
            reason: machine.reason,
            pages: machine.pagesPrinted,
            remoteJobID: machine.remoteJob?.rawValue,
            machine: machine.text,
            again: again,
            at: loop.wallClock
        )
        let isStored = try await advance.answer(from: database)
        if isStored { news.happened(to: task.owner, in: item.tenant) }
        return isStored
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
    /// A job that goes round without waiting is put off, so that it cannot keep its printer for ever.
    private static let stepsMax = 32
}
