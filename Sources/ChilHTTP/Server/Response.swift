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
    /// Whole field lines, each with its CRLF; grown by `add` alone, so that no value can begin a line of its own.
    private(set) var fieldLines: [UInt8] = []
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
        if fieldLines.isEmpty { fieldLines.reserveCapacity(Self.usualFieldBytes) }
        fieldLines.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        fieldLines.append(0x3a)
        fieldLines.append(0x20)
        let start = fieldLines.count
        fieldLines.append(contentsOf: value)
        fieldLines.withUnsafeMutableBufferPointer { line in
            for at in start..<line.count where line[at] < 0x20 && line[at] != 0x09 || line[at] == 0x7f {
                line[at] = 0x3f
            }
        }
        fieldLines.append(0x0d)
        fieldLines.append(0x0a)
    }

    /// One that is the same in many answers.
    package mutating func add(_ line: PreparedField) {
        if fieldLines.isEmpty { fieldLines.reserveCapacity(Self.usualFieldBytes) }
        fieldLines.append(contentsOf: line.bytes)
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

    func writeHead(into bytes: inout [UInt8], date: DateField, keepAlive: Bool, isForHTTP10: Bool) {
        func literal(_ text: StaticString) {
            bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
        literal("HTTP/1.1 ")
        appendDecimal(Int(status.rawValue), to: &bytes)
        literal(" ")
        literal(status.reason)
        literal("\r\nDate: ")
        bytes.append(contentsOf: date.bytes)
        if let contentType {
            literal("\r\nContent-Type: ")
            literal(contentType)
        }
        if !status.isBodiless {
            if !body.isStream {
                literal("\r\nContent-Length: ")
                appendDecimal(announcedLength ?? body.count, to: &bytes)
            } else if !isForHTTP10 {
                literal("\r\nTransfer-Encoding: chunked")
            }
        }
        literal("\r\nX-Content-Type-Options: nosniff\r\n")
        bytes.append(contentsOf: fieldLines)
        if !keepAlive {
            literal("Connection: close\r\n")
        } else if isForHTTP10 {
            literal("Connection: keep-alive\r\n")
        }
        literal("\r\n")
    }

    private func appendDecimal(_ number: Int, to bytes: inout [UInt8]) {
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes.append(0x30 + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
