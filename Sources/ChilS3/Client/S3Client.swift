import ChilCore
import ChilCrypto
import ChilHTTP
package import ChilLoop
package import ChilStore

/// Talks to one bucket. Not `Sendable`: it works on its loop.
///
/// Every request may be sent again: an object is written whole or not at all, and with the same bytes. Sent thrice at most, with a pause,
/// where the store does not answer, answers half, or says that it cannot now; never where it refuses.
package struct S3Client {
    /// Of one try, with 8 MiB on the way.
    package static let patience = Duration.seconds(20)
    static let triesMax = 3
    private static let connectPatience = Duration.seconds(3)
    private static let pause = Duration.milliseconds(200)
    /// What an answer may have that is no object.
    private static let answerBytesMax = 256 << 10
    private static let emptyDigest = SHA256.digest(of: [UInt8]()).hex

    struct Asked {
        let method: Method
        let path: String
        var query: [(name: String, value: String)] = []
        var fields: [(name: StaticString, value: String)] = []
        var body: [UInt8] = []
        /// Hexadecimal SHA-256 of the body.
        var payload = S3Client.emptyDigest
        var answerBytesMax = S3Client.answerBytesMax
    }

    private enum Outcome {
        case answer(ClientResponse)
        case again(String)
        case missing
        case refused(String)
    }

    let place: S3Place
    let loop: EventLoop
    let signature: S3Signature
    private let client: HTTPClient
    private let patience: Duration

    /// - Parameter patience: for one try.
    package init(_ place: S3Place, on loop: EventLoop, patience: Duration = Self.patience) {
        self.place = place
        self.loop = loop
        self.patience = patience
        signature = S3Signature(place.credentials, region: place.region)
        // The operator's word: a store is often at a private address.
        let exception = AddressGuard.Exception(host: place.origin.host, port: place.origin.port)
        client = HTTPClient(on: loop, AddressGuard(allowing: [exception]))
    }

    /// Whether the bucket is there and the key may look into it.
    package func check() async throws(ImageObjectFault) {
        let query = [(name: "list-type", value: "2"), (name: "max-keys", value: "1")]
        _ = try await send(Asked(method: .get, path: "/\(place.bucket)", query: query))
    }

    static func key(of object: ImageObjectID, _ tenant: TenantID) -> String {
        "images/\(tenant.rawValue)/\(object.rawValue)"
    }

    func path(of object: ImageObjectID, _ tenant: TenantID) -> String {
        "/\(place.bucket)/\(Self.key(of: object, tenant))"
    }

    /// A good answer.
    ///
    /// - Parameter isWhole: whether it is what was asked for; one that is not counts as none.
    func send(_ asked: Asked, _ isWhole: (ClientResponse) -> Bool = { _ in true }) async throws(ImageObjectFault)
        -> ClientResponse
    {
        var tries = 0
        while true {
            tries += 1
            switch await attempt(asked, isWhole) {
            case .answer(let response): return response
            case .missing: throw ImageObjectFault(.missing, asked.path)
            case .refused(let why): throw ImageObjectFault(.refused, "\(place.origin): \(why)")
            case .again(let why):
                guard tries < Self.triesMax else {
                    throw ImageObjectFault(.away, "\(place.origin): \(why), after \(tries) tries")
                }
            }
            await loop.sleep(Self.pause * tries * tries)
        }
    }

    private func attempt(_ asked: Asked, _ isWhole: (ClientResponse) -> Bool) async -> Outcome {
        let response: ClientResponse
        guard let request = request(asked) else { return .refused("\(asked.path) is too long for a URL") }
        do throws(ClientFailure) {
            response = try await client.send(request)
        } catch {
            switch error.code {
            case .tls, .refusedAddress, .invalidRequest: return .refused("\(error)")
            default: return .again("\(error)")
            }
        }
        let code = response.s3Code
        let said = "\(response.statusCode) \(code ?? "without a code")"
        switch (response.statusCode, code) {
        case (200..<300, _): return isWhole(response) ? .answer(response) : .again("the answer is not whole: \(said)")
        case (404, "NoSuchBucket"):
            return .refused("there is no bucket \(place.bucket): make it, or set \(S3Place.bucketSetting)")
        case (404, _): return .missing
        case (429, _), (500..<600, _), (_, "RequestTimeout"), (_, "OperationAborted"): return .again(said)
        case (300..<400, _), (_, "AuthorizationHeaderMalformed"):
            return .refused("\(said): the bucket is elsewhere, set \(S3Place.regionSetting) and \(S3Place.urlSetting)")
        case (_, "RequestTimeTooSkewed"): return .refused("\(said): set this machine's clock")
        case (401, _), (403, _):
            return .refused("\(said): the key of \(S3Place.keyFileSetting) may not use \(place.bucket)")
        default: return .refused(said)
        }
    }

    /// `nil`: its URL would be too long.
    private func request(_ asked: Asked) -> ClientRequest? {
        let now = loop.wallClock
        let query = S3Signature.canonical(asked.query)
        let target = query.isEmpty ? asked.path : "\(asked.path)?\(query)"
        guard let url = HTTPURL("\(place.origin.description.dropLast())\(target)") else { return nil }
        var fields = asked.fields
        fields.append(("x-amz-content-sha256", asked.payload))
        fields.append(("x-amz-date", S3Signature.time(now)))
        let authorization = signature.authorization(
            "\(asked.method.name)",
            path: asked.path,
            query: query,
            fields: fields.map { ("\($0.name)".lowercased(), $0.value) } + [("host", url.authority)],
            payload: asked.payload,
            at: now
        )
        fields.append(("Authorization", authorization))
        var request = ClientRequest(
            asked.method,
            url,
            fields: fields,
            body: asked.body.isEmpty ? [] : [asked.body]
        )
        request.patience = patience
        request.connectPatience = min(patience, Self.connectPatience)
        request.responseBytesMax = asked.answerBytesMax
        return request
    }
}
