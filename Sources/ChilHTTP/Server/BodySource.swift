/// Makes an answer's body piece by piece as the client takes it, so that a slow client holds one piece and not all. Asked on the
/// connection's loop alone.
package protocol BodySource: AnyObject, Sendable {
    /// What all pieces have together.
    var byteCount: Int { get }

    /// The next piece; `nil` when there is none, or none can be had: the connection then breaks, and the client knows.
    func next() async -> [UInt8]?
}

/// Makes a body whose length is known at its end only: it goes in chunks (RFC 9112 §7.1). Asked on the connection's loop alone.
package protocol BodyStream: AnyObject, Sendable {
    func next() async -> BodyPiece
}

package enum BodyPiece: Sendable {
    case bytes([UInt8])
    case end
    /// There is more, and it cannot be had: the connection breaks without a last chunk, so that nobody takes the body for whole.
    case broken
}
