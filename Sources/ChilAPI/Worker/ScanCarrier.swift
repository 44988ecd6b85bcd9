import ChilCore
import ChilCrypto
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilMedia
import ChilPrint
import ChilRaster
import ChilS3
import ChilStore

/// Makes a drawing of a page that a scanner pushed. Not `Sendable`.
///
/// Nothing is written before the one batch that publishes the drawing under the lease's fence, but for bytes that are staged and swept
/// if nobody takes them: whoever takes over after a crash begins anew.
struct ScanCarrier: WorkCarrier {
    static let lease = Duration.seconds(45)
    /// A few more than the rasterizer runs at once: those that wait for their turn hold no bytes.
    static let room = ShareDesk<ScanClaim>.Room(places: 8, placesOfTenant: 2)

    private let loop: EventLoop
    private let shared: SharedState
    private let database: DatabaseClient
    private let images: ImageReader
    private let ids: IDSource
    private let news: LiveAnnouncer
    private let stopping: StopFlag
    private let marks: PageMarks

    /// Of a page that takes too long: then it is given up.
    static let slowAttemptsMax: Int32 = 5
    private static let pauseMax = 300

    init(
        _ shared: SharedState,
        _ database: DatabaseClient,
        on loop: EventLoop,
        _ ids: IDSource,
        _ stopping: StopFlag
    ) {
        self.shared = shared
        self.database = database
        self.loop = loop
        self.ids = ids
        let objects = shared.configuration.s3.map { S3Client($0, on: loop) }
        // A page is read once.
        images = ImageReader(ImageStore(database, objects), ImageCache(bytesMax: 0))
        news = LiveAnnouncer(on: loop, database)
        self.stopping = stopping
        marks = PageMarks(shared.keyRing)
    }

    /// Of a document no more pages become drawings.
    static let pagesMax = 50

    private struct Picture {
        let bytes: [UInt8]
        let facts: ChilStore.ImageFacts
        /// Of the document that it is a page of.
        let pageCount: Int
        /// What stands in the codes that are on it, whoever printed them.
        let codes: [String]
    }

    func work(on item: WorkItem) async throws {
        // What is begun now might not be stored: the next process takes it up.
        if stopping.isRaised { return }
        guard let task = try await ScanLoad(item).first(from: database) else {
            _ = try await WorkFinish(item).run(on: database)
            return
        }
        do {
            switch try await attempt(task, item) {
            case .created: news.happened(to: task.owner, in: item.tenant)
            case .lost, .gone: break
            case .unstaged: _ = try await WorkPostpone(item, by: .seconds(1)).run(on: database)
            case .overQuota: try await fail(item, because: "quota-exceeded", "a limit of the tenant's is reached")
            case .noConsent:
                try await fail(item, because: "consent-required", "the guardian does not agree to it (any more)")
            }
        } catch let fault as RasterFault {
            if fault.isPassing, fault != .timedOut || item.attempts < Self.slowAttemptsMax {
                tell(item, fault.remedy)
                let pause = min(Self.pauseMax, 1 << min(item.attempts, 10))
                _ = try await WorkPostpone(item, by: .seconds(pause)).run(on: database)
            } else {
                try await fail(item, because: "unreadable", fault.remedy, of: task)
            }
        } catch let fault as ImageFault {
            try await fail(item, because: fault.code, fault.sentence, of: task)
        } catch let problem as Problem where problem.code == .notFound {
            try await fail(item, because: "bytes-gone", "its bytes are gone: they waited too long")
        }
    }

    /// However long its turn takes to come, the work stays this worker's.
    private func attempt(_ task: ScanTask, _ item: WorkItem) async throws -> ScanSettle.Outcome {
        let keeper = LeaseKeeper(item, lease: Self.lease, on: loop, database)
        defer { keeper.stop() }
        let picture = try await shared.rasterizer.turn { rasterizer in
            // Not before: pages that wait for their turn take no memory.
            let page = try await images.pieces(of: task.page, item.tenant).flatMap { $0 }
            return try await draw(page, of: task, by: rasterizer)
        }
        return try await publish(picture, of: task, item)
    }

