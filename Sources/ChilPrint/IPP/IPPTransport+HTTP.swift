import ChilHTTP
package import ChilLoop

extension IPPTransport {
    /// Posts to the printer over HTTP (RFC 8010 §3). The operator named the printer, so its address may be private.
    ///
    /// - Parameter patience: a sleeping printer takes half a minute to wake.
    package static func http(to uri: PrinterURI, on loop: EventLoop, patience: Duration = .seconds(60)) -> IPPTransport
    {
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
            let response: ClientResponse
            do throws(ClientFailure) {
                response = try await client.send(request)
            } catch {
                throw error.mayHaveArrived
                    ? .answerLost(detail: error.description) : .notSent(detail: error.description)
            }
            guard response.statusCode == 200 else { throw .httpStatus(response.statusCode) }
            return response.body
        }
    }
}
