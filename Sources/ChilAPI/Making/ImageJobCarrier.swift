import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilLoop
import ChilMedia
import ChilS3
import ChilStore

/// Carries a job that makes a picture as far as it can be carried now. Not `Sendable`.
///
/// It decides nothing: `ImageJobMachine` does. The machine is stored before each attempt, under the lease's fence, so that whoever takes
/// over after a crash counts the attempt that was lost.
final class ImageJobCarrier: WorkCarrier {
    static let lease = Duration.seconds(45)
    /// Each may hold a picture and the answer that it came in.
    static let room = ShareDesk<ImageJobClaim>.Room(places: 32, placesOfTenant: 8)

    private let shared: SharedState
    private let database: DatabaseClient
    private let loop: EventLoop
    private let announcer: DrawingAnnouncer
    private let news: LiveAnnouncer
    private let makers: [ImagePurpose: any ImageMaker]
    private let images: ImageStore
    private let ids: IDSource
    private let stopping: StopFlag

    init(
        _ shared: SharedState,
        _ database: DatabaseClient,
        on loop: EventLoop,
        _ makers: [ImagePurpose: any ImageMaker],
        _ ids: IDSource,
        _ stopping: StopFlag
    ) {
        self.shared = shared
        self.database = database
        self.loop = loop
        self.makers = makers
        self.ids = ids
        images = ImageStore(database, shared.configuration.s3.map { S3Client($0, on: loop) })
        self.stopping = stopping
        announcer = DrawingAnnouncer(on: loop, database, shared.drawings)
        news = LiveAnnouncer(on: loop, database)
    }

    func work(on item: WorkItem) async throws {
        // What is begun now might not be stored: the next process takes it up.
        if stopping.isRaised { return }
        guard let task = try await ImageJobLoad(item).first(from: database) else {
            _ = try await ImageJobDrop(item).answer(from: database)
            return
        }
        var machine =
            task.machine.flatMap { ImageJobMachine(text: $0) } ?? ImageJobMachine(at: task.createdAt)
        var step = machine.received(.taken, at: loop.wallClock)
        while true {
            switch step {
            case .wait(let until):
                let pause = max(.milliseconds(50), until - loop.wallClock)
                _ = try await store(machine, item, .queued, again: pause)
                return
            case .attempt(let number):
                guard try await store(machine, item, .running, again: Self.lease) else { return }
                guard let next = try await attempt(number, &machine, task, item) else { return }
                step = next
            case .fail(let code):
                return try await fail(machine, task, item, code)
            // Stored only together with the end of the work, so there is none.
            case .settle: return try await fail(machine, task, item, ImageJobMachine.interrupted)
            }
        }
    }

    /// - Returns: the next step; `nil`: the job is done here.
    private func attempt(
        _ number: Int,
        _ machine: inout ImageJobMachine,
        _ task: ImageJobTask,
        _ item: WorkItem
    ) async throws -> ImageJobMachine.Step? {
        guard let maker = makers[task.purpose] else {
            return machine.received(.refused(MakingFault.unavailable.rawValue), at: loop.wallClock)
        }
        let keeper = LeaseKeeper(item, lease: Self.lease, on: loop, database)
        defer { keeper.stop() }
        switch try await maker.make(task, in: item.tenant, attempt: number) {
        case .made(let made):
            let before = machine
            _ = machine.received(.made, at: loop.wallClock)
            guard let fault = try await settle(machine, made, task, item) else { return nil }
            machine = before
            return machine.received(.refused(fault), at: loop.wallClock)
        case .refused(let code):
            return machine.received(.refused(code), at: loop.wallClock)
        case .failed(let code, let retryAfter):
            return machine.received(.attemptFailed(code, retryAfter: retryAfter), at: loop.wallClock)
        }
    }

    /// - Returns: the code of what keeps it from being stored; `nil`: it is done, or another's.
    private func settle(_ machine: ImageJobMachine, _ made: MadeImage, _ task: ImageJobTask, _ item: WorkItem)
        async throws
        -> String?
    {
        let facts = ChilStore.ImageFacts(
            hash: await OffLoop.run { SHA256.digest(of: made.bytes).bytes },
            byteCount: Int64(made.bytes.count),
            mediaType: made.mediaType,
            width: Int32(clamping: made.width),
            height: Int32(clamping: made.height)
        )
        let settle = ImageJobSettle(
            item,
            ImageJobSettle.Made(
                image: facts,
                bytes: images.createBrings(facts) ? made.bytes : nil,
                endpoint: made.endpoint,
                revisedPrompt: made.revisedPrompt
            ),
            machine: machine.text,
            at: loop.wallClock
        )
        for _ in 0..<Self.stagingsMax {
            if !images.createBrings(facts) {
                try await images.stage(
                    made.bytes,
                    facts,
                    as: try ids.next(at: loop.wallClock),
                    of: task.owner,
                    in: item.tenant,
                    until: loop.wallClock + ImageStaging.lease
                )
            }
            switch try await settle.answer(from: database) {
            case .ready:
                announcer.ended(task.job, of: item.tenant)
                news.happened(to: task.owner, in: item.tenant)
                return nil
            case .lost: return nil
            case .gone:
                announcer.ended(task.job, of: item.tenant)
                return nil
            case .unstaged: continue
            case .overQuota: return MakingFault.noRoom.rawValue
            }
        }
        throw DatabaseError(.broken, detail: "a staged picture is never whole: look at the sweeper's lease")
    }

    private func fail(_ machine: ImageJobMachine, _ task: ImageJobTask, _ item: WorkItem, _ code: String) async throws {
        let fail = ImageJobFail(item, for: code, machine: machine.text, at: loop.wallClock)
        guard try await fail.answer(from: database) else { return }
        announcer.ended(task.job, of: item.tenant)
        news.happened(to: task.owner, in: item.tenant)
        shared.log.write(
            .info,
            "picture not made",
            [("tenant", "\(item.tenant.rawValue)"), ("drawing", "\(item.subject)"), ("fault", code)]
        )
    }

    /// False: the lease is another's now; nothing more may be done for the job here.
    private func store(_ machine: ImageJobMachine, _ item: WorkItem, _ state: ImageJobState, again: Duration)
        async throws -> Bool
    {
        let advance = ImageJobAdvance(item, to: state, machine: machine.text, again: again, at: loop.wallClock)
        return try await advance.answer(from: database)
    }

    private static let stagingsMax = 3
}
