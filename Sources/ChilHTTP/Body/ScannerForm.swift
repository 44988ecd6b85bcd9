import CLinux

/// The body that Epson's service pushes a scan with: almost `multipart/form-data`, and not quite (Epson Connect API v2, "Scan").
///
///     Content-Type: multipart/form-data; boundary= -----------MultipartPost
///
///     -------------MultipartPost
///     Content-Disposition: form-data; X5YZ012345; filename=EPSON scan 001.jpg
///     Content-Type: image/jpeg
///
/// Blanks behind `boundary=`, a boundary that begins with hyphens, a bare word in place of `name=`, a file name without quotes and in
/// whatever encoding the printer has: what `MultipartParser` rejects has to be taken here. What a part is, its bytes say; its head is
/// for people. Pure: the whole body is given, and nothing of it is copied.
package struct ScannerForm: Sendable {
    package struct Part: Sendable, Equatable {
        /// The bare word, or the value of `name`: the printer's serial number. Printable ASCII.
        package let key: String?
        /// Nothing that can be shown is `nil`: a name in an encoding that is not said cannot be read.
        package let fileName: String?
        /// Where its content stands in the body.
        package let content: Range<Int>
    }

    package enum Fault: Error, Equatable, Sendable {
        /// `Content-Type` is no form's.
        case notAForm
        /// It names no boundary, or one that is too long.
        case noBoundary
        /// The boundary it names is not in the body.
        case noParts
        case tooManyParts
        case partHeadTooLong
        /// The last boundary is missing: the body was cut off.
        case cutOff
    }

    /// A page is a part; a feeder holds fifty.
    package static let partCountMax = 64
    package static let partHeadBytesMax = 4_096
    /// RFC 2046 allows 70.
    package static let boundaryBytesMax = 200
    static let nameBytesMax = 200

    package let parts: [Part]

    package init(_ body: [UInt8], contentType: [UInt8]) throws(Fault) {
        let boundary = try Self.boundary(in: contentType)
        var scanner = Scanner(body, delimiter: Array("--".utf8) + boundary)
        // The boundary's own hyphens may stand for those that should come before it.
        if !scanner.findFirst() {
            scanner = Scanner(body, delimiter: boundary)
            guard boundary.starts(with: Array("--".utf8)), scanner.findFirst() else { throw .noParts }
        }
        var parts: [Part] = []
        while let head = try scanner.nextHead() {
            guard parts.count < Self.partCountMax else { throw .tooManyParts }
            let content = try scanner.content()
            let (key, fileName) = Self.names(in: body[head])
            parts.append(Part(key: key, fileName: fileName, content: content))
        }
        self.parts = parts
    }

    // MARK: Content-Type

    /// What is behind `boundary=`, without blanks around it, in quotes or not.
    static func boundary(in contentType: [UInt8]) throws(Fault) -> [UInt8] {
        guard lowered(contentType[...].drop(while: isBlank)).starts(with: Array("multipart/".utf8)) else {
            throw .notAForm
        }
        guard let value = value(of: "boundary", in: contentType[...]), (1...boundaryBytesMax).contains(value.count)
        else {
            throw .noBoundary
        }
        return value
    }

    // MARK: A part's head

    private static func names(in head: ArraySlice<UInt8>) -> (key: String?, fileName: String?) {
        let lines = head.split { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }
        let field = Array("content-disposition:".utf8)
        guard let line = lines.first(where: { lowered($0).starts(with: field) }) else { return (nil, nil) }
        let parameters = line.dropFirst(field.count)
        let fileName = value(of: "filename", in: parameters).flatMap { shown($0) }
        if let name = value(of: "name", in: parameters) { return (shown(name), fileName) }
        // Neither the disposition itself nor a parameter.
        let bare = parameters.split(separator: ASCII.semicolon).dropFirst().map { trimmed($0) }
            .first { !$0.isEmpty && !$0.contains(ASCII.equals) }
        return (bare.flatMap { shown(Array($0)) }, fileName)
    }

    /// The value of a parameter: between quotes, or to the next ASCII.semicolon. Blanks may stand anywhere around it.
    private static func value(of name: String, in text: ArraySlice<UInt8>) -> [UInt8]? {
        let wanted = Array(name.utf8)
        var rest = text
        while let start = rest.firstIndex(of: ASCII.semicolon) {
            rest = rest[(start + 1)...].drop(while: isBlank)
            guard lowered(rest.prefix(wanted.count)).elementsEqual(wanted) else { continue }
            let behind = rest.dropFirst(wanted.count).drop(while: isBlank)
            guard behind.first == ASCII.equals else { continue }
            let value = behind.dropFirst().drop(while: isBlank)
            if value.first == ASCII.quote { return Array(value.dropFirst().prefix { $0 != ASCII.quote }) }
            return Array(trimmed(value.prefix { $0 != ASCII.semicolon }))
        }
        return nil
    }

    /// Valid UTF-8 without control characters, cut to a length.
    private static func shown(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty, bytes.count <= nameBytesMax, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return nil
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return bytes
    }

    private static func lowered(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

}

extension ScannerForm {
    /// Walks from delimiter to delimiter. A line may end with CRLF or with LF alone.
    struct Scanner {
        private let body: [UInt8]
        private let delimiter: [UInt8]
        /// Behind the delimiter that was found last.
        private var at = 0

        init(_ body: [UInt8], delimiter: [UInt8]) {
            self.body = body
            self.delimiter = delimiter
        }

        /// What stands before it is nobody's.
        mutating func findFirst() -> Bool {
            guard let start = delimiterStart(from: 0) else { return false }
            at = start + delimiter.count
            return true
        }

        /// The lines up to the empty one. `nil`: that was the last delimiter.
        mutating func nextHead() throws(Fault) -> Range<Int>? {
            if body[at...].starts(with: [ASCII.hyphen, ASCII.hyphen]) { return nil }
            guard let lineEnd = body[at...].firstIndex(of: ASCII.lineFeed) else { throw .cutOff }
            let start = lineEnd + 1
            var line = start
            while let end = body[line...].prefix(ScannerForm.partHeadBytesMax).firstIndex(of: ASCII.lineFeed) {
                guard end - start < ScannerForm.partHeadBytesMax else { throw .partHeadTooLong }
                let isEmpty = end == line || (end == line + 1 && body[line] == ASCII.carriageReturn)
                let head = start..<line
                line = end + 1
                if isEmpty {
                    at = line
                    return head
                }
            }
            throw body.count - start > ScannerForm.partHeadBytesMax ? .partHeadTooLong : .cutOff
        }

        /// The bytes up to the line end before the next delimiter.
        mutating func content() throws(Fault) -> Range<Int> {
            let start = at
            guard let next = delimiterStart(from: start) else { throw .cutOff }
            at = next + delimiter.count
            var end = next
            if end > start, body[end - 1] == ASCII.lineFeed { end -= 1 }
            if end > start, body[end - 1] == ASCII.carriageReturn { end -= 1 }
            return start..<end
        }

        /// A delimiter that begins a line and ends with one, with blanks or with the hyphens of the last. memmem(3) is linear.
        private func delimiterStart(from first: Int) -> Int? {
            body.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return nil }
                var from = first
                while from + delimiter.count <= bytes.count {
                    guard let found = memmem(base + from, bytes.count - from, delimiter, delimiter.count) else {
                        return nil
                    }
                    let start = UnsafeRawPointer(found) - base
                    let end = start + delimiter.count
                    let isAtLineStart = start == 0 || bytes[start - 1] == ASCII.lineFeed
                    let endings = [ASCII.carriageReturn, ASCII.lineFeed, ASCII.hyphen, ASCII.space, ASCII.tab]
                    if isAtLineStart, end < bytes.count, endings.contains(bytes[end]) { return start }
                    from = start + 1
                }
                return nil
            }
        }
    }
}
