/// Why a stored picture could not be made into a page. All are final: the same bytes fail again.
package enum PDFFault: Error, Hashable, Sendable {
    /// The pixels do not inflate to what the header promises.
    case damagedPixels
    /// An interlaced picture must be held as a whole, and this one is too large for that.
    case interlacedTooLarge(pixelCountMax: Int)
    case copyCount(max: Int)

    package var sentence: String {
        switch self {
        case .damagedPixels: "The picture's pixels are damaged; upload it again."
        case .interlacedTooLarge(let max):
            "An interlaced picture of this size can't be printed; save it without interlacing, or with at most \(max) pixels."
        case .copyCount(let max): "Ask for 1 to \(max) copies."
        }
    }
}
