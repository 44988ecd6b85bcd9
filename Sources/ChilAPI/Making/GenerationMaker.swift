import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilGenerator
import ChilHTTP
import ChilLoop
import ChilSketch
import ChilStore
import ChilWebhook

/// Has wishes drawn by the tenant's services. Not `Sendable`.
struct GenerationMaker: ImageMaker {
    /// What a route writes into a job, and what is read of it here.
    struct Parameters: Equatable {
        /// For whom, if the wish says so; else the tenant's.
        var level: LineArtRecipe.Level?

        init(level: LineArtRecipe.Level? = nil) {
            self.level = level
        }

        /// What a newer release wrote beside it is left out.
        init(parsing text: String) {
            let object = try? StrictJSON.parse(Array(text.utf8)).object
            level = object?["level"]?.string.flatMap(LineArtRecipe.Level.init(rawValue:))
        }

        var text: String { level.map { "{\"level\":\"\($0.rawValue)\"}" } ?? "{}" }
    }

    /// What cannot be coloured is drawn anew so often; then the person hears of it.
    private static let unfitMax = 2

    private let shared: SharedState
    private let database: DatabaseClient
    private let loop: EventLoop
    private let round: EndpointRound
    private let client: GeneratorClient

    init(_ shared: SharedState, _ database: DatabaseClient, on loop: EventLoop) {
        self.shared = shared
        self.database = database
        self.loop = loop
        round = EndpointRound(database: database, loop: loop, sealer: shared.sealer)
        client = GeneratorClient(on: loop, offLoop: { await OffLoop.run($0) })
    }

    func make(_ task: ImageJobTask, in tenant: TenantID, attempt: Int) async throws -> MakingOutcome {
        let wish = task.prompt ?? ""
        let settings =
            try await GenerationSettingsOne(of: tenant).first(from: database) ?? GenerationSettings()
        // The list may have grown since the wish was taken.
        guard !BlockList(ownWords: settings.blockedWords).matches(wish) else {
            return .refused(MakingFault.refused.rawValue)
        }
        let recipe = settings.recipe.flatMap { try? LineArtRecipe($0) } ?? LineArtRecipe()
        let level =
            Parameters(parsing: task.parameters).level ?? LineArtRecipe.Level(rawValue: settings.level.rawValue)
            ?? .medium
        let outcome = try await round.run(task, in: tenant) { service in
            // Another attempt is another picture.
            let seed = task.job.rawValue &+ Int64(attempt - 1)
            return await ask(service, for: wish, recipe, level, seed: seed, in: tenant)
        }
        if case .failed(MakingFault.unusable.rawValue, _) = outcome, attempt >= Self.unfitMax {
            return .refused(MakingFault.unusable.rawValue)
        }
        return outcome
    }

    private func ask(
        _ service: EndpointRound.Service,
        for wish: String,
        _ recipe: LineArtRecipe,
        _ level: LineArtRecipe.Level,
        seed: Int64,
        in tenant: TenantID
    ) async -> EndpointAnswer {
        let endpoint = service.endpoint
        guard let kind = ServiceKind(rawValue: endpoint.kind.rawValue) else {
            return await sketch(wish, level, seed: seed, endpoint)
        }
        guard let clean = CleanWish(wish) else { return .unfit(MakingFault.unusable.rawValue) }
        let exception = endpoint.allowedPrivateEndpoint.flatMap { AddressGuard.Exception($0) }
        let asked: GeneratorClient.Service
        do {
            asked = GeneratorClient.Service(
                kind: kind,
                url: try WebhookAddress.url(endpoint.url, allowing: exception),
                key: service.key,
                model: endpoint.model,
                options: try ServiceOptions(parsing: endpoint.options),
                timeout: endpoint.timeout,
                exception: exception
            )
        } catch {
            return .away(.away, "\(error)", isPassing: false)
        }
        switch await client.draw(clean, recipe, level, seed: seed, by: asked) {
        case .made(let picture, let revised):
            return .made(
                MadeImage(
                    bytes: picture.bytes,
                    mediaType: picture.mediaType,
                    width: picture.width,
                    height: picture.height,
                    revisedPrompt: revised
                )
            )
        case .refused: return .refused(MakingFault.refused.rawValue)
        case .unfit(let fault):
            log("picture of no use", "\(fault)", endpoint, tenant)
            return .unfit(MakingFault.unusable.rawValue)
        case .away(let fault, let isPassing, let retryAfter):
            log("picture service failed", fault, endpoint, tenant)
            return .away(.away, fault, isPassing: isPassing, retryAfter: retryAfter)
        }
    }

    /// Without the wish: what a child says is nobody's to read.
    private func log(_ message: StaticString, _ fault: String, _ endpoint: ImageEndpoint, _ tenant: TenantID) {
        shared.log.write(
            .warning,
            message,
            [
                ("tenant", "\(tenant.rawValue)"), ("endpoint", "\(endpoint.id.rawValue)"),
                ("kind", endpoint.kind.rawValue),
                ("fault", fault),
            ]
        )
    }

    /// The built-in one draws what the child said, and says that it is a sketchbook.
    private func sketch(_ wish: String, _ level: LineArtRecipe.Level, seed: Int64, _ endpoint: ImageEndpoint) async
        -> EndpointAnswer
    {
        guard endpoint.kind == .sketchbook else {
            return .away(.away, "it draws no wishes: it is a \(endpoint.kind.rawValue)", isPassing: false)
        }
        let level = SketchLevel(rawValue: level.rawValue) ?? .medium
        let drawn = await OffLoop.run {
            Result { () throws(SketchFault) in
                try Sketchbook.draw(wish: wish, seed: UInt64(bitPattern: seed), level: level)
            }
        }
        switch drawn {
        case .success(let sketch):
            return .made(
                MadeImage(
                    bytes: sketch.png,
                    mediaType: "image/png",
                    width: sketch.size.width,
                    height: sketch.size.height,
                    revisedPrompt: "sketchbook: \(sketch.title)"
                )
            )
        case .failure(let fault): return .away(.away, "\(fault)", isPassing: true)
        }
    }
}
