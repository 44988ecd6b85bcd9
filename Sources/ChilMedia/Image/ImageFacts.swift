/// What a valid picture says of itself. Dimensions are those of the stored rows, before `orientation` is applied.
package struct ImageFacts: Hashable, Sendable {
    package enum Colour: String, Hashable, Sendable {
        case grey, greyAlpha, rgb, rgba, palette
        /// JPEG with three components that are luma and chroma, the usual case.
        case yCbCr
        case cmyk
    }

    package let mediaType: MediaType
    package let width: Int
    package let height: Int
    package let bitsPerSample: Int
    package let colour: Colour
    /// PNG: Adam7. JPEG: progressive.
    package let isInterlaced: Bool
    /// Alpha samples, or a `tRNS` chunk.
    package let hasTransparency: Bool
    package let orientation: ImageOrientation
    /// JPEG: an Adobe APP14 segment is there, and CMYK samples are then stored inverted.
    package let hasAdobeMarker: Bool
    /// Bytes up to the end of the picture; less than the file's only if further pictures follow (CIPA DC-007).
    package let pictureByteCount: Int

    /// The picture as a viewer shows it.
    package var displayWidth: Int { orientation.swapsSides ? height : width }
    package var displayHeight: Int { orientation.swapsSides ? width : height }
}

/// Where row 0 and column 0 of the stored picture are shown (EXIF 2.32 §4.6.4, tag 0x0112). Raw values are EXIF's.
package enum ImageOrientation: UInt8, Hashable, Sendable, CaseIterable {
    case upright = 1
    case mirrored
    case turnedHalf
    case flipped
    case transposed
    /// To be shown turned a quarter clockwise.
    case turnedRight
    case transversed
    /// To be shown turned a quarter anticlockwise.
    case turnedLeft

    package var swapsSides: Bool { rawValue >= 5 }
}
