/// An answer as a value. Lengths, dates and the connection's fate are written by the server.
package struct Response: Sendable {
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Pieces that are sent one after another without being joined.
        case pieces([[UInt8]])
        case source(any BodySource)
        case stream(any BodyStream)
        /// The connection is handed over after the head; no further request comes on it.
        case held(any ConnectionHolder)

        package var count: Int {
            switch self {
            case .none: 0
            case .bytes(let bytes): bytes.count
            case .pieces(let pieces): pieces.reduce(0) { $0 + $1.count }
            case .source(let source): source.byteCount
            case .stream, .held: 0
            }
        }

        /// Whether its length is known at its end only.
        package var isStream: Bool {
            switch self {
            case .stream, .held: true
            case .none, .bytes, .pieces, .source: false
            }
        }
    }

    package var status: Status
    package var contentType: StaticString?
    package var body: Body
    /// Begins with whole field lines, each with its CRLF; written by `add` alone, so that no value can begin a line of its own.
    private var fieldRoom: [UInt8] = []
    private var fieldByteCount = 0
    /// Close the connection after this answer.
    package var closes = false
    /// HEAD's answers have the length of a body that is not sent; 304 has none.
    package var announcedLength: Int?

    package init(_ status: Status, _ contentType: StaticString? = nil, _ body: Body = .none) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// Adds a field. Bytes that cannot stand in a value (controls, so CR and LF) are replaced by `?`.
    package mutating func add(_ name: StaticString, _ value: UnsafeRawBufferPointer) {
        addLine(name.utf8CodeUnitCount + value.count + 4) { line in
            line.put(name)
            line.put(": ")
            line.put(value: value)
            line.put("\r\n")
        }
    }

    /// One that is the same in many answers.
    package mutating func add(_ line: PreparedField) {
        addLine(line.bytes.count) { $0.put(line.bytes) }
    }

    private mutating func addLine(_ count: Int, _ body: (inout FieldCursor) -> Void) {
        let used = fieldByteCount
        if fieldRoom.isEmpty {
            fieldRoom = [UInt8](repeating: 0, count: max(Self.usualFieldBytes, count))
        } else if used + count > fieldRoom.count {
            fieldRoom.append(contentsOf: repeatElement(0, count: max(Self.usualFieldBytes, count)))
        }
        fieldRoom.withUnsafeMutableBytes { room in
            guard let start = room.baseAddress else { return }
            var cursor = FieldCursor(start + used, count: count)
            body(&cursor)
        }
        fieldByteCount += count
    }

    package mutating func add(_ name: StaticString, _ value: [UInt8]) {
        value.withUnsafeBytes { add(name, $0) }
    }

    package mutating func add(_ name: StaticString, _ value: String) {
        var value = value
        value.withUTF8 { add(name, UnsafeRawBufferPointer($0)) }
    }

    /// What most answers have in fields of their own.
    private static let usualFieldBytes = 288

    var fieldLines: [UInt8] { Array(fieldRoom[..<fieldByteCount]) }

    func head(date: DateField, keepAlive: Bool, isForHTTP10: Bool) -> [UInt8] {
        let bytesMax =
            Self.ownFieldBytesMax + status.reason.utf8CodeUnitCount + date.bytes.count
            + (contentType?.utf8CodeUnitCount ?? 0) + fieldByteCount
        return Array(atMost: bytesMax) { head in
            head.put("HTTP/1.1 ")
            head.put(decimal: Int64(status.rawValue))
            head.put(" ")
            head.put(status.reason)
            head.put("\r\nDate: ")
            head.put(date.bytes)
            if let contentType {
                head.put("\r\nContent-Type: ")
                head.put(contentType)
            }
            if !status.isBodiless {
                if !body.isStream {
                    head.put("\r\nContent-Length: ")
                    head.put(decimal: Int64(announcedLength ?? body.count))
                } else if !isForHTTP10 {
                    head.put("\r\nTransfer-Encoding: chunked")
                }
            }
            head.put("\r\nX-Content-Type-Options: nosniff\r\n")
            fieldRoom.withUnsafeBytes { head.put(UnsafeRawBufferPointer(rebasing: $0[..<fieldByteCount])) }
            if !keepAlive {
                head.put("Connection: close\r\n")
            } else if isForHTTP10 {
                head.put("Connection: keep-alive\r\n")
            }
            head.put("\r\n")
        }
    }

    /// Names, punctuation and numbers of what `head` writes by itself: some 170 bytes.
    private static let ownFieldBytesMax = 256
}
