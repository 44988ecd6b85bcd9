/// Walks the chunks of a PNG (PNG third edition, §5) and checks order, lengths and checksums. Pixels are not inflated.
struct PNGScanner: Sendable {
    private enum Stage {
        case signature
        case chunkHead
        case chunkBody(remaining: Int)
        case checksum
        case ended
    }

    private static let signatureByteCount = 8
    private static let chunkByteCountMax = Int(Int32.max)

    private let limits: ImageLimits
    private var stage = Stage.signature
    private var skipped = 0
    /// The piece at hand that must be seen whole: a chunk's head, `IHDR`, the first bytes of the pixels, a checksum.
    private var piece: [UInt8] = []
    private var crc = CRC32()
    private var kind = PNGChunk.none
    private var header: PNGHeader?
    private var paletteEntryCount: Int?
    private var hasTransparencyChunk = false
    private var pixels = Pixels.none
    private var zlibHeader: [UInt8] = []
    private var byteCount = 0

    private enum Pixels { case none, open, closed }

    init(limits: ImageLimits) {
        self.limits = limits
        piece.reserveCapacity(PNGHeader.byteCount)
    }

    mutating func received(_ bytes: UnsafeRawBufferPointer) -> ImageFault? {
        do {
            try scan(bytes)
            return nil
        } catch {
            return error
        }
    }

    func finish() throws(ImageFault) -> ImageFacts {
        guard case .ended = stage, let header else { throw .truncated }
        return ImageFacts(
            mediaType: .png,
            width: header.width,
            height: header.height,
            bitsPerSample: header.bitsPerSample,
            colour: header.colour,
            isInterlaced: header.isInterlaced,
            hasTransparency: hasTransparencyChunk || header.colour == .greyAlpha || header.colour == .rgba,
            orientation: .upright,
            hasAdobeMarker: false,
            pictureByteCount: byteCount
        )
    }

    private mutating func scan(_ bytes: UnsafeRawBufferPointer) throws(ImageFault) {
        var at = 0
        while at < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[at...])
            switch stage {
            case .signature:
                // The probe has compared it already.
                let count = min(rest.count, Self.signatureByteCount - skipped)
                skipped += count
                at += count
                if skipped == Self.signatureByteCount { stage = .chunkHead }
            case .chunkHead:
                at += collect(rest, upTo: 8)
                if piece.count == 8 { try openChunk() }
            case .chunkBody(let remaining):
                let count = min(rest.count, remaining)
                try addBody(UnsafeRawBufferPointer(rebasing: rest[..<count]))
                at += count
                stage = remaining == count ? .checksum : .chunkBody(remaining: remaining - count)
                if remaining == count { try closeBody() }
            case .checksum:
                at += collect(rest, upTo: 4)
                if piece.count == 4 { try closeChunk() }
            case .ended:
                throw .damaged(.bytesAfterEnd)
            }
        }
        byteCount += bytes.count
    }

    private mutating func collect(_ bytes: UnsafeRawBufferPointer, upTo wanted: Int) -> Int {
        let count = min(bytes.count, wanted - piece.count)
        piece.append(contentsOf: bytes.prefix(count))
        return count
    }

    private var number: Int { piece.prefix(4).reduce(0) { $0 << 8 | Int($1) } }

    private mutating func openChunk() throws(ImageFault) {
        let length = number
        let name = piece[4...]
        kind = PNGChunk(name)
        let isName = name.allSatisfy { $0 & 0xDF >= 0x41 && $0 & 0xDF <= 0x5A }
        guard isName, !kind.isReserved else { throw .damaged(.chunkType) }
        guard length <= Self.chunkByteCountMax else { throw .damaged(.chunkLength) }
        if length > limits.byteCountMax { throw .tooManyBytes(max: limits.byteCountMax) }
        try judge(length)
        crc = CRC32()
        name.withUnsafeBytes { crc.add($0) }
        piece.removeAll(keepingCapacity: true)
        stage = length == 0 ? .checksum : .chunkBody(remaining: length)
    }

    /// Order and length of the chunk that begins (PNG §5.6, table 7).
    private mutating func judge(_ length: Int) throws(ImageFault) {
        guard let header else {
            guard kind == .header else { throw .damaged(.chunkOrder) }
            guard length == PNGHeader.byteCount else { throw .damaged(.chunkLength) }
            return
        }
        if pixels == .open && kind != .pixels { pixels = .closed }
        switch kind {
        case .header: throw .damaged(.chunkRepeated)
        case .palette:
            guard paletteEntryCount == nil else { throw .damaged(.chunkRepeated) }
            guard pixels == .none, !hasTransparencyChunk else { throw .damaged(.chunkOrder) }
            let entryCountMax = header.colour == .palette ? 1 << header.bitsPerSample : 256
            guard header.colour != .grey, header.colour != .greyAlpha else { throw .damaged(.palette) }
            guard length > 0, length.isMultiple(of: 3), length / 3 <= entryCountMax else { throw .damaged(.palette) }
            paletteEntryCount = length / 3
        case .transparency:
            guard !hasTransparencyChunk else { throw .damaged(.chunkRepeated) }
            guard pixels == .none else { throw .damaged(.chunkOrder) }
            switch header.colour {
            case .grey: guard length == 2 else { throw .damaged(.chunkLength) }
            case .rgb: guard length == 6 else { throw .damaged(.chunkLength) }
            case .palette:
                guard let paletteEntryCount else { throw .damaged(.chunkOrder) }
                guard length <= paletteEntryCount else { throw .damaged(.chunkLength) }
            case .greyAlpha, .rgba, .yCbCr, .cmyk: throw .damaged(.header)
            }
            hasTransparencyChunk = true
        case .pixels:
            guard pixels != .closed else { throw .damaged(.chunkOrder) }
            guard header.colour != .palette || paletteEntryCount != nil else { throw .damaged(.palette) }
            pixels = .open
        case .end:
            guard zlibHeader.count == 2 else { throw .damaged(.noPixels) }
            guard length == 0 else { throw .damaged(.chunkLength) }
        default:
            guard kind.isAncillary else { throw .damaged(.unknownCriticalChunk) }
        }
    }

    private mutating func addBody(_ bytes: UnsafeRawBufferPointer) throws(ImageFault) {
        crc.add(bytes)
        if header == nil {
            piece.append(contentsOf: bytes)
        } else if pixels == .open && zlibHeader.count < 2 {
            zlibHeader.append(contentsOf: bytes.prefix(2 - zlibHeader.count))
            guard zlibHeader.count == 2 else { return }
            // RFC 1950 §2.2: method 8, window of at most 32 KiB, check bits, no preset dictionary.
            let (method, flags) = (Int(zlibHeader[0]), Int(zlibHeader[1]))
            guard method & 0x0F == 8, method >> 4 <= 7, (method << 8 | flags) % 31 == 0, flags & 0x20 == 0 else {
                throw .damaged(.compression)
            }
        }
    }

    private mutating func closeBody() throws(ImageFault) {
        guard header == nil else { return }
        header = try PNGHeader(piece, limits: limits)
        piece.removeAll(keepingCapacity: true)
    }

    private mutating func closeChunk() throws(ImageFault) {
        guard UInt32(truncatingIfNeeded: number) == crc.value else { throw .damaged(.checksum) }
        piece.removeAll(keepingCapacity: true)
        stage = kind == .end ? .ended : .chunkHead
    }
}
