/// Why bytes are not a picture that the service takes.
package enum ImageFault: Error, Hashable, Sendable {
    case empty
    /// A known format that is not taken, by its name.
    case unsupportedFormat(ForeignFormat)
    /// None of the formats that the service knows.
    case unrecognised
    /// PNG or JPEG, but of a kind that few programs read.
    case unsupportedFeature(Feature)
    /// The bytes end before the picture does.
    case truncated
    case damaged(Damage)
    case tooManyBytes(max: Int)
    case sideTooLong(max: Int)
    case tooManyPixels(max: Int)

    package enum ForeignFormat: String, Hashable, Sendable {
        case heic = "HEIC"
        case avif = "AVIF"
        case gif = "GIF"
        case webP = "WebP"
        case svg = "SVG"
        case tiff = "TIFF"
        case bmp = "BMP"
        case icon = "ICO"
        case photoshop = "PSD"
        case jpeg2000 = "JPEG 2000"
        case jpegXL = "JPEG XL"
        case pdf = "PDF"
        case markup = "XML or HTML"
    }

    package enum Feature: String, Hashable, Sendable {
        case losslessJPEG = "lossless JPEG"
        case arithmeticJPEG = "arithmetic-coded JPEG"
        case hierarchicalJPEG = "hierarchical JPEG"
        case twelveBitJPEG = "JPEG with other than 8 bits a sample"
        case componentCount = "JPEG with a component count other than 1, 3 or 4"
        case heightAfterScan = "JPEG whose height comes after its rows (DNL)"
    }

    package enum Damage: String, Hashable, Sendable {
        case noArea = "a side is zero"
        case chunkType = "a chunk has an impossible name"
        case chunkLength = "a chunk has an impossible length"
        case chunkOrder = "chunks are in the wrong order"
        case chunkRepeated = "a chunk is there twice"
        case checksum = "a checksum does not match"
        case unknownCriticalChunk = "a critical chunk is unknown"
        case header = "the header contradicts itself"
        case palette = "the palette is missing or wrong"
        case noPixels = "there are no pixels"
        case compression = "the pixels are not compressed as they should be"
        case bytesAfterEnd = "bytes follow the end of the picture"
        case marker = "a marker is missing or wrong"
        case segmentLength = "a segment has an impossible length"
        case segmentOrder = "segments are in the wrong order"
        case frameHeader = "the frame header contradicts itself"
        case tables = "a quantisation or Huffman table is missing"
    }

    /// Stable, for the problem document.
    package var code: String {
        switch self {
        case .empty: "image-empty"
        case .unsupportedFormat, .unrecognised, .unsupportedFeature: "image-format-unsupported"
        case .truncated: "image-truncated"
        case .damaged: "image-damaged"
        case .tooManyBytes: "image-too-large"
        case .sideTooLong, .tooManyPixels: "image-dimensions"
        }
    }

    /// One sentence for the person who sent it, with what to do.
    package var sentence: String {
        switch self {
        case .empty: "There are no image bytes; send a PNG or JPEG."
        case .unsupportedFormat(let format): "This is \(format.rawValue); send it as PNG or JPEG."
        case .unrecognised: "This is not an image that is known here; send a PNG or JPEG."
        case .unsupportedFeature(let feature):
            "This is \(feature.rawValue); save it as ordinary PNG or JPEG and send it again."
        case .truncated: "The image ends too early; send the whole file again."
        case .damaged(let damage):
            "The image is damaged (\(damage.rawValue)); save it anew as PNG or JPEG and send that."
        case .tooManyBytes(let max): "The image has too many bytes; send at most \(max)."
        case .sideTooLong(let max): "A side of the image is too long; scale it to at most \(max) pixels."
        case .tooManyPixels(let max): "The image has too many pixels; scale it to at most \(max)."
        }
    }
}
