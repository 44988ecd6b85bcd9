/// Writes PNG files of any kind, sound or broken, without a library: the pixels are stored, not compressed.
package struct PNGMaker: Sendable {
    package var width: Int
    package var height: Int
    package var bitsPerSample = 8
    /// PNG §11.2.1: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha.
    package var colourType = 2
    package var isInterlaced = false
    package var palette: [UInt8]?
    package var transparency: [UInt8]?
    package var idatByteCountMax = 1_000
    /// The samples of the pixel at (column, row).
    package var samples: @Sendable (Int, Int) -> [Int]

    package init(width: Int, height: Int, samples: @escaping @Sendable (Int, Int) -> [Int]) {
        self.width = width
        self.height = height
        self.samples = samples
    }

    package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    package func file() -> [UInt8] {
        Self.signature + chunks().flatMap { Self.chunk($0.0, $0.1) }
    }

    package func chunks() -> [(String, [UInt8])] {
        var chunks = [("IHDR", header())]
        if let palette { chunks.append(("PLTE", palette)) }
        if let transparency { chunks.append(("tRNS", transparency)) }
        var stream = Self.stored(rows())[...]
        while !stream.isEmpty {
            chunks.append(("IDAT", Array(stream.prefix(idatByteCountMax))))
            stream = stream.dropFirst(idatByteCountMax)
        }
        return chunks + [("IEND", [])]
    }

    package func header() -> [UInt8] {
        Self.bytes(of: width) + Self.bytes(of: height)
            + [UInt8(bitsPerSample), UInt8(colourType), 0, 0, isInterlaced ? 1 : 0]
    }

    /// Filtered rows (all five filters in turn where rows are whole bytes), of seven passes if interlaced.
    private func rows() -> [UInt8] {
        let passes =
            isInterlaced
            ? [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
            : [(0, 0, 1, 1)]
        var bytes: [UInt8] = []
        for (left, top, across, down) in passes where left < width && top < height {
            var before: [UInt8]?
            for (number, row) in stride(from: top, to: height, by: down).enumerated() {
                let packed = pack(stride(from: left, to: width, by: across).flatMap { samples($0, row) })
                bytes.append(UInt8(number % 5))
                bytes += filtered(packed, above: before ?? [UInt8](repeating: 0, count: packed.count), by: number % 5)
                before = packed
            }
        }
        return bytes
    }

    private func filtered(_ row: [UInt8], above: [UInt8], by filter: Int) -> [UInt8] {
        let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colourType] ?? 1
        let pixel = max(1, channels * bitsPerSample / 8)
        return row.indices.map { index in
            let left = index >= pixel ? Int(row[index - pixel]) : 0
            let up = Int(above[index])
            let corner = index >= pixel ? Int(above[index - pixel]) : 0
            let guess: Int
            switch filter {
            case 1: guess = left
            case 2: guess = up
            case 3: guess = (left + up) / 2
            case 4:
                let (a, b, c) = (abs(up - corner), abs(left - corner), abs(left + up - 2 * corner))
                guess = a <= b && a <= c ? left : b <= c ? up : corner
            default: guess = 0
            }
            return UInt8(truncatingIfNeeded: Int(row[index]) - guess)
        }
    }

    private func pack(_ samples: [Int]) -> [UInt8] {
        switch bitsPerSample {
        case 16: return samples.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        case 8: return samples.map { UInt8(truncatingIfNeeded: $0) }
        default:
            let perByte = 8 / bitsPerSample
            return stride(from: 0, to: samples.count, by: perByte).map { start in
                (0..<perByte).reduce(UInt8(0)) { byte, index in
                    let sample = start + index < samples.count ? UInt8(samples[start + index]) : 0
                    return byte | sample << (8 - bitsPerSample * (index + 1))
                }
            }
        }
    }

    package static func chunk(_ kind: String, _ body: [UInt8], checksum: UInt32? = nil) -> [UInt8] {
        let named = Array(kind.utf8) + body
        return bytes(of: body.count) + named + bytes(of: Int(checksum ?? crc(named)))
    }

    package static func bytes(of number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// A zlib stream of stored blocks (RFC 1950, RFC 1951 §3.2.4).
    package static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
        } while !rest.isEmpty
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return stream + Self.bytes(of: b << 16 | a)
    }

    /// Bit by bit, so that it is not the code under test.
    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var register: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 { register = register & 1 == 1 ? 0xEDB8_8320 ^ (register >> 1) : register >> 1 }
        }
        return ~register
    }
}
