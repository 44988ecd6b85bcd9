/// Finds the bytes of one body in what a connection delivers, and never more of them than the limit.
///
/// The caller loops: `receive` what is left of its buffer until it answers `.needMoreBytes`, `.end` or `.reject`.
package struct BodyFraming: Sendable {
    package enum Step: Equatable, Sendable {
        case needMoreBytes
        /// Bytes of the body: a range of the bytes just given, never empty.
        case bytes(Range<Int>)
        /// The body is whole. Said again if asked again; bytes behind it are not touched.
        case end
        case reject(Status, Rejection)
    }

    private enum Form: Sendable {
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
        case untilClose
    }

    package let bytesMax: Int
    /// Body bytes given out so far.
    package private(set) var deliveredBytes = 0
    private var form: Form
    private var rejection: Rejection?

    /// - Parameter bytesMax: 413 for a body longer than this: at once if the head says so, else before the first byte beyond it.
    package init(_ framing: MessageFraming, bytesMax: Int, chunks: ChunkedDecoder.Limits = .standard) {
        self.bytesMax = bytesMax
        switch framing {
        case .none: form = .length(remaining: 0)
        case .length(let length):
            form = .length(remaining: length)
            if length > bytesMax { rejection = .bodyTooLarge }
        case .chunked: form = .chunked(ChunkedDecoder(limits: chunks))
        case .untilClose: form = .untilClose
        }
    }

    /// Why the body is refused, known from the head before a byte of it is read: answer instead of `100 Continue`.
    package var refusal: Rejection? { rejection }

    /// The length if the head says it.
    package var isWhole: Bool {
        if case .length(0) = form { return rejection == nil }
        return false
    }

    package mutating func receive(_ bytes: UnsafeRawBufferPointer) -> (consumed: Int, step: Step) {
        if let rejection { return (0, .reject(rejection.status, rejection)) }
        switch form {
        case .length(let remaining):
            if remaining == 0 { return (0, .end) }
            let count = min(remaining, bytes.count)
            guard count > 0 else { return (0, .needMoreBytes) }
            form = .length(remaining: remaining - count)
            deliveredBytes += count
            return (count, .bytes(0..<count))
        case .chunked(var decoder):
            // Taken out while it works, so that its buffers are not copied.
            form = .untilClose
            defer { form = .chunked(decoder) }
            let (consumed, step) = decoder.receive(bytes)
            if decoder.announcedBytes > bytesMax { return (consumed, reject(.bodyTooLarge)) }
            switch step {
            case .needMoreBytes: return (consumed, .needMoreBytes)
            case .data(let range):
                deliveredBytes += range.count
                return (consumed, .bytes(range))
            case .end: return (consumed, .end)
            case .reject(let reason): return (consumed, reject(reason))
            }
        case .untilClose:
            guard !bytes.isEmpty else { return (0, .needMoreBytes) }
            guard bytes.count <= bytesMax - deliveredBytes else { return (0, reject(.bodyTooLarge)) }
            deliveredBytes += bytes.count
            return (bytes.count, .bytes(0..<bytes.count))
        }
    }

    /// What the end of the connection means here: the end of a body that has no other, or a body cut short.
    package mutating func receiveEnd() -> Step {
        if let rejection { return .reject(rejection.status, rejection) }
        if case .untilClose = form { return .end }
        let (_, step) = receive(UnsafeRawBufferPointer(start: nil, count: 0))
        return step == .needMoreBytes ? reject(.truncated) : step
    }

    private mutating func reject(_ reason: Rejection) -> Step {
        rejection = reason
        return .reject(reason.status, reason)
    }
}
