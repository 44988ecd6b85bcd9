import ChilCore
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilMedia
import ChilMotion
import ChilS3
import ChilStore

/// Has drawings moved by the tenant's services. Not `Sendable`.
struct MotionMaker: ImageMaker {
    /// What a route writes into a job, and what is read of it here.
    struct Parameters: Equatable {
        let motion: MotionType

        init(_ motion: MotionType) {
            self.motion = motion
        }

        /// What a newer release wrote beside it is left out.
        init?(parsing text: String) {
            let object = try? StrictJSON.parse(Array(text.utf8)).object
            guard let motion = object?["motionType"]?.string.flatMap(MotionType.init(rawValue:)) else { return nil }
            self.motion = motion
        }

        var text: String { "{\"motionType\":\"\(motion.rawValue)\"}" }
    }

    private let shared: SharedState
    private let database: DatabaseClient
    private let loop: EventLoop
    private let round: EndpointRound
    private let images: ImageReader
    private let picture: any MotionPicture

    init(_ shared: SharedState, _ database: DatabaseClient, on loop: EventLoop, _ picture: any MotionPicture) {
        self.shared = shared
        self.database = database
        self.loop = loop
        self.picture = picture
        round = EndpointRound(database: database, loop: loop, sealer: shared.sealer)
        let objects = shared.configuration.s3.map { S3Client($0, on: loop) }
        images = ImageReader(ImageStore(database, objects), shared.images)
    }

    func make(_ task: ImageJobTask, in tenant: TenantID, attempt: Int) async throws -> MakingOutcome {
        guard let source = task.source else { return .refused(MakingFault.sourceGone.rawValue) }
        guard let parameters = Parameters(parsing: task.parameters) else {
            return .refused(MakingFault.unavailable.rawValue)
        }
        let stored = DrawingImage(
            owner: task.owner,
            hash: source.hash,
            mediaType: source.mediaType,
            byteCount: source.byteCount
        )
        let drawing: [UInt8]
        do {
            drawing = try await images.pieces(of: stored, tenant).flatMap { $0 }
        } catch let problem as Problem where problem.code == .notFound {
            return .refused(MakingFault.sourceGone.rawValue)
        }
        guard let mediaType = ChilMedia.MediaType(rawValue: source.mediaType) else {
            return .refused(MotionFault.Code.unsupportedImage.rawValue)
        }
        let prepared: (bytes: [UInt8], mediaType: ChilMedia.MediaType)
        do throws(MotionFault) {
            prepared = try await picture.prepared(drawing, mediaType)
        } catch {
            log("drawing not prepared", error, tenant)
            return error.code.isOfDrawing
                ? .refused(error.code.rawValue) : .failed(error.code.rawValue, retryAfter: nil)
        }
        return try await round.run(task, in: tenant) { service in
            await ask(service, for: prepared.bytes, prepared.mediaType, parameters.motion, in: tenant)
        }
    }

    private func ask(
        _ service: EndpointRound.Service,
        for picture: [UInt8],
        _ mediaType: ChilMedia.MediaType,
        _ motion: MotionType,
        in tenant: TenantID
    ) async -> EndpointAnswer {
        let endpoint = service.endpoint
        guard endpoint.kind == .animatedDrawings, let url = MotionService.address(of: endpoint.url) else {
            return .away(
                code: MotionFault.Code.backendUnavailable.rawValue,
                fault: "it moves no drawings: its kind is \(endpoint.kind.rawValue), its address \(endpoint.url)",
                isPassing: false,
                retryAfter: nil
            )
        }
        let asked = MotionService(
            at: url,
            allowing: endpoint.allowedPrivateEndpoint.flatMap { AddressGuard.Exception($0) },
            field: MotionOptions(parsing: endpoint.options)?.field ?? .motionType,
            key: service.key,
            patience: endpoint.timeout,
            on: loop
        )
        do throws(MotionFault) {
            let gif = try await asked.gif(of: picture, mediaType, motion)
            return .made(
                MadeImage(bytes: gif.bytes, mediaType: "image/gif", width: gif.facts.width, height: gif.facts.height)
            )
        } catch {
            if error.code.isOfDrawing { return .refused(error.code.rawValue) }
            log("motion service failed", error, tenant, endpoint)
            // It may be at work on this drawing still: it is not asked for the same again.
            return .away(
                code: error.code.rawValue,
                fault: error.detail,
                isPassing: error.code != .timeout,
                retryAfter: nil
            )
        }
    }

    private func log(
        _ message: StaticString,
        _ fault: MotionFault,
        _ tenant: TenantID,
        _ endpoint: ImageEndpoint? = nil
    ) {
        shared.log.write(
            .warning,
            message,
            [
                ("tenant", "\(tenant.rawValue)"), ("endpoint", endpoint.map { "\($0.id.rawValue)" } ?? "none"),
                ("fault", "\(fault)"),
            ]
        )
    }
}
