/// The thirteen bytes of `IHDR` (PNG §11.2.1).
struct PNGHeader: Equatable, Sendable {
    static let byteCount = 13

    let width: Int
    let height: Int
    let bitsPerSample: Int
    let colour: ImageFacts.Colour
    let isInterlaced: Bool

    init(_ bytes: [UInt8], limits: ImageLimits) throws(ImageFault) {
        guard bytes.count == Self.byteCount else { throw .damaged(.chunkLength) }
        func number(at start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        width = number(at: 0)
        height = number(at: 4)
        bitsPerSample = Int(bytes[8])
        let depths: Set<Int>
        switch bytes[9] {
        case 0: (colour, depths) = (.grey, [1, 2, 4, 8, 16])
        case 2: (colour, depths) = (.rgb, [8, 16])
        case 3: (colour, depths) = (.palette, [1, 2, 4, 8])
        case 4: (colour, depths) = (.greyAlpha, [8, 16])
        case 6: (colour, depths) = (.rgba, [8, 16])
        default: throw .damaged(.header)
        }
        guard depths.contains(bitsPerSample), bytes[10] == 0, bytes[11] == 0, bytes[12] <= 1 else {
            throw .damaged(.header)
        }
        isInterlaced = bytes[12] == 1
        if let fault = limits.fault(width: width, height: height) { throw fault }
    }
}
