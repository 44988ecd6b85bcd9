/// The narrow seam to HTTP: one POST of `application/ipp` to the printer, head and document in one body.
///
/// It returns the body of a 200. The client that is plugged in has a deadline and bounds the answer to 1 MiB.
package struct IPPTransport {
    package var exchange: (_ head: [UInt8], _ document: PrintBody?) async throws(IPPTransportError) -> [UInt8]

    package init(
        exchange: @escaping (_ head: [UInt8], _ document: PrintBody?) async throws(IPPTransportError) -> [UInt8]
    ) {
        self.exchange = exchange
    }
}

/// What happened to a request that has no answer. The difference between the first two is what keeps paper from being
/// printed twice.
package enum IPPTransportError: Error, Hashable, Sendable {
    /// No byte of the request left: name not found, connection refused, TLS not agreed, deadline while connecting.
    case notSent(detail: String)
    /// Some of it left, and no whole answer came: reset, deadline, broken answer.
    case answerLost(detail: String)
    /// The printer is not the one that was trusted; no byte of the request left.
    case certificateChanged
    case certificateExpired
    /// The peer answered with another status than 200. 426 also for a redirection to TLS.
    case httpStatus(Int)
}
