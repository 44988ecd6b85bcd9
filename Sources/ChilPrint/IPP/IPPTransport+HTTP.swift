import ChilHTTP
package import ChilLoop

extension IPPTransport {
    /// Over HTTP (RFC 8010 §3): pages in chunks where the printer takes them, else with a Content-Length (`PrinterFraming`).
    ///
    /// - Parameter patience: a sleeping printer takes half a minute to wake.
    package static func http(
        to uri: PrinterURI,
        on loop: EventLoop,
        patience: Duration = .seconds(60),
        identity: PrinterIdentity,
        framing: PrinterFraming = .lengths
    ) -> IPPTransport {
        IPPTransport { (head, document) async throws(IPPTransportError) in
            let host = uri.host.contains(":") ? "[\(uri.host)]" : uri.host
            let scheme = uri.isSecure ? "https" : "http"
            guard let url = HTTPURL("\(scheme)://\(host):\(uri.port)\(uri.path)"), let port = UInt16(exactly: uri.port)
            else {
                throw .notSent(detail: "no usable address: \(uri)")
            }
            let post = PrinterPost(
                url: url,
                port: port,
                loop: loop,
                patience: patience,
                identity: identity,
                framing: framing
            )
            return try await post.exchange(head, document)
        }
    }
}
