import ChilCore
package import ChilCrypto

/// Whose word is enough, by TLS, that the peer is the one that was meant.
package enum PeerTrust: Hashable, Sendable {
    /// An authority's that this machine trusts.
    case authorities
    /// An authority's, or that of a key that was trusted once; `nil`: none was yet.
    case pinned(PeerPin?)
}

/// A request to another server. The body is sent with a Content-Length, for it is at hand whole, and a length is what every server
/// understands, those of HTTP/1.0 too; what is made while it is sent follows as a `ClientBody`. `Expect: 100-continue` is never sent:
/// many devices let it wait for ever.
package struct ClientRequest: Sendable {
    package let method: Method
    package let url: HTTPURL
    /// Names and values; values with control characters are refused by the client.
    package var fields: [(name: StaticString, value: String)]
    package var body: [[UInt8]]
    /// What may come back: a longer body fails the request, it is never cut.
    package var responseBytesMax = 1 << 20
    /// From the first system call to the answer's last byte.
    package var patience = Duration.seconds(10)
    /// For all pieces of a `ClientBody`, each of which has `patience`, as the answer has after them.
    package var bodyPatience = Duration.seconds(10)
    package var connectPatience = Duration.seconds(3)
    package var trust = PeerTrust.authorities

    package init(
        _ method: Method,
        _ url: HTTPURL,
        fields: [(name: StaticString, value: String)] = [],
        body: [[UInt8]] = []
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}

/// What came back. Redirects are answers like any other: nothing is followed.
package struct ClientResponse: Sendable {
    package let head: ResponseHead
    package let body: [UInt8]
    /// Of a peer that was asked with a pin.
    package var certificate: PeerCertificate?
    package var statusCode: Int { head.statusCode }
}

/// Why there is no answer.
package struct ClientFailure: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The name has no address.
        case unknownHost
        /// The address is not public and the operator did not allow it.
        case refusedAddress
        case connectFailed
        case connectTimedOut
        /// The peer's certificate or TLS itself was refused.
        case tls
        /// No authority vouches for the peer, and it was never met before. The request was not sent.
        case certificateUnknown
        /// It is not the peer that was trusted. The request was not sent.
        case certificateChanged
        /// The peer's certificate is past its time. The request was not sent.
        case certificateExpired
        /// The request went out, and no whole answer came in time.
        case timedOut
        /// The connection ended before the answer was whole.
        case cutOff
        /// The answer is no HTTP/1.1.
        case malformed
        case tooLarge
        case invalidRequest
        /// The rest of the body could not be made.
        case bodyFailed

        /// For an operator.
        var words: String {
            switch self {
            case .unknownHost: "no address"
            case .refusedAddress: "address refused"
            case .connectFailed: "no connection"
            case .connectTimedOut: "no connection in time"
            case .tls: "no secure connection"
            case .certificateUnknown: "certificate not known"
            case .certificateChanged: "another certificate than before"
            case .certificateExpired: "certificate past its time"
            case .timedOut: "no answer in time"
            case .cutOff: "answer cut off"
            case .malformed: "no answer by HTTP/1.1"
            case .tooLarge: "answer too large"
            case .invalidRequest: "request not sent"
            case .bodyFailed: "request not finished"
            }
        }
    }

    package let code: Code
    /// For the log.
    package let detail: String
    /// Whether the peer may have got the whole request.
    package let mayHaveArrived: Bool
    /// What the peer showed, where that is what was wrong.
    package let certificate: PeerCertificate?

    init(_ code: Code, _ detail: String, mayHaveArrived: Bool = false, certificate: PeerCertificate? = nil) {
        self.code = code
        self.detail = detail
        self.mayHaveArrived = mayHaveArrived
        self.certificate = certificate
    }

    package var description: String { "\(code.words): \(detail)" }
}
