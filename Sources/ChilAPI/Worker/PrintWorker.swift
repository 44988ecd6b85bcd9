import ChilCore
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilMedia
import ChilPrint
import ChilStore

/// Takes print jobs from the queue and carries each as far as it can be carried now. One per process, on a loop, with database
/// connections of its own.
///
/// It decides nothing: `PrintJobMachine` does. It stores the machine before each step, under the lease's fence, so that whoever
/// takes over after a crash, or after a lease that ran out, goes on from there.
actor PrintWorker {
    private nonisolated let loop: EventLoop
    private let shared: SharedState
    private let holder: String
    private let database: DatabaseClient
    private let images: ImageReader
    private var isStopping = false
    /// A printer prints one page after another: a second job for it waits here rather than at the printer.
    private var busyPrinters: Set<PrinterID> = []

    init(_ shared: SharedState, holder: String, on loop: EventLoop) {
        self.loop = loop
        self.shared = shared
        self.holder = holder
        var configuration = shared.configuration.database
        configuration.writeConnections = 1
        database = DatabaseClient(configuration, on: loop)
        images = ImageReader(database, shared.images)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Works until `stop()`, and then until what it has begun is stored.
    func run() async {
        database.open()
        let loop = loop
        await withDiscardingTaskGroup { group in
            while true {
                let items = await claim()
                if items.isEmpty { return }
                for item in items {
                    group.addTask(executorPreference: loop) { await self.work(on: item) }
                }
            }
        }
        database.close()
    }

    /// From any thread.
    nonisolated func requestStop() {
        loop.post { self.assumeIsolated { $0.stop() } }
    }

    private func stop() {
        isStopping = true
        shared.work.ring()
    }

    /// Due work, leased. Waits until there is some; empty when the worker stops.
    private func claim() async -> [WorkItem] {
        while !isStopping {
            let claim = WorkClaim(countMax: Self.claimMax, lease: Self.lease, holder: holder)
            if let items = try? await claim.run(on: database), !items.isEmpty { return items }
            await waitForBell()
        }
        return []
    }

    /// Until rung, or until it is time to look anyway: work of others, work put off, a notification missed.
    private func waitForBell() async {
        let bell = shared.work
        let timer = loop.after(Self.pollInterval) { bell.ring() }
        await bell.wait()
        loop.cancel(timer)
    }

    /// Carries one job on, and leaves it in the queue for later or done.
    private func work(on item: WorkItem) async {
        do {
            try await carry(item)
        } catch {
            // The lease runs out, and the job is taken up again from its last stored step.
            shared.log.write(
                .warning,
                "print job interrupted",
                [("job", "\(item.subject)"), ("error", "\(error)")]
            )
        }
    }

    private func carry(_ item: WorkItem) async throws {
        let id = PrintJobID(rawValue: item.subject)
        guard let task = try await PrintJobLoad(id, in: item.tenant).first(from: database) else {
            _ = try await WorkFinish(item).run(on: database)
            return
        }
        guard busyPrinters.insert(task.printer.id).inserted else {
            _ = try await WorkPostpone(item, by: Self.pollInterval).run(on: database)
            return
        }
        defer { busyPrinters.remove(task.printer.id) }
        var machine =
            task.machine.flatMap { PrintJobMachine(text: $0) }
            ?? PrintJobMachine(at: task.job.createdAt, expiresAt: task.job.createdAt + PrintSchedule.lifetime)
        var step = machine.received(.taken, at: loop.wallClock)
        let page = try await page(for: task, in: item.tenant)
        switch page {
        case .ready: break
        case .deleted: step = machine.received(.cancelRequested, at: loop.wallClock)
        case .unprintable: step = machine.received(.stepFailed(.documentRefused), at: loop.wallClock)
        }
        var driver = try makeDriver(for: task, page, in: item.tenant)
        for _ in 0..<Self.stepsMax {
            // What is stored now is taken up by the next process.
            if isStopping { break }
            let now = loop.wallClock
            switch step {
            case .done:
                _ = try await store(machine, item, again: nil)
                return
            case .wait(let until):
                _ = try await store(machine, item, again: max(.milliseconds(50), until - now))
                return
            case .checkPrinter, .createJob, .findJob, .sendDocument, .poll, .cancelJob:
                guard try await store(machine, item, again: Self.lease) else { return }
                guard let event = await driver.perform(step) else { return }
                step = machine.received(event, at: loop.wallClock)
            }
        }
        _ = try await store(machine, item, again: Self.pollInterval)
    }

    /// False: the lease is another's now; nothing more may be done for the job here.
    private func store(_ machine: PrintJobMachine, _ item: WorkItem, again: Duration?) async throws -> Bool {
        let advance = PrintJobAdvance(
            item,
            to: PrintJobState(rawValue: machine.status.rawValue) ?? .failed,
            reason: machine.reason,
            remoteJobID: machine.remoteJob?.rawValue,
            machine: machine.text,
            again: again,
            at: loop.wallClock
        )
        return try await advance.answer(from: database)
    }

    private func makeDriver(for task: PrintJobTask, _ page: Page, in tenant: TenantID) throws -> PrintDriver {
        var document: [UInt8] = []
        if case .ready(let bytes) = page { document = bytes }
        let uri = try PrinterURI(task.printer.uri)
        return PrintDriver(
            printer: IPPPrinter(uri: uri, transport: .http(to: uri, on: loop)),
            name: PrintJobName(tenant: tenant, job: task.job.id, title: task.image?.title ?? ""),
            document: document
        )
    }

    private enum Page {
        /// A PDF; empty once the printer has it, for then it is never sent again.
        case ready([UInt8])
        case deleted
        case unprintable
    }

    private func page(for task: PrintJobTask, in tenant: TenantID) async throws -> Page {
        guard task.job.state == .queued || task.job.state == .submitting else { return .ready([]) }
        guard let image = task.image else { return .deleted }
        let pieces: [[UInt8]]
        do {
            let stored = DrawingImage(
                owner: task.owner,
                hash: image.hash,
                mediaType: image.mediaType,
                byteCount: image.byteCount
            )
            pieces = try await images.pieces(of: stored, tenant)
        } catch let problem as Problem where problem.code == .notFound {
            return .deleted
        }
        let scale = PrintScale(rawValue: task.job.scale.rawValue) ?? .large
        let copies = Int(task.job.copies)
        return await OffLoop.run {
            let picture = pieces.flatMap { $0 }
            guard let facts = try? ImageProbe.facts(of: picture) else { return .unprintable }
            let layout = PageLayout(of: facts, scale: scale)
            guard let bytes = try? PDFDocument.bytes(picture: picture, facts: facts, layout: layout, copies: copies) else {
                return .unprintable
            }
            return .ready(bytes)
        }
    }

    private static let claimMax = 8
    private static let lease = Duration.seconds(120)
    private static let pollInterval = Duration.seconds(1)
    /// A job that goes round without waiting is put off, so that it cannot keep its printer for ever.
    private static let stepsMax = 32
}
