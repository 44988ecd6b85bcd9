/// Takes out of a picture what is not the picture: where, when and with what it was made, texts, previews, further pictures.
///
/// Why: a phone writes the place into each photo, and a child's photo goes on to whoever sees the drawing (OWASP ASVS 5.0 V14.2.8).
/// What stays is listed, not what goes: a segment or chunk that nobody has thought of goes too. Pixels are not touched.
package enum ImageCleaner {
    /// One pass over the bytes, from part to part; the result is never longer than the picture, but for an orientation of 36 bytes
    /// or a profile's name of 2.
    ///
    /// - Parameter facts: what `ImageProbe` has found in the same bytes.
    /// - Returns: the picture that is left; the same bytes if there is nothing to take out.
    /// - Throws: for bytes that are no such picture.
    package static func cleaned(_ bytes: [UInt8], _ facts: ImageFacts) throws(ImageFault) -> [UInt8] {
        let kept = bytes.withUnsafeBytes { raw in
            Result { () throws(ImageFault) in
                switch facts.mediaType {
                case .jpeg: try JPEGCleaner.kept(of: raw, orientation: facts.orientation)
                case .png: try PNGCleaner.kept(of: raw)
                case .pdf, .pwgRaster: throw .unsupportedFormat(.pdf)
                }
            }
        }
        return try kept.get() ?? bytes
    }
}
