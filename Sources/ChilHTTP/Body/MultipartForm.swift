/// The parts of a form whose body is in memory already.
package struct MultipartForm: Sendable {
    package struct Part: Sendable {
        package let head: MultipartPartHead
        /// Where its content stands in the body.
        package let content: Range<Int>
    }

    package let parts: [Part]

    /// - Throws: what `MultipartParser` rejects with; `.invalidMultipart` for two parts of one name or a body cut short.
    package init(_ body: [UInt8], boundary: [UInt8], limits: MultipartParser.Limits = .standard) throws(Rejection) {
        var parts: [Part] = []
        var parser = MultipartParser(boundary: boundary, limits: limits)
        let fault: Rejection? = body.withUnsafeBytes { bytes in
            var at = 0
            var open: (head: MultipartPartHead, content: Range<Int>)?
            while true {
                let (consumed, step) = parser.receive(UnsafeRawBufferPointer(rebasing: bytes[at...]))
                switch step {
                case .needMoreBytes: return parser.receiveEnd()
                case .partBegan(let head):
                    if parts.contains(where: { $0.head.name == head.name }) { return .invalidMultipart }
                    open = (head, (at + consumed)..<(at + consumed))
                case .partBytes(let range):
                    // With the whole body at hand the pieces of one part lie side by side.
                    if let part = open { open = (part.head, part.content.lowerBound..<(at + range.upperBound)) }
                case .partEnded:
                    if let part = open { parts.append(Part(head: part.head, content: part.content)) }
                    open = nil
                case .partHeldBytes, .end: break
                case .reject(let reason): return reason
                }
                at += consumed
            }
        }
        if let fault { throw fault }
        self.parts = parts
    }

    package subscript(name: String) -> Part? {
        parts.first { $0.head.name == name }
    }
}