    /// The page as a person wants to see it.
    private func draw(_ page: [UInt8], of task: ScanTask, by rasterizer: Rasterizer) async throws -> Picture {
        var sent = page
        var format = RasterFormat(mediaType: task.page.mediaType)
        var pageCount = 1
        if format == nil {
            let pages = try await rasterizer.pages(ofPDF: sent, from: task.pageNumber)
            sent = pages.images[0].bytes
            format = pages.images[0].format
            pageCount = pages.pageCount
        }
        let page = RasterImage(sent, format ?? .jpeg)
        let facts = try await Self.facts(of: sent).get()
        let shown = try await rasterizer.scan(of: page, width: facts.displayWidth, height: facts.displayHeight)
        let shownFacts = try await Self.facts(of: shown.bytes).get()
        return Picture(
            bytes: shown.bytes,
            facts: ChilStore.ImageFacts(
                hash: SHA256.digest(of: shown.bytes).bytes,
                byteCount: Int64(shown.bytes.count),
                mediaType: shownFacts.mediaType.rawValue,
                width: Int32(shownFacts.displayWidth),
                height: Int32(shownFacts.displayHeight)
            ),
            pageCount: pageCount,
            codes: await Self.codes(on: page, by: rasterizer)
        )
    }

    /// None where they can't be read: the page is a drawing all the same.
    private static func codes(on page: RasterImage, by rasterizer: Rasterizer) async -> [String] {
        let side = MarkPicture.sideMax
        guard let pixels = try? await rasterizer.pixels(of: page, width: side, height: side) else { return [] }
        return await OffLoop.run {
            MarkPicture(width: pixels.width, height: pixels.height, colours: pixels.bytes)
                .map { MarkReader.texts(in: $0) } ?? []
        }
    }

    /// The drawing that was printed on the page, if the page says one and no other, and it is the page's owner's.
    private func source(of picture: Picture, _ task: ScanTask, in tenant: TenantID) async throws -> ScanSource.Row? {
        var sources: Set<ScanSource.Row> = []
        for page in Set(picture.codes.compactMap { marks.page(of: $0, in: tenant) }) {
            let source = ScanSource(of: page.place, of: page.job, for: task.owner, in: tenant)
            if let found = try await source.first(from: database) { sources.insert(found) }
        }
        return sources.count == 1 ? sources.first : nil
    }

    private static func facts(of bytes: [UInt8]) async -> Result<ChilMedia.ImageFacts, ImageFault> {
        await OffLoop.run { Result { () throws(ImageFault) in try ImageProbe.facts(of: bytes) } }
    }

    private func publish(_ picture: Picture, of task: ScanTask, _ item: WorkItem) async throws -> ScanSettle.Outcome {
        let source = try await source(of: picture, task, in: item.tenant)
        let now = loop.wallClock
        let isBrought = images.store.createBrings(picture.facts)
        if !isBrought {
            try await images.store.stage(
                picture.bytes,
                picture.facts,
                as: try ids.next(at: now),
                of: task.owner,
                in: item.tenant,
                until: now + ImageStaging.lease
            )
        }
        return try await ScanSettle(
            item,
            as: try ids.next(at: now),
            titled: source.map(\.title) ?? task.sourceTitle,
            showing: picture.facts,
            bytes: isBrought ? picture.bytes : nil,
            next: try next(after: task, of: picture.pageCount),
            source: source?.drawing,
            at: now
        ).answer(from: database)
    }

    /// What the page that follows in its document is called.
    private func next(after task: ScanTask, of pageCount: Int) throws -> ScanID? {
        task.pageNumber < min(pageCount, Self.pagesMax) ? try ids.next(at: loop.wallClock) : nil
    }

    /// How many pages the document has, of which one could not be drawn; 1 if nobody can say, or it is none.
    private func pageCount(of task: ScanTask, in tenant: TenantID) async -> Int {
        guard RasterFormat(mediaType: task.page.mediaType) == nil else { return 1 }
        return
            (try? await shared.rasterizer.turn { rasterizer in
                let document = try await images.pieces(of: task.page, tenant).flatMap { $0 }
                return try await rasterizer.pageCount(ofPDF: document)
            }) ?? 1
    }

    /// - Parameter task: its document's other pages have their turn all the same; `nil`: they would fare no better.
    private func fail(
        _ item: WorkItem,
        because fault: String,
        _ why: String,
        of task: ScanTask? = nil
    ) async throws {
        var following: ScanID?
        if let task { following = try next(after: task, of: await pageCount(of: task, in: item.tenant)) }
        let end = ScanFail(
            item,
            because: fault,
            next: following,
            audit: try ids.next(at: loop.wallClock),
            at: loop.wallClock
        )
        guard try await end.answer(from: database) else { return }
        tell(item, "given up: \(why)")
    }

    private func tell(_ item: WorkItem, _ fault: String) {
        shared.log.write(
            .warning,
            "no drawing of a scan",
            [("tenant", "\(item.tenant.rawValue)"), ("scan", "\(item.subject)"), ("fault", fault)]
        )
    }
}
