/// What a Range field asks of a representation of a known length (RFC 9110 §14.2): one range of bytes.
package enum ByteRange: Equatable, Sendable {
    /// The whole with 200: no range, another unit, several ranges, or a malformed field, which a server may ignore.
    case whole
    /// 206 with these bytes. Never empty.
    case part(Range<Int>)
    /// 416 with `Content-Range: bytes */length`.
    case unsatisfiable

    package static func parse(_ field: ArraySlice<UInt8>?, length: Int) -> Self {
        guard let field, let equals = field.firstIndex(of: ASCII.equals),
            FoldedName.isWord(field[..<equals], "bytes")
        else { return .whole }
        let spec = field[(equals + 1)...]
        guard let hyphen = spec.firstIndex(of: ASCII.hyphen) else { return .whole }
        let first = spec[..<hyphen]
        let last = spec[(hyphen + 1)...]
        guard first.allSatisfy(ASCII.isDigit), last.allSatisfy(ASCII.isDigit), !(first.isEmpty && last.isEmpty) else {
            return .whole
        }
        // A number too big for us is beyond the end all the same.
        let lastNumber = number(last)
        if first.isEmpty {
            guard lastNumber > 0, length > 0 else { return .unsatisfiable }
            return .part(max(0, length - lastNumber)..<length)
        }
        let start = number(first)
        if !last.isEmpty, lastNumber < start { return .whole }
        guard start < length else { return .unsatisfiable }
        return .part(start..<(last.isEmpty ? length : min(length - 1, lastNumber) + 1))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        digits.reduce(0) { sum, digit in
            let (scaled, overflow) = sum.multipliedReportingOverflow(by: 10)
            let (next, carried) = scaled.addingReportingOverflow(Int(digit - ASCII.zero))
            return overflow || carried ? Int.max : next
        }
    }

    /// The Content-Range value of a 206 (`bytes 0-4/10`) or a 416 (`bytes */10`); nil for the whole.
    package func contentRange(length: Int) -> String? {
        switch self {
        case .whole: nil
        case .part(let range): "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
        case .unsatisfiable: "bytes */\(length)"
        }
    }
}
