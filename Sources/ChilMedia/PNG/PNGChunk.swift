/// The name of a chunk, as the number that its four bytes make (PNG third edition, §5.3, §5.4).
struct PNGChunk: Hashable, Sendable {
    let number: UInt32

    /// Of the name's bytes, of which there must be four.
    init(_ name: ArraySlice<UInt8>) {
        number = name.reduce(0) { $0 << 8 | UInt32($1) }
    }

    init(number: UInt32) {
        self.number = number
    }

    private init(_ text: StaticString) {
        number = (0..<4).reduce(0) { $0 << 8 | UInt32(text.utf8Start[$1]) }
    }

    /// The third letter is a small one, which nothing means yet.
    var isReserved: Bool { number & 0x2000 != 0 }
    /// The first letter is a small one: a decoder may leave it out.
    var isAncillary: Bool { number & 0x2000_0000 != 0 }

    static let none = Self(number: 0)
    static let header = Self("IHDR")
    static let palette = Self("PLTE")
    static let pixels = Self("IDAT")
    static let end = Self("IEND")
    static let transparency = Self("tRNS")
    static let gamma = Self("gAMA")
    static let chromaticities = Self("cHRM")
    static let standardColours = Self("sRGB")
    static let significantBits = Self("sBIT")
    static let pixelSize = Self("pHYs")
    static let profile = Self("iCCP")
}
