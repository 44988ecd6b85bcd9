import ChilCrypto
import ChilHTTP
package import ChilLoop

extension IPPTransport {
    /// Posts to the printer over HTTP (RFC 8010 §3), on a fresh connection each time, with a Content-Length: the pages are at hand whole,
    /// and some printers take nothing in chunks. The operator named the printer, so its address may be private.
    ///
    /// - Parameter patience: a sleeping printer takes half a minute to wake.
    package static func http(
        to uri: PrinterURI,
        on loop: EventLoop,
        patience: Duration = .seconds(60),
        identity: PrinterIdentity
    ) -> IPPTransport {
        IPPTransport { (head, document) async throws(IPPTransportError) in
            let host = uri.host.contains(":") ? "[\(uri.host)]" : uri.host
            let scheme = uri.isSecure ? "https" : "http"
            guard let url = HTTPURL("\(scheme)://\(host):\(uri.port)\(uri.path)"), let port = UInt16(exactly: uri.port)
            else {
                throw .notSent(detail: "no usable address: \(uri)")
            }
            var request = ClientRequest(.post, url, fields: [("Content-Type", "application/ipp")], body: [head])
            if let document { request.body.append(document) }
            request.responseBytesMax = 1 << 20
            request.patience = patience
            request.connectPatience = min(patience, .seconds(30))
            let client = HTTPClient(
                on: loop,
                AddressGuard(allowing: [AddressGuard.Exception(host: uri.host, port: port)])
            )
            let response = try await send(request, by: client, identity)
            if let certificate = response.certificate { await identity.saw(nil, certificate) }
            guard response.statusCode == 200 else { throw .httpStatus(Self.status(of: response)) }
            return response.body
        }
    }

    /// A printer that is met for the first time is asked twice: before its key is kept nothing is sent to it.
    private static func send(
        _ request: ClientRequest,
        by client: HTTPClient,
        _ identity: PrinterIdentity
    ) async throws(IPPTransportError) -> ClientResponse {
        var request = request
        for _ in 0..<2 {
            request.trust = .pinned(identity.pin)
            let failure: ClientFailure
            do throws(ClientFailure) { return try await client.send(request) } catch { failure = error }
            switch (failure.code, failure.certificate) {
            case (.certificateUnknown, .some(let certificate)):
                guard await identity.met(certificate) else {
                    throw .notSent(detail: "its certificate could not be kept")
                }
            case (.certificateChanged, .some(let certificate)):
                await identity.saw(.changed, certificate)
                throw .certificateChanged
            case (.certificateExpired, .some(let certificate)):
                await identity.saw(.expired, certificate)
                throw .certificateExpired
            default:
                throw failure.mayHaveArrived
                    ? .answerLost(detail: failure.description) : .notSent(detail: failure.description)
            }
        }
        throw .notSent(detail: "its certificate is not known")
    }

    /// Some firmware sends whoever comes in the clear to its TLS address instead of saying 426.
    private static func status(of response: ClientResponse) -> Int {
        let isRedirected = (301...308).contains(response.statusCode)
        let place = response.head.text(.location) ?? ""
        return isRedirected && place.lowercased().hasPrefix("https://") ? 426 : response.statusCode
    }
}
