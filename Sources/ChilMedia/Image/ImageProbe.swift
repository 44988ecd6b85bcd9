/// Judges a picture while its bytes arrive, in constant memory. The verdict does not depend on how the bytes are cut.
package struct ImageProbe: Sendable {
    private enum Stage {
        case sniffing
        case png(PNGScanner)
        case jpeg(JPEGScanner)
        case refused(ImageFault)
    }

    private let limits: ImageLimits
    private var stage = Stage.sniffing
    /// The first bytes, kept until the format is known.
    private var head: [UInt8] = []
    package private(set) var byteCount = 0

    package init(limits: ImageLimits = .standard) {
        self.limits = limits
    }

    /// The next bytes of the file. A fault is final: reading further is a waste.
    package mutating func received(_ bytes: UnsafeRawBufferPointer) -> ImageFault? {
        byteCount += bytes.count
        if byteCount > limits.byteCountMax { stage = .refused(.tooManyBytes(max: limits.byteCountMax)) }
        switch stage {
        case .refused(let fault): return fault
        case .png, .jpeg: return scan(bytes)
        case .sniffing:
            let wanted = min(ImageSignature.byteCountMax - head.count, bytes.count)
            head.append(contentsOf: bytes.prefix(wanted))
            guard head.count == ImageSignature.byteCountMax else { return nil }
            if let fault = decide() { return fault }
            return scan(UnsafeRawBufferPointer(rebasing: bytes[wanted...]))
        }
    }

    package mutating func received(_ bytes: [UInt8]) -> ImageFault? {
        bytes.withUnsafeBytes { received($0) }
    }

    /// After the last byte.
    package mutating func finish() throws(ImageFault) -> ImageFacts {
        if case .sniffing = stage {
            guard byteCount > 0 else { throw .empty }
            if let fault = decide() { throw fault }
        }
        switch stage {
        case .png(let scanner): return try scanner.finish()
        case .jpeg(let scanner): return try scanner.finish()
        case .refused(let fault): throw fault
        case .sniffing: throw .unrecognised
        }
    }

    /// The facts of a picture that is in memory as a whole.
    package static func facts(of bytes: [UInt8], limits: ImageLimits = .standard) throws(ImageFault) -> ImageFacts {
        var probe = Self(limits: limits)
        if let fault = probe.received(bytes) { throw fault }
        return try probe.finish()
    }

    private mutating func decide() -> ImageFault? {
        switch ImageSignature(head) {
        case .png: stage = .png(PNGScanner(limits: limits))
        case .jpeg: stage = .jpeg(JPEGScanner(limits: limits))
        case .foreign(let format): stage = .refused(.unsupportedFormat(format))
        case .unknown: stage = .refused(.unrecognised)
        }
        let bytes = head
        head = []
        return bytes.withUnsafeBytes { scan($0) }
    }

    private mutating func scan(_ bytes: UnsafeRawBufferPointer) -> ImageFault? {
        let taken = stage
        stage = .sniffing  // so that the scanner below is the only owner of its buffers
        var fault: ImageFault?
        switch taken {
        case .png(var scanner):
            fault = scanner.received(bytes)
            stage = .png(scanner)
        case .jpeg(var scanner):
            fault = scanner.received(bytes)
            stage = .jpeg(scanner)
        case .refused(let known): fault = known
        case .sniffing: break
        }
        if let fault { stage = .refused(fault) }
        return fault
    }
}
