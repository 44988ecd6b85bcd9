import ChilCore
package import ChilCrypto
package import ChilHTTP
package import ChilLoop

/// Asks one service for one picture. Not `Sendable`: it works on its loop.
///
/// Nothing is retried here, no redirect is followed; every wait and size has its limit; a picture's link is fetched under the same guard as the
/// service itself, and never with its key.
package struct GeneratorClient {
    /// A service, as it is asked.
    package struct Service: Sendable {
        package let kind: ServiceKind
        package let url: HTTPURL
        package let key: SecretBytes?
        package let model: String?
        package let options: ServiceOptions
        package let timeout: Duration
        package let exception: AddressGuard.Exception?

        /// - Parameter exception: what the operator allowed for this service.
        package init(
            kind: ServiceKind,
            url: HTTPURL,
            key: SecretBytes?,
            model: String?,
            options: ServiceOptions,
            timeout: Duration,
            exception: AddressGuard.Exception?
        ) {
            self.kind = kind
            self.url = url
            self.key = key
            self.model = model
            self.options = options
            self.timeout = timeout
            self.exception = exception
        }
    }

    package enum Outcome: Sendable, Equatable {
        case made(Picture, revisedPrompt: String?)
        /// It is nothing for children, it says.
        case refused
        /// It is well, and what it made cannot be coloured.
        case unfit(PictureCheck.Fault)
        /// `fault` is for the operator. `isPassing`: a later attempt may do better.
        case away(fault: String, isPassing: Bool, retryAfter: Duration?)
    }

    private static let connectPatience = Duration.seconds(10)
    /// A picture that is made already.
    private static let fetchPatience = Duration.seconds(30)

    private let loop: EventLoop
    /// Unpacking a picture takes too long for a loop.
    private let offLoop:
        (@escaping @Sendable () -> Result<Picture, PictureCheck.Fault>) async -> Result<Picture, PictureCheck.Fault>

    /// - Parameter offLoop: runs what it is given on another thread.
    package init(
        on loop: EventLoop,
        offLoop:
            @escaping (@escaping @Sendable () -> Result<Picture, PictureCheck.Fault>) async -> Result<
                Picture, PictureCheck.Fault
            >
    ) {
        self.loop = loop
        self.offLoop = offLoop
    }

    /// - Parameter seed: the same gives the same picture, where a service knows seeds.
    package func draw(
        _ wish: CleanWish,
        _ recipe: LineArtRecipe,
        _ level: LineArtRecipe.Level,
        seed: Int64,
        by service: Service
    ) async -> Outcome {
        let scalarsMax = ServiceRequest.promptScalarsMax(service.kind, model: service.model)
        let body = ServiceRequest.body(
            service.kind,
            prompt: recipe.prompt(for: wish, level, scalarsMax: scalarsMax),
            model: service.model,
            service.options,
            seed: seed
        )
        guard let url = HTTPURL(Self.address(of: service)) else {
            return .away(fault: "its URL is too long", isPassing: false, retryAfter: nil)
        }
        var request = ClientRequest(
            .post,
            url,
            fields: [("Content-Type", "application/json"), ("Accept", "application/json")]
        )
        request.body = [body]
        if let key = service.key {
            request.fields.append(("Authorization", Self.authorization(service.kind, key)))
        }
        request.responseBytesMax = ServiceAnswer.bytesMax
        request.patience = service.timeout
        request.connectPatience = min(service.timeout, Self.connectPatience)
        let response: ClientResponse
        do throws(ClientFailure) {
            response = try await HTTPClient(on: loop, guarding(service)).send(request)
        } catch {
            return Self.outcome(of: error)
        }
        switch ServiceAnswer(service.kind, response) {
        case .refused: return .refused
        case .fault(let fault, let isPassing, let retryAfter):
            return .away(fault: fault, isPassing: isPassing, retryAfter: retryAfter)
        case .picture(let bytes, let revised): return await judged(bytes, revised)
        case .link(let link, let revised): return await fetched(link, revised, service)
        }
    }

    private func guarding(_ service: Service) -> AddressGuard {
        AddressGuard(allowing: service.exception.map { [$0] } ?? [])
    }

    private static func address(of service: Service) -> String {
        var base = service.url.description
        while base.last == "/" { base.removeLast() }
        return base + service.kind.path
    }

    /// AUTOMATIC1111 knows names with passwords (`--api-auth`), the others tokens.
    private static func authorization(_ kind: ServiceKind, _ key: SecretBytes) -> String {
        let bytes = key.copy()
        switch kind {
        case .openai, .localai, .sdcpp: return "Bearer " + String(decoding: bytes, as: UTF8.self)
        case .automatic1111: return "Basic " + String(decoding: Base64.encode(bytes), as: UTF8.self)
        }
    }

    private func fetched(_ link: String, _ revised: String?, _ service: Service) async -> Outcome {
        let base = service.url
        // LocalAI's may be a path of its own.
        let address = link.hasPrefix("/") ? "\(base.isSecure ? "https" : "http")://\(base.authority)\(link)" : link
        let addressGuard = guarding(service)
        guard let url = HTTPURL(address), url.isSecure || addressGuard.makesException(for: url) else {
            return .away(fault: "the link to its picture is no https:// URL", isPassing: false, retryAfter: nil)
        }
        var request = ClientRequest(.get, url, fields: [("Accept", "image/png, image/jpeg")])
        request.responseBytesMax = ServiceAnswer.pictureBytesMax
        request.patience = min(service.timeout, Self.fetchPatience)
        request.connectPatience = min(request.patience, Self.connectPatience)
        do throws(ClientFailure) {
            let response = try await HTTPClient(on: loop, addressGuard).send(request)
            guard response.statusCode == 200 else {
                return .away(
                    fault: "the link to its picture answers \(response.statusCode)",
                    isPassing: response.statusCode >= 500,
                    retryAfter: nil
                )
            }
            return await judged(response.body, revised)
        } catch {
            return Self.outcome(of: error)
        }
    }

    private func judged(_ bytes: [UInt8], _ revised: String?) async -> Outcome {
        guard bytes.count <= ServiceAnswer.pictureBytesMax else {
            return .away(
                fault: "its picture has more than \(ServiceAnswer.pictureBytesMax) bytes",
                isPassing: false,
                retryAfter: nil
            )
        }
        switch await offLoop({ PictureCheck.verdict(on: bytes) }) {
        case .success(let picture): return .made(picture, revisedPrompt: revised)
        case .failure(let fault): return .unfit(fault)
        }
    }

    private static func outcome(of failure: ClientFailure) -> Outcome {
        let isPassing =
            switch failure.code {
            case .unknownHost, .connectFailed, .connectTimedOut, .timedOut, .cutOff: true
            case .refusedAddress, .tls, .certificateUnknown, .certificateChanged, .certificateExpired, .malformed,
                .tooLarge, .invalidRequest, .bodyFailed:
                false
            }
        return .away(fault: failure.description, isPassing: isPassing, retryAfter: nil)
    }
}
