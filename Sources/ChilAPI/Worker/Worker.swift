import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore
import Glibc

/// The work that outlives requests: takes it from the queue, fetches key sets, and clears away what has had its time. One per process,
/// on a loop, with database connections of its own.
actor Worker {
    private nonisolated let loop: EventLoop
    private let shared: SharedState
    private let holder = "chilapi-\(getpid())"
    private let database: DatabaseClient
    private let printing: PrintCarrier
    private let events: EventCarrier
    private let exchanging: ExchangeCarrier
    private let ids: IDSource
    private let keySets: KeySetFetcher
    private let revocation: RevocationCarrier
    private let cancellation: CancellationCarrier
    private let discarding: DiscardCarrier
    private let webhooks: WebhookDesk
    private let pictures: ShareDesk<ImageJobClaim>
    private let scans: ShareDesk<ScanClaim>
    private let sealer: AuditSealer
    private let desk: WorkDesk
    private let stopping = StopFlag()
    private let report = WorkReport()

    init(_ shared: SharedState, on loop: EventLoop) {
        self.loop = loop
        self.shared = shared
        var configuration = shared.configuration.database
        configuration.writeConnections = 1
        configuration.writeConnectionsMax = 2
        database = DatabaseClient(configuration, on: loop)
        printing = PrintCarrier(shared, database, on: loop, lease: WorkDesk.lease, report, stopping)
        events = EventCarrier(shared, database, on: loop)
        ids = IDSource(holder: "\(holder)-worker", on: loop) {}
        exchanging = ExchangeCarrier(shared, database, on: loop, ids, stopping)
        keySets = KeySetFetcher(
            shared.keySets,
            StoredKeySets(database: database, log: shared.log),
            on: loop,
            shared.log
        )
        revocation = RevocationCarrier(shared, database, on: loop, ids)
        cancellation = CancellationCarrier(shared, database, on: loop)
        discarding = DiscardCarrier(shared, database, on: loop)
        webhooks = WebhookDesk(
            WebhookCarrier(shared, database, on: loop, ids, stopping),
            database,
            holder: holder,
            shared.log,
            on: loop,
            stopping
        )
        scans = ShareDesk(
            ScanCarrier(shared, database, on: loop, ids, stopping),
            ScanCarrier.room,
            lease: ScanCarrier.lease,
            database,
            shared.scans,
            holder: holder,
            shared.log,
            on: loop,
            stopping
        )
        pictures = ShareDesk(
            ImageJobCarrier(shared, database, on: loop, ImageMakers.all(shared, database, on: loop), ids, stopping),
            ImageJobCarrier.room,
            lease: ImageJobCarrier.lease,
            database,
            shared.pictures,
            holder: holder,
            shared.log,
            on: loop,
            stopping
        )
        sealer = AuditSealer(database, shared.log, on: loop, stopping)
        desk = WorkDesk(
            database,
            shared.work,
            holder: holder,
            leaving: shared.configuration.s3 == nil ? [.discard] : [],
            on: loop,
            stopping
        )
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// Works until `requestStop()`, and then until what it has begun is stored.
    func run() async {
        database.open()
        let loop = loop
        guard shared.configuration.roles.works else {
            // Requests need issuers' keys, whoever does the rest.
            await withDiscardingTaskGroup { group in
                group.addTask(executorPreference: loop) { await self.beat() }
                await fetchKeySets()
            }
            database.close()
            return
        }
        await withDiscardingTaskGroup { group in
            group.addTask(executorPreference: loop) { await self.beat() }
            group.addTask(executorPreference: loop) { await self.sweep() }
            group.addTask(executorPreference: loop) { await self.retain() }
            group.addTask(executorPreference: loop) { await self.fetchKeySets() }
            group.addTask(executorPreference: loop) { await self.keepIDs() }
            group.addTask(executorPreference: loop) { await self.carryWebhooks() }
            group.addTask(executorPreference: loop) { await self.makePictures() }
            group.addTask(executorPreference: loop) { await self.drawScans() }
            group.addTask(executorPreference: loop) { await self.seal() }
            group.addTask(executorPreference: loop) { await self.tell() }
            while true {
                let items = await desk.claim()
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
        stopping.isRaised = true
        shared.work.ring()
        webhooks.ring()
        pictures.ring()
        scans.ring()
        shared.keySets.close()
        ids.stop()
    }

    private func beat() async {
        await ServiceBeater(shared, database, on: loop, report, stopping).run()
    }

    private func seal() async {
        await sealer.run()
    }

    /// Beside the other work, so that it waits for nothing and nothing waits for it.
    private func carryWebhooks() async {
        let loop = loop
        await withDiscardingTaskGroup { group in
            while true {
                let items = await webhooks.claim()
                if items.isEmpty { return }
                for item in items {
                    group.addTask(executorPreference: loop) { await self.carry(item) }
                }
            }
        }
    }

    private func carry(_ item: WorkItem) async {
        await webhooks.work(on: item)
    }

    /// As webhooks are carried: what takes minutes keeps nothing else waiting.
    private func makePictures() async {
        let loop = loop
        await withDiscardingTaskGroup { group in
            while true {
                let items = await pictures.claim()
                if items.isEmpty { return }
                for item in items {
                    group.addTask(executorPreference: loop) { await self.make(item) }
                }
            }
        }
    }

    private func make(_ item: WorkItem) async {
        await pictures.work(on: item)
    }

    /// As pictures are made: pages of one tenant keep nobody else's waiting.
    private func drawScans() async {
        let loop = loop
        await withDiscardingTaskGroup { group in
            while true {
                let items = await scans.claim()
                if items.isEmpty { return }
                for item in items {
                    group.addTask(executorPreference: loop) { await self.draw(item) }
                }
            }
        }
    }

    private func draw(_ item: WorkItem) async {
        await scans.work(on: item)
    }

    private func keepIDs() async {
        await ids.keep(on: database)
    }

    private func work(on item: WorkItem) async {
        var rest: Duration?
        do {
            switch item.kind {
            case .print: rest = try await printing.work(on: item)
            case .revoke: try await revocation.work(on: item)
            case .cancel: try await cancellation.work(on: item)
            case .event: try await events.work(on: item)
            case .discard: try await discarding.work(on: item)
            case .exchange: try await exchanging.work(on: item)
            // Claimed by the desks.
            case .webhook, .image, .scan: break
            }
        } catch {
            // The lease runs out, and it is taken up again.
            shared.log.write(
                .warning,
                "work interrupted",
                [
                    ("tenant", "\(item.tenant.rawValue)"), ("kind", item.kind.rawValue), ("subject", "\(item.subject)"),
                    ("error", String(reason: error)),
                ]
            )
        }
        desk.ended(item, resting: rest)
    }

    /// Issuers' key sets, as requests come to need them.
    private func fetchKeySets() async {
        let (loop, wanted) = (loop, shared.keySets)
        await withDiscardingTaskGroup { group in
            while let name = await wanted.nextWanted() {
                group.addTask(executorPreference: loop) { await self.fetch(name) }
            }
        }
    }

    private func fetch(_ name: KeySetName) async {
        await keySets.obtain(name)
    }

    private func sweep() async {
        let sweeper = Sweeper(database, shared.log, stopping, rota: SweepRota())
        var next = loop.monotonicNow
        while !stopping.isRaised {
            if loop.monotonicNow >= next {
                next = loop.monotonicNow + Sweeper.interval.nanoseconds
                let begun = loop.wallClock
                if await sweeper.sweep(at: begun) { report.sweptAt = begun }
            }
            await loop.sleep(.milliseconds(250))
        }
    }

    /// Every few minutes a line of what was done, and of what waits.
    private func tell() async {
        var next = loop.monotonicNow + WorkReport.interval.nanoseconds
        while !stopping.isRaised {
            if loop.monotonicNow >= next {
                next = loop.monotonicNow + WorkReport.interval.nanoseconds
                if let queue = try? await database.run(WatchDue(), .read, of: nil).first,
                    let fields = report.take(due: queue.due, ageSeconds: queue.ageSeconds)
                {
                    shared.log.write(.info, "work", fields)
                }
            }
            await loop.sleep(.milliseconds(250))
        }
    }

    /// What tenants have kept for long enough goes, once the ids have come that it needs.
    private func retain() async {
        let sweeper = RetentionSweeper(database, ids, shared.log, stopping)
        let purger = TenantPurger(database, shared.log, stopping)
        let epson = EpsonKeeper(shared, database, on: loop, stopping)
        var next = loop.monotonicNow
        while !stopping.isRaised {
            if loop.monotonicNow >= next, ids.isReady {
                await purger.purge(at: loop.wallClock)
                let isDone = await sweeper.sweep(at: loop.wallClock)
                await epson.renew(at: loop.wallClock)
                let pause = isDone ? RetentionSweeper.interval : RetentionSweeper.retryInterval
                next = loop.monotonicNow + pause.nanoseconds
            }
            await loop.sleep(.milliseconds(250))
        }
    }
}
