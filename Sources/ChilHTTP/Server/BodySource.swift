/// Makes an answer's body piece by piece as the client takes it, so that a slow client holds one piece and not all. Asked on the
/// connection's loop alone.
package protocol BodySource: AnyObject, Sendable {
    /// What all pieces have together.
    var byteCount: Int { get }

    /// The next piece; `nil` when there is none, or none can be had: the connection then breaks, and the client knows.
    func next() async -> [UInt8]?
}
