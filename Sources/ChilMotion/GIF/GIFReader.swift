/// Walks a GIF's blocks from its signature to its trailer (GIF89a specification, CompuServe 1990), and unpacks no pixel: so a small file
/// that would be large unpacked costs nothing here, and what it would cost a player is bounded by `GIFLimits`.
package struct GIFReader {
    private let bytes: UnsafeRawBufferPointer
    private let limits: GIFLimits
    private var place = 0

    private init(_ bytes: UnsafeRawBufferPointer, _ limits: GIFLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Whether the bytes begin as a GIF does.
    package static func isGIF(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: Array("GIF89a".utf8)) || bytes.starts(with: Array("GIF87a".utf8))
    }

    /// The facts of a GIF that moves.
    package static func facts(of bytes: [UInt8], limits: GIFLimits = .standard) throws(GIFFault) -> GIFFacts {
        guard isGIF(bytes) else { throw .noGIF }
        guard bytes.count <= limits.byteCountMax else { throw .tooManyBytes(max: limits.byteCountMax) }
        let read = bytes.withUnsafeBytes { raw in
            Result { () throws(GIFFault) in
                var reader = Self(raw, limits)
                return try reader.walk()
            }
        }
        return try read.get()
    }

    private mutating func walk() throws(GIFFault) -> GIFFacts {
        place = 6
        let (width, height) = (try word(), try word())
        let packed = try byte()
        try skip(2)
        try skipColours(packed)
        guard width > 0, height > 0 else { throw .noArea }
        guard width <= limits.sideMax, height <= limits.sideMax else { throw .sideTooLong(max: limits.sideMax) }
        var frames = 0
        var loopsForever = false
        while true {
            let start = place
            switch try byte() {
            case 0x21: if try skipExtension() { loopsForever = true }
            case 0x2c:
                frames += 1
                guard frames <= limits.frameCountMax else { throw .tooManyFrames(max: limits.frameCountMax) }
                let (left, top) = (try word(), try word())
                let (across, down) = (try word(), try word())
                guard across > 0, down > 0, left + across <= width, top + down <= height else {
                    throw .frameOutside(number: frames)
                }
                try skipColours(try byte())
                // Codes begin with one bit more than a pixel has, and pixels have 2 to 8 (Appendix F).
                guard (2...8).contains(try byte()) else { throw .badBlock(at: start) }
                guard try skipSubBlocks() > 0 else { throw .badBlock(at: start) }
            case 0x3b:
                guard frames > 1 else { throw .still }
                return GIFFacts(
                    width: width,
                    height: height,
                    frameCount: frames,
                    loopsForever: loopsForever,
                    byteCount: place
                )
            default: throw .badBlock(at: start)
            }
        }
    }

    /// True for the extension that lets it begin again for ever.
    private mutating func skipExtension() throws(GIFFault) -> Bool {
        let start = place
        let label = try byte()
        guard label == 0xff, start + 17 <= bytes.count, bytes[start + 1] == 11,
            bytes[(start + 2)..<(start + 13)].elementsEqual("NETSCAPE2.0".utf8)
        else {
            _ = try skipSubBlocks()
            return false
        }
        let repeats = bytes[(start + 13)..<(start + 17)].elementsEqual([3, 1, 0, 0])
        _ = try skipSubBlocks()
        return repeats
    }

    /// The bytes within.
    private mutating func skipSubBlocks() throws(GIFFault) -> Int {
        var count = 0
        while true {
            let length = Int(try byte())
            if length == 0 { return count }
            try skip(length)
            count += length
        }
    }

    private mutating func skipColours(_ packed: UInt8) throws(GIFFault) {
        if packed & 0x80 != 0 { try skip(3 << (Int(packed & 7) + 1)) }
    }

    private mutating func byte() throws(GIFFault) -> UInt8 {
        guard place < bytes.count else { throw .truncated(at: bytes.count) }
        defer { place += 1 }
        return bytes[place]
    }

    private mutating func word() throws(GIFFault) -> Int {
        Int(try byte()) | Int(try byte()) << 8
    }

    private mutating func skip(_ count: Int) throws(GIFFault) {
        guard count <= bytes.count - place else { throw .truncated(at: bytes.count) }
        place += count
    }
}
