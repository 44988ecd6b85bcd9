import Glibc

/// Walks the markers of a JPEG (ITU-T T.81 Annex B) and checks their order and lengths. Pixels are not decoded.
///
/// Bytes after the end are taken only if the file announces further pictures (CIPA DC-007, as phones do for a depth or
/// light map): anything else behind a picture is how a file is made to be two things at once.
struct JPEGScanner: Sendable {
    private enum Stage {
        case markerLead
        case markerCode
        case length
        case body(remaining: Int)
        case pixels
        case pixelsLead
        case ended
    }

    /// Directory 0 stands at the start of the EXIF segment, and a dozen entries fit into this.
    private static let exifByteCountMax = 4_096

    private let limits: ImageLimits
    private var stage = Stage.markerLead
    private var marker: UInt8 = 0
    private var piece: [UInt8] = []
    private var pieceWanted = 0
    private var bodyLength = 0
    private var frame: JPEGFrame?
    private var orientation: ImageOrientation?
    private var adobeTransform: UInt8?
    private var hasJFIF = false
    private var hasFurtherPictures = false
    private var hasStart = false
    private var hasQuantisation = false
    private var hasHuffman = false
    private var hasPixels = false
    private var byteCount = 0
    private var pictureByteCount = 0

    init(limits: ImageLimits) {
        self.limits = limits
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
        guard case .ended = stage, let frame else { throw .truncated }
        return ImageFacts(
            mediaType: .jpeg,
            width: frame.width,
            height: frame.height,
            bitsPerSample: frame.bitsPerSample,
            colour: frame.colour(transform: adobeTransform, hasJFIF: hasJFIF),
            isInterlaced: frame.isProgressive,
            hasTransparency: false,
            orientation: orientation ?? .upright,
            hasAdobeMarker: adobeTransform != nil,
            pictureByteCount: pictureByteCount
        )
    }

    private mutating func scan(_ bytes: UnsafeRawBufferPointer) throws(ImageFault) {
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            switch stage {
            case .markerLead:
                guard byte == 0xFF else { throw .damaged(.marker) }
                at += 1
                stage = .markerCode
            case .markerCode:
                at += 1
                if byte != 0xFF { try open(byte, endingAt: at) }
            case .length:
                piece.append(byte)
                at += 1
                if piece.count == 2 { try openBody() }
            case .body(let remaining):
                let count = min(bytes.count - at, remaining)
                piece.append(contentsOf: bytes[at..<at + min(count, pieceWanted - piece.count)])
                at += count
                stage = .body(remaining: remaining - count)
                if remaining == count { try closeBody() }
            case .pixels:
                let rest = UnsafeRawBufferPointer(rebasing: bytes[at...])
                let found = memchr(rest.baseAddress!, 0xFF, rest.count).map { rest.baseAddress!.distance(to: $0) }
                if found != 0 { hasPixels = true }
                at += found.map { $0 + 1 } ?? rest.count
                if found != nil { stage = .pixelsLead }
            case .pixelsLead:
                at += 1
                switch byte {
                case 0x00:
                    hasPixels = true
                    stage = .pixels
                case 0xD0...0xD7: stage = .pixels
                case 0xFF: break
                default:
                    guard hasPixels else { throw .damaged(.noPixels) }
                    try open(byte, endingAt: at)
                }
            case .ended:
                guard hasFurtherPictures else { throw .damaged(.bytesAfterEnd) }
                at = bytes.count
            }
        }
        byteCount += bytes.count
    }

    /// A marker's code has come; `end` is the offset behind it in the bytes at hand.
    private mutating func open(_ code: UInt8, endingAt end: Int) throws(ImageFault) {
        marker = code
        piece.removeAll(keepingCapacity: true)
        guard hasStart else {
            guard code == 0xD8 else { throw .damaged(.marker) }
            hasStart = true
            stage = .markerLead
            return
        }
        switch code {
        case 0xD9:
            guard hasPixels else { throw .damaged(.noPixels) }
            pictureByteCount = byteCount + end
            stage = .ended
        case 0xC0...0xFE where !(0xD0...0xD8).contains(code): stage = .length
        default: throw .damaged(.marker)
        }
    }

    private mutating func openBody() throws(ImageFault) {
        let length = Int(piece[0]) << 8 | Int(piece[1])
        piece.removeAll(keepingCapacity: true)
        guard length >= 2 else { throw .damaged(.segmentLength) }
        bodyLength = length - 2
        switch marker {
        case 0xC4, 0xC8, 0xCC: pieceWanted = 0
        case 0xC0...0xCF: pieceWanted = 18
        case 0xDA: pieceWanted = 9
        case 0xE1: pieceWanted = orientation == nil ? Self.exifByteCountMax : 0
        case 0xE0, 0xE2: pieceWanted = 4
        case 0xEE: pieceWanted = 12
        default: pieceWanted = 0
        }
        stage = .body(remaining: bodyLength)
        if bodyLength == 0 { try closeBody() }
    }

    private mutating func closeBody() throws(ImageFault) {
        stage = .markerLead
        switch marker {
        case 0xC4: hasHuffman = true
        case 0xC8: throw .unsupportedFeature(.losslessJPEG)
        case 0xCC: throw .unsupportedFeature(.arithmeticJPEG)
        case 0xC0...0xCF:
            guard frame == nil else { throw .damaged(.segmentOrder) }
            frame = try JPEGFrame(marker: marker, body: piece, length: bodyLength, limits: limits)
        case 0xDB: hasQuantisation = true
        case 0xDC: throw .unsupportedFeature(.heightAfterScan)
        case 0xDE, 0xDF: throw .unsupportedFeature(.hierarchicalJPEG)
        case 0xDA: try openScan()
        case 0xE0: hasJFIF = hasJFIF || piece.elementsEqual("JFIF".utf8)
        case 0xE1:
            if piece.starts(with: Array("Exif\0\0".utf8)) { orientation = ImageOrientation(exif: piece) }
        case 0xE2: hasFurtherPictures = hasFurtherPictures || piece.elementsEqual("MPF\0".utf8)
        case 0xEE:
            if piece.count == 12, piece.starts(with: Array("Adobe".utf8)) { adobeTransform = piece[11] }
        default: break
        }
    }

    private mutating func openScan() throws(ImageFault) {
        guard let frame else { throw .damaged(.segmentOrder) }
        guard hasQuantisation, hasHuffman else { throw .damaged(.tables) }
        guard let count = piece.first.map({ Int($0) }), (1...frame.componentIDs.count).contains(count),
            bodyLength == 4 + 2 * count
        else { throw .damaged(.segmentLength) }
        for component in 0..<count where !frame.componentIDs.contains(piece[1 + 2 * component]) {
            throw .damaged(.frameHeader)
        }
        stage = .pixels
    }
}
