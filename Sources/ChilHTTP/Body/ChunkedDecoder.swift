/// Takes the chunked coding off a body (RFC 9112 §7.1), fed as it arrives: any cut of the same bytes gives the same data.
///
/// Extensions are checked and ignored (§7.1.1), trailers are checked and dropped (§7.1.2); both are bounded for the whole
/// body, so that no peer can make us read what is no data for long.
package struct ChunkedDecoder: Sendable {
    package struct Limits: Sendable {
        package static let standard = Limits()

        package let extensionBytesMax: Int
        package let trailerBytesMax: Int
        package let trailerCountMax: Int

        package init(extensionBytesMax: Int = 4_096, trailerBytesMax: Int = 8_192, trailerCountMax: Int = 32) {
            precondition(trailerBytesMax <= 65_535, "a trailer's offsets are kept in 16 bits")
            self.extensionBytesMax = extensionBytesMax
            self.trailerBytesMax = trailerBytesMax
            self.trailerCountMax = trailerCountMax
        }
    }

    package enum Step: Equatable, Sendable {
        case needMoreBytes
        /// Data of the body: a range of the bytes just given.
        case data(Range<Int>)
        case end
        case reject(Rejection)
    }

    private enum State: UInt8 {
        case size, chunkExtension, sizeLineFeed, data, dataReturn, dataLineFeed, trailers, over
    }

    /// Bytes of chunks announced so far: more than the body's limit is known before the data comes.
    package private(set) var announcedBytes = 0
    private let limits: Limits
    private var state = State.size
    private var remaining = 0
    private var digits = 0
    private var extensions = ChunkExtensionMachine()
    private var extensionBytes = 0
    private var trailers: [UInt8] = []
    private var trailersRead = 0
    private var trailerFields: FieldSectionMachine
    private var rejection: Rejection?

    package init(limits: Limits = .standard) {
        self.limits = limits
        trailerFields = FieldSectionMachine(countMax: limits.trailerCountMax)
    }

    /// Takes bytes up to the next piece of data, the end or a fault. Call it again with `bytes[consumed...]` until it needs more.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) -> (consumed: Int, step: Step) {
        var at = 0
        let step = rejection.map(Step.reject) ?? advance(bytes, &at)
        if case .reject(let reason) = step { rejection = reason }
        return (at, step)
    }

    private mutating func advance(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Step {
        if state == .over { return .end }
        while at < bytes.count {
            let byte = bytes[at]
            switch state {
            case .size:
                if let rejection = readSize(byte) { return .reject(rejection) }
                at += 1
            case .chunkExtension:
                extensionBytes += 1
                guard extensionBytes <= limits.extensionBytesMax else { return .reject(.chunkExtensionsTooLong) }
                switch extensions.receive(byte) {
                case .more: break
                case .carriageReturn: state = .sizeLineFeed
                case .invalid: return .reject(.invalidChunkExtension)
                }
                at += 1
            case .sizeLineFeed:
                guard byte == ASCII.lineFeed else { return .reject(.bareCarriageReturn) }
                at += 1
                state = remaining == 0 ? .trailers : .data
            case .data:
                let count = min(remaining, bytes.count - at)
                let range = at..<(at + count)
                at += count
                remaining -= count
                if remaining == 0 { state = .dataReturn }
                return .data(range)
            case .dataReturn:
                guard byte == ASCII.carriageReturn else { return .reject(.chunkNotTerminated) }
                at += 1
                state = .dataLineFeed
            case .dataLineFeed:
                guard byte == ASCII.lineFeed else { return .reject(.chunkNotTerminated) }
                at += 1
                digits = 0
                state = .size
            case .trailers:
                return readTrailers(bytes, &at)
            case .over:
                return .end
            }
        }
        return .needMoreBytes
    }

    private mutating func readSize(_ byte: UInt8) -> Rejection? {
        if let value = ASCII.hexValue(byte) {
            if digits == 0 { remaining = 0 }
            digits += 1
            guard digits <= 16, remaining <= Int.max >> 4 else { return .invalidChunkSize }
            remaining = remaining << 4 | Int(value)
            return nil
        }
        guard digits > 0 else { return .invalidChunkSize }
        let (announced, overflow) = announcedBytes.addingReportingOverflow(remaining)
        guard !overflow else { return .invalidChunkSize }
        switch byte {
        case ASCII.carriageReturn: state = .sizeLineFeed
        case ASCII.semicolon, ASCII.space, ASCII.tab:
            extensions = ChunkExtensionMachine(firstByte: byte)
            extensionBytes += 1
            state = .chunkExtension
        case ASCII.lineFeed: return .bareLineFeed
        default: return .invalidChunkSize
        }
        announcedBytes = announced
        return nil
    }

    /// Keeps the trailer section, as the field machine counts from its start.
    private mutating func readTrailers(_ bytes: UnsafeRawBufferPointer, _ at: inout Int) -> Step {
        let before = trailers.count
        let taken = min(bytes.count - at, limits.trailerBytesMax - before)
        trailers.append(contentsOf: bytes[at..<(at + taken)])
        let section = trailers
        let progress = section.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return FieldSectionMachine.Progress.needMoreBytes }
            return trailerFields.advance(base, &trailersRead, buffer.count)
        }
        switch progress {
        case .complete:
            at += trailersRead - before
            state = .over
            trailers = []
            let isForbidden = trailerFields.takeLines().contains { $0.known.isForbiddenInTrailers }
            return isForbidden ? .reject(.forbiddenTrailer) : .end
        case .reject(let rejection):
            return .reject(rejection)
        case .needMoreBytes:
            at += taken
            return trailers.count == limits.trailerBytesMax ? .reject(.trailersTooLong) : .needMoreBytes
        }
    }
}
