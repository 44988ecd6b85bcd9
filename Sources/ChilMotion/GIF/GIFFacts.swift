/// What a GIF says of itself.
package struct GIFFacts: Equatable, Sendable {
    /// Of the logical screen, in pixels.
    package let width: Int
    package let height: Int
    package let frameCount: Int
    /// Whether it begins again at its end, for ever (the extension NETSCAPE2.0 with 0).
    package let loopsForever: Bool
    /// Up to and with its trailer: what follows is not the picture.
    package let byteCount: Int
}

/// What a GIF may have.
package struct GIFLimits: Sendable {
    package static let standard = GIFLimits()

    /// As any image of the service.
    package var byteCountMax = 20 << 20
    /// Players hold two screens.
    package var sideMax = 2_000
    /// The service's longest motion has 839.
    package var frameCountMax = 2_000

    package init() {}
}

/// Why bytes are no GIF that moves.
package enum GIFFault: Error, Equatable, Sendable, CustomStringConvertible {
    case noGIF
    case truncated(at: Int)
    /// A byte that begins no block (GIF89a Appendix A), or a block of impossible length.
    case badBlock(at: Int)
    case noArea
    case frameOutside(number: Int)
    case still
    case tooManyBytes(max: Int)
    case sideTooLong(max: Int)
    case tooManyFrames(max: Int)

    package var description: String {
        switch self {
        case .noGIF: "no GIF"
        case .truncated(let place): "a GIF that ends at byte \(place), before its trailer"
        case .badBlock(let place): "a GIF with a damaged block at byte \(place)"
        case .noArea: "a GIF without area"
        case .frameOutside(let number): "a GIF whose frame \(number) is outside its screen"
        case .still: "a GIF of one frame: it does not move"
        case .tooManyBytes(let max): "a GIF of more than \(max) bytes"
        case .sideTooLong(let max): "a GIF with a side of more than \(max) pixels"
        case .tooManyFrames(let max): "a GIF of more than \(max) frames"
        }
    }
}

/// A GIF that moves.
package struct MotionGIF: Equatable, Sendable {
    package let bytes: [UInt8]
    package let facts: GIFFacts
}
