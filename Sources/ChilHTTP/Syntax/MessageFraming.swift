/// How long a body is, decided from the head alone (RFC 9112 §6.3).
package enum MessageFraming: Equatable, Sendable {
    case none
    case length(Int)
    case chunked
    /// Until the connection closes: answers of a server only, never a request.
    case untilClose
}
