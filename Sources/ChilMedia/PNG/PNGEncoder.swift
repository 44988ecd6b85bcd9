/// Writes a greyscale PNG of eight bits a sample (PNG §11.2.1, colour type 0), row filter "up" (§9.2), one `IDAT` chunk.
package enum PNGEncoder {
    /// Why no file could be made.
    package enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        case wrongSampleCount(expected: Int)
        case noMemory

        package var description: String {
            switch self {
            case .wrongSampleCount(let expected): "give \(expected) samples: one for each column of each row"
            case .noMemory: "zlib got no memory: give the process more, or draw fewer pages at once"
            }
        }
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let upFilter: UInt8 = 2

    /// `samples`: rows from the top, 0 black, 255 white.
    package static func greyscale(_ samples: [UInt8], width: Int, height: Int) throws(Fault) -> [UInt8] {
        guard width > 0, height > 0, samples.count == width * height else {
            throw .wrongSampleCount(expected: max(0, width) * max(0, height))
        }
        guard var deflater = Deflater() else { throw .noMemory }
        var line = [UInt8](repeating: upFilter, count: width + 1)
        for row in 0..<height {
            let start = row * width
            for column in 0..<width {
                let above = row > 0 ? samples[start - width + column] : 0
                line[column + 1] = samples[start + column] &- above
            }
            deflater.add(line)
        }
        var file = signature
        add("IHDR", bytes(of: width) + bytes(of: height) + [8, 0, 0, 0, 0], to: &file)
        add("IDAT", deflater.finish(), to: &file)
        add("IEND", [], to: &file)
        return file
    }

    private static func add(_ kind: String, _ body: [UInt8], to file: inout [UInt8]) {
        let named = Array(kind.utf8) + body
        var checksum = CRC32()
        named.withUnsafeBytes { checksum.add($0) }
        file += bytes(of: body.count) + named + bytes(of: Int(checksum.value))
    }

    private static func bytes(of number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
