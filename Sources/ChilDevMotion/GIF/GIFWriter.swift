import ChilCore

/// Writes an animated GIF of 256 colours that begins again for ever.
struct GIFWriter {
    let width: Int
    let height: Int
    private var bytes: [UInt8]

    /// - Parameter palette: 256 colours of three bytes.
    init(width: Int, height: Int, palette: [UInt8]) {
        self.width = width
        self.height = height
        bytes = Array("GIF89a".utf8)
        bytes += Self.word(width) + Self.word(height) + [0xf7, 0, 0]
        bytes += palette
        bytes += [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
    }

    /// - Parameters:
    ///   - pixels: of the whole screen.
    ///   - hundredths: of a second that it is shown.
    mutating func add(_ pixels: [UInt8], hundredths: Int) {
        bytes += [0x21, 0xf9, 4, 0] + Self.word(hundredths) + [0, 0]
        bytes += [0x2c, 0, 0, 0, 0] + Self.word(width) + Self.word(height) + [0]
        bytes += LZWEncoder.packed(pixels)
    }

    consuming func finish() -> [UInt8] {
        bytes.append(0x3b)
        return bytes
    }

    private static func word(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }
}
