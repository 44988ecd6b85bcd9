/// Reads the head of an answer to a request of ours (RFC 9112 §4 to §6), as strictly as `RequestHeadParser` reads requests: a
/// server that can be read two ways is not believed.
///
/// Interim answers (1xx) are skipped, at most eight; 101 is refused, since we ask for no upgrade. The one repair: the space
/// before an empty reason phrase may be missing, as devices leave it out.
package struct ResponseHeadParser: Sendable {
    package struct Limits: Sendable {
        package static let standard = Limits()

        /// For all heads before the body, interim ones among them one by one. At most 65,535.
        package let headBytesMax: Int
        package let fieldCountMax: Int

        package init(headBytesMax: Int = 32_768, fieldCountMax: Int = 100) {
            precondition(headBytesMax <= 65_535, "a head's offsets are kept in 16 bits")
            self.headBytesMax = headBytesMax
            self.fieldCountMax = fieldCountMax
        }
    }

    package enum Step: Equatable, Sendable {
        case needMoreBytes
        case head(ResponseHead)
        case reject(Rejection)
    }

    private enum State: UInt8 { case version, code, reason, lineFeed, fields }

    private static let interimCountMax = 8

    private let limits: Limits
    private let requestMethod: Method
    private var state = State.version
    private var kept: [UInt8] = []
    private var at = 0
    private var version = ProtocolVersion.http11
    private var statusCode = 0
    private var interimCount = 0
    private var fields: FieldSectionMachine
    private var rejection: Rejection?

    /// - Parameter requestMethod: answers to HEAD have no body whatever they say.
    package init(answering requestMethod: Method, limits: Limits = .standard) {
        self.limits = limits
        self.requestMethod = requestMethod
        fields = FieldSectionMachine(countMax: limits.fieldCountMax)
    }

    /// Takes bytes up to the end of a final head; `bytes[consumed...]` is the body.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) -> (consumed: Int, step: Step) {
        var consumed = 0
        while true {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
            let (count, step) = receiveOne(rest)
            consumed += count
            guard let step else { continue }
            if case .reject(let reason) = step { rejection = reason }
            return (consumed, step)
        }
    }

    /// Nil after an interim answer.
    private mutating func receiveOne(_ bytes: UnsafeRawBufferPointer) -> (consumed: Int, step: Step?) {
        if let rejection { return (0, .reject(rejection)) }
        let keptBefore = kept.count
        let taken = min(bytes.count, limits.headBytesMax - keptBefore)
        guard taken > 0 else { return (0, .needMoreBytes) }
        kept.append(contentsOf: bytes[..<taken])
        let whole = kept
        let progress = whole.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return FieldSectionMachine.Progress.needMoreBytes }
            return advance(base, buffer.count)
        }
        switch progress {
        case .needMoreBytes:
            return (taken, whole.count == limits.headBytesMax ? .reject(.headTooLong) : .needMoreBytes)
        case .reject(let reason):
            return (taken, .reject(reason))
        case .complete:
            let consumed = at - keptBefore
            let step = complete(whole)
            state = .version
            kept = []
            at = 0
            return (consumed, step)
        }
    }

    private mutating func advance(_ base: UnsafePointer<UInt8>, _ end: Int) -> FieldSectionMachine.Progress {
        let pattern: StaticString = "HTTP/1.0 000"
        while at < end {
            let byte = base[at]
            switch state {
            case .version, .code:
                let expected = pattern.utf8Start[at]
                let isDigit = expected == ASCII.zero && ASCII.isDigit(byte)
                guard byte == expected || isDigit else { return .reject(.invalidStatusLine) }
                if at == 7 {
                    guard byte <= ASCII.zero + 1 else { return .reject(.unsupportedVersion) }
                    version = byte == ASCII.zero ? .http10 : .http11
                    state = .code
                    statusCode = 0
                } else if at > 8 {
                    statusCode = statusCode * 10 + Int(byte - ASCII.zero)
                    if at == pattern.utf8CodeUnitCount - 1 { state = .reason }
                }
                at += 1
            case .reason:
                if byte == ASCII.carriageReturn {
                    state = .lineFeed
                } else if at == pattern.utf8CodeUnitCount, byte != ASCII.space {
                    return .reject(.invalidStatusLine)
                } else if ByteTable.shared.masks[Int(byte)] & ByteTable.fieldValue == 0 {
                    return .reject(byte == ASCII.lineFeed ? .bareLineFeed : .invalidStatusLine)
                }
                at += 1
            case .lineFeed:
                guard byte == ASCII.lineFeed else { return .reject(.bareCarriageReturn) }
                guard 100..<600 ~= statusCode else { return .reject(.invalidStatusLine) }
                at += 1
                state = .fields
            case .fields:
                return fields.advance(base, &at, end)
            }
        }
        return .needMoreBytes
    }

    /// Nil for an interim answer.
    private mutating func complete(_ whole: [UInt8]) -> Step? {
        let lines = fields.takeLines()
        var rules = FramingRules(isResponse: true)
        let fault = whole.withUnsafeBufferPointer { buffer in buffer.baseAddress.flatMap { rules.read(lines, $0) } }
        if let fault { return .reject(fault) }
        if rules.isChunked, version == .http10 { return .reject(.transferEncodingInVersion10) }
        if statusCode == 101 { return .reject(.unexpectedUpgrade) }
        if statusCode < 200 {
            interimCount += 1
            return interimCount > Self.interimCountMax ? .reject(.tooManyInterimResponses) : nil
        }
        let framing = framing(rules)
        return .head(
            ResponseHead(
                bytes: Array(whole[..<at]),
                statusCode: statusCode,
                version: version,
                framing: framing,
                keepAlive: (version == .http11 || rules.saysKeepAlive) && !rules.saysClose && framing != .untilClose,
                fields: FieldSection(lines: lines, seen: rules.seen)
            )
        )
    }

    /// RFC 9112 §6.3.
    private func framing(_ rules: FramingRules) -> MessageFraming {
        if requestMethod == .head || statusCode == 204 || statusCode == 304 { return .none }
        if rules.isChunked { return .chunked }
        guard let length = rules.contentLength else { return .untilClose }
        return length == 0 ? .none : .length(length)
    }
}
