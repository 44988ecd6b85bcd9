/// A body that is made while it is sent, behind what the request has of its own. Not `Sendable`: it is made where the client works.
package struct ClientBody {
    /// `nil`: nobody knows it beforehand, and all of the request's body is sent in chunks (RFC 9112 §7.1).
    package let byteCount: Int?
    let next: () async throws -> [UInt8]?

    /// - Parameter next: the next piece; `nil`: that was all. What it throws ends the request, of which the peer has a part then.
    package init(byteCount: Int? = nil, next: @escaping () async throws -> [UInt8]?) {
        self.byteCount = byteCount
        self.next = next
    }

    static let lastChunk = Array("0\r\n\r\n".utf8)

    /// A piece as it is sent.
    func framed(_ piece: [UInt8]) -> [UInt8] {
        guard byteCount == nil else { return piece }
        return Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
    }
}
