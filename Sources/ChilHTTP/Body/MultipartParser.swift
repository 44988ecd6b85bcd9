import Glibc

/// Takes a `multipart/form-data` body apart (RFC 7578, RFC 2046 §5.1), fed as it arrives.
///
/// Strict: nothing before the first boundary, no padding behind a boundary, nothing but one CRLF after the last.
package struct MultipartParser: Sendable {
    package struct Limits: Sendable {
        package static let standard = Limits()

        package let partCountMax: Int
        /// At most 65,535.
        package let partHeadBytesMax: Int

        package init(partCountMax: Int = 8, partHeadBytesMax: Int = 4_096) {
            precondition(partHeadBytesMax <= 65_535, "a head's offsets are kept in 16 bits")
            self.partCountMax = partCountMax
            self.partHeadBytesMax = partHeadBytesMax
        }
    }

    package enum Step: Equatable, Sendable {
        case needMoreBytes
        case partBegan(MultipartPartHead)
        /// Content of the part: a range of the bytes just given.
        case partBytes(Range<Int>)
        /// Content of the part that was held back at the end of earlier bytes, as it looked like a boundary.
        case partHeldBytes([UInt8])
        case partEnded
        /// The last boundary was read. Bytes behind it are checked by `receiveEnd`.
        case end
        case reject(Rejection)
    }

    private enum State: UInt8 { case content, held, afterBoundary, boundaryLineFeed, lastHyphen, head, epilogue }

    private static let fieldCountMax = 16

    private let limits: Limits
    /// CRLF `--` boundary. Only its first byte is a CR, so a match that fails can begin anew only at a CR after it.
    private let delimiter: [UInt8]
    private var state = State.held
    /// How many bytes of the delimiter were seen and not given out. The first one needs no CRLF in front.
    private var matched = 2
    private var isInsidePart = false
    private var partCount = 0
    private var head: [UInt8] = []
    private var headRead = 0
    private var fields = FieldSectionMachine(countMax: fieldCountMax)
    private var epilogueCount = 0
    private var rejection: Rejection?

    /// - Parameter boundary: `MediaType.boundary`.
    package init(boundary: [UInt8], limits: Limits = .standard) {
        self.limits = limits
        delimiter = Array("\r\n--".utf8) + boundary
    }

    /// Takes bytes up to the next step. Call it again with `bytes[consumed...]` until it needs more.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) -> (consumed: Int, step: Step) {
        var at = 0
        let step = rejection.map(Step.reject) ?? advance(bytes, &at)
        if case .reject(let reason) = step { rejection = reason }
        return (at, step)
    }

    /// What the end of the body means: nothing, if the last boundary was there.
    package mutating func receiveEnd() -> Rejection? {
        rejection ?? (state == .epilogue && epilogueCount != 1 ? nil : .invalidMultipart)
    }

    private mutating func advance(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Step {
        while at < bytes.count {
            let byte = bytes[at]
            switch state {
            case .content:
                if let step = readContent(bytes, &at) { return step }
            case .held:
                if byte == delimiter[matched] {
                    matched += 1
                    at += 1
                    guard matched == delimiter.count else { continue }
                    state = .afterBoundary
                    if isInsidePart {
                        isInsidePart = false
                        return .partEnded
                    }
                } else {
                    guard isInsidePart else { return .reject(.invalidMultipart) }
                    state = .content
                    return .partHeldBytes(Array(delimiter[..<matched]))
                }
            case .afterBoundary:
                guard byte == ASCII.carriageReturn || byte == ASCII.hyphen else { return .reject(.invalidMultipart) }
                state = byte == ASCII.hyphen ? .lastHyphen : .boundaryLineFeed
                at += 1
            case .boundaryLineFeed:
                guard byte == ASCII.lineFeed else { return .reject(.invalidMultipart) }
                at += 1
                partCount += 1
                guard partCount <= limits.partCountMax else { return .reject(.tooManyParts) }
                state = .head
            case .lastHyphen:
                guard byte == ASCII.hyphen, partCount > 0 else { return .reject(.invalidMultipart) }
                at += 1
                state = .epilogue
                return .end
            case .head:
                return readHead(bytes, &at)
            case .epilogue:
                let expected: [UInt8] = [ASCII.carriageReturn, ASCII.lineFeed]
                guard epilogueCount < 2, byte == expected[epilogueCount] else { return .reject(.invalidMultipart) }
                epilogueCount += 1
                at += 1
            }
        }
        return .needMoreBytes
    }

    /// Gives out content up to the next delimiter, or what could become one. Nil if none comes before it.
    private mutating func readContent(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Step? {
        guard let base = bytes.baseAddress else { return .needMoreBytes }
        let start = at
        var end = at
        let isHeld = delimiter.withUnsafeBytes { delimiter in
            guard let wanted = delimiter.baseAddress else { return false }
            while end < bytes.count {
                guard let found = memchr(base + end, Int32(ASCII.carriageReturn), bytes.count - end) else {
                    end = bytes.count
                    return false
                }
                end = UnsafeRawPointer(found) - base
                if memcmp(wanted, found, min(delimiter.count, bytes.count - end)) == 0 { return true }
                end += 1
            }
            return false
        }
        if isHeld {
            state = .held
            matched = 0
        }
        at = end
        return end > start ? .partBytes(start..<end) : nil
    }

    private mutating func readHead(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Step {
        let before = head.count
        let taken = min(bytes.count - at, limits.partHeadBytesMax - before)
        head.append(contentsOf: bytes[at..<(at + taken)])
        let section = head
        let progress = section.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return FieldSectionMachine.Progress.needMoreBytes }
            return fields.advance(base, &headRead, buffer.count)
        }
        switch progress {
        case .reject(let reason):
            return .reject(reason == .tooManyFields ? .partHeadTooLong : reason)
        case .needMoreBytes:
            at += taken
            return head.count == limits.partHeadBytesMax ? .reject(.partHeadTooLong) : .needMoreBytes
        case .complete:
            at += headRead - before
            let lines = fields.takeLines()
            head = []
            headRead = 0
            guard let part = MultipartPartHead(section, lines) else { return .reject(.invalidMultipart) }
            // An empty part's delimiter may follow at once: its CRLF is the delimiter's own.
            state = .content
            isInsidePart = true
            return .partBegan(part)
        }
    }
}
