/// What the field lines of one head say about its body and connection (RFC 9112 §6, §9), with nothing left to interpretation.
///
/// Stricter than the RFC where two readers could disagree: a repeated Content-Length or a list in it is refused even if all
/// are equal, and Content-Length beside Transfer-Encoding is never repaired.
struct FramingRules {
    /// Answers have no Host and no Expect worth reading.
    private let isResponse: Bool
    private(set) var seen: UInt64 = 0
    private(set) var contentLength: Int?
    private(set) var isChunked = false
    private(set) var saysClose = false
    private(set) var saysKeepAlive = false
    private(set) var expectsContinue = false
    private(set) var host: Extent?

    init(isResponse: Bool = false) {
        self.isResponse = isResponse
    }

    /// Takes the lines in order; returns why the head is refused, if it is.
    mutating func read(_ lines: borrowing ContiguousArray<FieldLine>, _ base: UnsafePointer<UInt8>) -> Rejection? {
        for index in lines.indices {
            let line = lines[index]
            guard line.known != .other else { continue }
            let bit = line.known.bit
            if seen & bit != 0, line.known.isSingleton { return repeated(line.known) }
            seen |= bit
            if let rejection = read(line, line.value.of(base)) { return rejection }
        }
        if isChunked, contentLength != nil { return .lengthAndTransferEncoding }
        return nil
    }

    private mutating func read(_ line: FieldLine, _ value: UnsafeRawBufferPointer) -> Rejection? {
        switch line.known {
        case .host where !isResponse:
            guard HostSyntax.isValid(value) else { return .invalidHost }
            host = line.value
        case .contentLength:
            guard let length = Self.length(value) else { return .invalidContentLength }
            contentLength = length
        case .transferEncoding:
            if let rejection = Self.codingFault(value) { return rejection }
            isChunked = true
        case .connection:
            readConnection(value)
        case .expect where !isResponse:
            guard FoldedName.isWord(value, "100-continue") else { return .unknownExpectation }
            expectsContinue = true
        default: break
        }
        return nil
    }

    private func repeated(_ name: KnownField) -> Rejection {
        switch name {
        case .host: return .invalidHost
        case .contentLength: return .invalidContentLength
        case .transferEncoding: return .invalidTransferEncoding
        default: return .repeatedField
        }
    }

    /// `1*DIGIT`, at most `Int.max` (RFC 9110 §8.6). Leading zeros are digits like others, up to 19 in all.
    static func length(_ value: UnsafeRawBufferPointer) -> Int? {
        guard 1...19 ~= value.count else { return nil }
        var length = 0
        for byte in value {
            guard ASCII.isDigit(byte) else { return nil }
            let (scaled, overflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, carried) = scaled.addingReportingOverflow(Int(byte &- ASCII.zero))
            guard !overflow, !carried else { return nil }
            length = sum
        }
        return length
    }

    /// Nil for `chunked`. A list that ends with it after other codings is one we don't know (501, RFC 9112 §6.1); any other
    /// value leaves the length unknown (400, §6.3).
    static func codingFault(_ value: UnsafeRawBufferPointer) -> Rejection? {
        if FoldedName.isWord(value, "chunked") { return nil }
        var words = ListWords(value)
        var codings = 0
        var lastIsChunked = false
        while let word = words.next() {
            guard !lastIsChunked, ByteTable.shared.allAre(ByteTable.token, word) else {
                return .invalidTransferEncoding
            }
            lastIsChunked = FoldedName.isWord(word, "chunked")
            codings += 1
        }
        return lastIsChunked && codings > 1 ? .unknownTransferCoding : .invalidTransferEncoding
    }

    private mutating func readConnection(_ value: UnsafeRawBufferPointer) {
        var words = ListWords(value)
        while let word = words.next() {
            if FoldedName.isWord(word, "close") { saysClose = true }
            if FoldedName.isWord(word, "keep-alive") { saysKeepAlive = true }
        }
    }
}
