/// What a frame header says (ITU-T T.81 §B.2.2).
struct JPEGFrame: Equatable, Sendable {
    let width: Int
    let height: Int
    let bitsPerSample: Int
    let isProgressive: Bool
    let componentIDs: [UInt8]

    /// `body` is the segment without its length.
    init(marker: UInt8, body: [UInt8], length: Int, limits: ImageLimits) throws(ImageFault) {
        switch marker {
        case 0xC0, 0xC1, 0xC2: isProgressive = marker == 0xC2
        case 0xC3: throw .unsupportedFeature(.losslessJPEG)
        case 0xC5, 0xC6, 0xC7: throw .unsupportedFeature(.hierarchicalJPEG)
        default: throw .unsupportedFeature(.arithmeticJPEG)
        }
        guard body.count >= 6 else { throw .damaged(.segmentLength) }
        bitsPerSample = Int(body[0])
        height = Int(body[1]) << 8 | Int(body[2])
        width = Int(body[3]) << 8 | Int(body[4])
        let componentCount = Int(body[5])
        guard bitsPerSample == 8 else { throw .unsupportedFeature(.twelveBitJPEG) }
        guard [1, 3, 4].contains(componentCount) else { throw .unsupportedFeature(.componentCount) }
        guard length == 6 + 3 * componentCount, body.count == length else { throw .damaged(.segmentLength) }
        if height == 0 { throw .unsupportedFeature(.heightAfterScan) }
        if let fault = limits.fault(width: width, height: height) { throw fault }
        componentIDs = (0..<componentCount).map { body[6 + 3 * $0] }
        guard Set(componentIDs).count == componentCount else { throw .damaged(.frameHeader) }
        for component in 0..<componentCount {
            let (sampling, table) = (body[7 + 3 * component], body[8 + 3 * component])
            guard (1...4).contains(sampling >> 4), (1...4).contains(sampling & 0x0F), table <= 3 else {
                throw .damaged(.frameHeader)
            }
        }
    }

    /// `transform` is Adobe's: 0 none, 1 YCbCr, 2 YCCK; `nil` without that marker (Adobe Technical Note 5116 §18).
    func colour(transform: UInt8?, hasJFIF: Bool) -> ImageFacts.Colour {
        switch componentIDs.count {
        case 1: return .grey
        case 4: return .cmyk
        default:
            if let transform { return transform == 0 ? .rgb : .yCbCr }
            return !hasJFIF && componentIDs.elementsEqual("RGB".utf8) ? .rgb : .yCbCr
        }
    }
}
