package import ChilCrypto
package import ChilHTTP
package import ChilLoop
package import ChilMedia

/// A service that makes drawings move, as AnimatedDrawings' HTTP servers do: `POST {base}/motion/`, a form in, a GIF out. Not `Sendable`: it
/// works on its loop.
///
/// It keeps nothing of ours, so asking it again is safe; but it works on after we have gone, so nobody asks again by themselves after
/// a timeout.
package struct MotionService {
    /// From the first system call to the GIF's last byte: a long motion takes a minute there.
    package static let patience = Duration.seconds(120)
    private static let connectPatience = Duration.seconds(5)

    private let loop: EventLoop
    private let url: HTTPURL
    private let addressGuard: AddressGuard
    private let field: MotionForm.Field
    private let key: SecretBytes?
    private let patience: Duration

    /// - Parameters:
    ///   - exception: the private address that the operator allowed for it.
    ///   - key: shown as `Authorization: Bearer`.
    ///   - patience: for all of one motion.
    package init(
        at url: HTTPURL,
        allowing exception: AddressGuard.Exception?,
        field: MotionForm.Field = .motionType,
        key: SecretBytes? = nil,
        patience: Duration = Self.patience,
        on loop: EventLoop
    ) {
        self.loop = loop
        self.url = url
        self.field = field
        self.key = key
        self.patience = patience
        addressGuard = AddressGuard(allowing: exception.map { [$0] } ?? [])
    }

    /// Where it takes drawings, by the base that the operator gave: with the slash at the end, for without it FastAPI redirects.
    ///
    /// - Returns: `nil`: this is no such base.
    package static func address(of base: String) -> HTTPURL? {
        guard !base.contains("?"), var text = HTTPURL(base)?.description else { return nil }
        while text.hasSuffix("/") { text.removeLast() }
        return HTTPURL(text.hasSuffix("/motion") ? "\(text)/" : "\(text)/motion/")
    }

    /// - Parameter picture: as `MotionPicture` wants it.
    package func gif(of picture: [UInt8], _ mediaType: ChilMedia.MediaType, _ motion: MotionType)
        async throws(MotionFault)
        -> MotionGIF
    {
        guard url.isSecure || addressGuard.makesException(for: url) else {
            throw MotionFault(.backendUnavailable, "\(url) is not https, and no private address was allowed for it")
        }
        let form = MotionForm(picture, mediaType, motion, field: field)
        var request = ClientRequest(
            .post,
            url,
            fields: [("Content-Type", form.contentType), ("Accept", "image/gif, application/json")],
            body: form.body
        )
        if let key {
            request.fields.append(
                ("Authorization", "Bearer \(key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })")
            )
        }
        request.responseBytesMax = GIFLimits.standard.byteCountMax
        request.patience = patience
        request.connectPatience = min(patience, Self.connectPatience)
        let response: ClientResponse
        do throws(ClientFailure) {
            response = try await HTTPClient(on: loop, addressGuard).send(request)
        } catch {
            throw Self.fault(error)
        }
        return try MotionAnswer.gif(status: response.statusCode, response.body)
    }

    private static func fault(_ failure: ClientFailure) -> MotionFault {
        switch failure.code {
        case .timedOut: MotionFault(.timeout, "no whole answer in time")
        case .tooLarge: MotionFault(.backendUnavailable, "it sent more than \(GIFLimits.standard.byteCountMax) bytes")
        default: MotionFault(.backendUnavailable, failure.description)
        }
    }
}
