package import ChilCrypto
internal import Glibc

/// Why a `TLSStream` was not made, or broke.
package enum TLSStreamError: Error, Equatable, Sendable, CustomStringConvertible {
    case tls(TLSFault)
    /// The peer was not done in time.
    case timedOut
    /// The peer closed the connection within the handshake.
    case closedByPeer
    /// errno(3) of the socket.
    case socket(Int32)
    /// `close()` was called while waiting.
    case interrupted

    package var description: String {
        switch self {
        case .tls(let fault): fault.description
        case .timedOut: "TLS: the host did not answer in time; see that it is up and that the port is its HTTPS port"
        case .closedByPeer: "TLS: the host closed the connection in the handshake; see its log"
        case .socket(let code): "TLS: \(String(cString: strerror(code))); see that the host is up, and try again"
        case .interrupted: "TLS: the connection was closed on this side; ask again if the answer is still wanted"
        }
    }
}
