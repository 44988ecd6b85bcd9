import ChilCore
import ChilCrypto
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilMedia
import ChilRaster
import ChilS3
import ChilStore

/// Makes a drawing of a page that a scanner pushed. Not `Sendable`.
///
/// Nothing is written before the one batch that publishes the drawing under the lease's fence, but for bytes that are staged and swept
/// if nobody takes them: whoever takes over after a crash begins anew.
struct ScanCarrier {
    private let loop: EventLoop
    private let shared: SharedState
    private let database: DatabaseClient
    private let images: ImageReader
    private let ids: IDSource

    /// Of a page that takes too long: then it is given up.
    static let slowAttemptsMax: Int32 = 5
    private static let pauseMax = 300

    init(_ shared: SharedState, _ database: DatabaseClient, on loop: EventLoop, _ ids: IDSource) {
        self.shared = shared
        self.database = database
        self.loop = loop
        self.ids = ids
        let objects = shared.configuration.s3.map { S3Client($0, on: loop) }
        images = ImageReader(ImageStore(database, objects), shared.images)
    }

    private struct Picture {
        let bytes: [UInt8]
        let facts: ChilStore.ImageFacts
    }

    func work(on item: WorkItem) async throws {
        guard let task = try await ScanLoad(item).first(from: database) else {
            _ = try await WorkFinish(item).run(on: database)
            return
        }
        do {
            let page = try await images.pieces(of: task.page, item.tenant)
            let picture = try await draw(page, task.page.mediaType)
            try await publish(picture, of: task, item)
        } catch let fault as RasterFault {
            if fault.isPassing, fault != .timedOut || item.attempts < Self.slowAttemptsMax {
                tell(item, fault.remedy)
                let pause = min(Self.pauseMax, 1 << min(item.attempts, 10))
                _ = try await WorkPostpone(item, by: .seconds(pause)).run(on: database)
            } else {
                try await fail(item, because: "unreadable", fault.remedy)
            }
        } catch let fault as ImageFault {
            try await fail(item, because: fault.code, fault.sentence)
        } catch let problem as Problem where problem.code == .notFound {
            try await fail(item, because: "bytes-gone", "its bytes are gone: they waited too long")
        }
    }

    /// The page as a person wants to see it. Of a document its first page.
    private func draw(_ pieces: [[UInt8]], _ mediaType: String) async throws -> Picture {
        let rasterizer = shared.rasterizer
        var sent = pieces.flatMap { $0 }
        var format = RasterFormat(mediaType: mediaType)
        if format == nil {
            let pages = try await rasterizer.pages(ofPDF: sent)
            sent = pages.images[0].bytes
            format = pages.images[0].format
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
            )
        )
    }

    private static func facts(of bytes: [UInt8]) async -> Result<ChilMedia.ImageFacts, ImageFault> {
        await OffLoop.run { Result { () throws(ImageFault) in try ImageProbe.facts(of: bytes) } }
    }

    private func publish(_ picture: Picture, of task: ScanTask, _ item: WorkItem) async throws {
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
        let settle = ScanSettle(
            item,
            as: try ids.next(at: now),
            titled: task.sourceTitle,
            showing: picture.facts,
            bytes: isBrought ? picture.bytes : nil,
            at: now
        )
        switch try await settle.answer(from: database) {
        case .created, .lost, .gone: return
        case .unstaged: _ = try await WorkPostpone(item, by: .seconds(1)).run(on: database)
        case .overQuota: try await fail(item, because: "quota-exceeded", "a limit of the tenant's is reached")
        case .noConsent:
            try await fail(item, because: "consent-required", "the guardian does not agree to it (any more)")
        }
    }

    private func fail(_ item: WorkItem, because fault: String, _ why: String) async throws {
        let end = ScanFail(item, because: fault, audit: try ids.next(at: loop.wallClock), at: loop.wallClock)
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
