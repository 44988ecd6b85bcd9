/// Reads the head of an HTTP/1.x request, fed as it arrives (RFC 9112 §2 to §6, RFC 9110 §5): any cut of the same bytes gives
/// the same answer.
///
/// Strict on purpose: the grammar of the RFC without the repairs that it lets a server make. The one thing ignored is a
/// single CRLF before the request line (§2.2), which old clients send after a body.
package struct RequestHeadParser: Sendable {
    package struct Limits: Sendable {
        package static let standard = Limits()

        /// 414 above this.
        package let targetBytesMax: Int
        /// 431 above this; counts all from the first byte to the empty line. At most 65,535.
        package let headBytesMax: Int
        /// 431 above this.
        package let fieldCountMax: Int

        package init(targetBytesMax: Int = 8_192, headBytesMax: Int = 32_768, fieldCountMax: Int = 100) {
            precondition(headBytesMax <= 65_535, "a head's offsets are kept in 16 bits")
            self.targetBytesMax = targetBytesMax
            self.headBytesMax = headBytesMax
            self.fieldCountMax = fieldCountMax
        }
    }

    package enum Step: Equatable, Sendable {
        case needMoreBytes
        /// The parser is ready for the next head; the body, if any, comes first.
        case head(RequestHead)
        /// Answer and close: the parser says the same from now on.
        case reject(Status, Rejection)
    }

    private enum State: UInt8 { case start, leadingLineFeed, method, target, version, lineFeed, fields }
    private enum Progress { case needMoreBytes, complete, reject(Rejection) }

    private let limits: Limits
    private var state = State.start
    private var kept: [UInt8] = []
    private var at = 0
    private var methodStart = 0
    private var methodExtent = Extent.empty
    private var method = Method.other
    private var targetStart = 0
    private var target: RequestTarget?
    private var versionStart = 0
    private var version = ProtocolVersion.http11
    private var fields: FieldSectionMachine
    private var rejection: Rejection?

    package init(limits: Limits = .standard) {
        self.limits = limits
        fields = FieldSectionMachine(countMax: limits.fieldCountMax)
    }

    /// Whether some bytes of a head were taken and its end was not: a peer that closes now has cut a request short.
    package var isInsideHead: Bool { state != .start && state != .leadingLineFeed }

    /// Takes bytes up to the end of a head. What is left (`bytes[consumed...]`) is the body or the next request.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) -> (consumed: Int, step: Step) {
        if let rejection { return (0, .reject(rejection.status, rejection)) }
        let keptBefore = kept.count
        let taken = min(bytes.count, limits.headBytesMax - keptBefore)
        let input = UnsafeRawBufferPointer(rebasing: bytes[..<taken])
        guard taken > 0 else { return (0, .needMoreBytes) }
        if keptBefore == 0 { return readInPlace(input) }
        kept.append(contentsOf: input)
        let whole = kept
        let progress = whole.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { advance($0, buffer.count) } ?? .needMoreBytes
        }
        switch progress {
        case .needMoreBytes:
            return (taken, whole.count == limits.headBytesMax ? reject(.headTooLong) : .needMoreBytes)
        case .reject(let reason):
            return (taken, reject(reason))
        case .complete:
            let consumed = at - keptBefore
            return (
                consumed, whole.withUnsafeBufferPointer { $0.baseAddress.map { completeHead($0) } ?? .needMoreBytes }
            )
        }
    }

    /// Reads a head that begins in `input`: in the usual case it lies there whole, and is copied once.
    private mutating func readInPlace(_ input: UnsafeRawBufferPointer) -> (consumed: Int, step: Step) {
        guard let start = input.baseAddress else { return (0, .needMoreBytes) }
        let base = start.assumingMemoryBound(to: UInt8.self)
        switch advance(base, input.count) {
        case .needMoreBytes:
            if input.count == limits.headBytesMax { return (input.count, reject(.headTooLong)) }
            kept.append(contentsOf: input)
            return (input.count, .needMoreBytes)
        case .reject(let reason):
            return (input.count, reject(reason))
        case .complete:
            let consumed = at
            return (consumed, completeHead(base))
        }
    }

    private mutating func reject(_ reason: Rejection) -> Step {
        rejection = reason
        kept = []
        return .reject(reason.status, reason)
    }

    private mutating func advance(_ base: UnsafePointer<UInt8>, _ end: Int) -> Progress {
        while at < end {
            switch state {
            case .start:
                if base[at] == ASCII.carriageReturn, at == 0 {
                    at = 1
                    state = .leadingLineFeed
                } else {
                    methodStart = at
                    state = .method
                }
            case .leadingLineFeed:
                guard base[at] == ASCII.lineFeed else { return .reject(.bareCarriageReturn) }
                at += 1
                state = .start
            case .method:
                if let rejection = readMethod(base, end) { return .reject(rejection) }
            case .target:
                if let rejection = readTarget(base, end) { return .reject(rejection) }
            case .version:
                if let rejection = readVersion(base, end) { return .reject(rejection) }
            case .lineFeed:
                guard base[at] == ASCII.lineFeed else { return .reject(.bareCarriageReturn) }
                at += 1
                state = .fields
            case .fields:
                switch fields.advance(base, &at, end) {
                case .needMoreBytes: return .needMoreBytes
                case .complete: return .complete
                case .reject(let rejection): return .reject(rejection)
                }
            }
        }
        return .needMoreBytes
    }

    private mutating func readMethod(_ base: UnsafePointer<UInt8>, _ end: Int) -> Rejection? {
        let masks = ByteTable.shared.masks
        var index = at
        while index < end, masks[Int(base[index])] & ByteTable.token != 0 { index &+= 1 }
        at = index
        if index - methodStart > Method.bytesMax { return .invalidMethod }
        guard index < end else { return nil }
        guard base[index] == ASCII.space, index > methodStart else {
            return base[index] == ASCII.lineFeed ? .bareLineFeed : .invalidMethod
        }
        methodExtent = Extent(methodStart, index)
        method = Method.recognise(methodExtent.of(base))
        at = index + 1
        targetStart = at
        state = .target
        return nil
    }

    private mutating func readTarget(_ base: UnsafePointer<UInt8>, _ end: Int) -> Rejection? {
        let masks = ByteTable.shared.masks
        var index = at
        while index < end, masks[Int(base[index])] & ByteTable.target != 0 { index &+= 1 }
        at = index
        if index - targetStart > limits.targetBytesMax { return .targetTooLong }
        guard index < end else { return nil }
        guard base[index] == ASCII.space, index > targetStart else {
            switch base[index] {
            case ASCII.lineFeed: return .bareLineFeed
            case ASCII.carriageReturn, ASCII.space: return .invalidRequestLine
            default: return .invalidTarget
            }
        }
        target = RequestTarget.parse(base, Extent(targetStart, index), method: method)
        if target == nil { return .invalidTarget }
        at = index + 1
        versionStart = at
        state = .version
        return nil
    }

    /// `HTTP/` DIGIT `.` DIGIT and CR. A version that is well formed and not ours is 505, anything else 400.
    private mutating func readVersion(_ base: UnsafePointer<UInt8>, _ end: Int) -> Rejection? {
        let pattern: StaticString = "HTTP/0.0"
        while at < end {
            let offset = at - versionStart
            let byte = base[at]
            if offset < pattern.utf8CodeUnitCount {
                let expected = pattern.utf8Start[offset]
                guard byte == expected || (expected == ASCII.zero && ASCII.isDigit(byte)) else {
                    return .invalidVersion
                }
                at += 1
                continue
            }
            guard byte == ASCII.carriageReturn else { return byte == ASCII.lineFeed ? .bareLineFeed : .invalidVersion }
            let minor = base[at - 1]
            guard base[at - 3] == ASCII.zero + 1, minor <= ASCII.zero + 1 else { return .unsupportedVersion }
            version = minor == ASCII.zero ? .http10 : .http11
            at += 1
            state = .lineFeed
            return nil
        }
        return nil
    }

    private mutating func completeHead(_ base: UnsafePointer<UInt8>) -> Step {
        guard let target else { return reject(.invalidTarget) }
        let lines = fields.takeLines()
        var rules = FramingRules()
        if let rejection = rules.read(lines, base) { return reject(rejection) }
        if version == .http11, rules.host == nil { return reject(.missingHost) }
        if version == .http10, rules.isChunked { return reject(.transferEncodingInVersion10) }

        let framing: MessageFraming =
            rules.isChunked ? .chunked : rules.contentLength.map { $0 == 0 ? .none : .length($0) } ?? .none
        let wantsKeepAlive = version == .http11 || rules.saysKeepAlive
        let head = RequestHead(
            bytes: [UInt8](UnsafeBufferPointer(start: base, count: at)),
            method: method,
            version: version,
            framing: framing,
            // After CONNECT the bytes would be a tunnel's, so nothing behind it is read as a request.
            keepAlive: wantsKeepAlive && !rules.saysClose && method != .connect,
            expectsContinue: rules.expectsContinue && version == .http11 && framing != .none,
            methodExtent: methodExtent,
            requestTarget: target,
            authorityExtent: target.authority ?? rules.host,
            fields: FieldSection(lines: lines, seen: rules.seen)
        )
        state = .start
        at = 0
        kept = []
        return .head(head)
    }
}
