import ChilMedia

/// A picture as an image XObject (ISO 32000-1 §8.9.5): the file's own compressed pixels wherever PDF can read them.
///
/// Colours are device colours: profiles and gamma of the file are not carried over.
struct PDFImage {
    let dictionaryEntries: String
    let stream: [UInt8]

    init(picture: [UInt8], facts: ImageFacts) throws(PDFFault) {
        switch facts.mediaType {
        case .jpeg: self.init(jpeg: picture, facts: facts)
        case .png, .pdf, .pwgRaster: try self.init(png: picture, facts: facts)
        }
    }

    /// A DCT stream is the file itself (§7.4.8). Adobe's programs write CMYK inverted, hence the decode array.
    private init(jpeg picture: [UInt8], facts: ImageFacts) {
        let space: String
        switch facts.colour {
        case .grey, .greyAlpha: space = "/DeviceGray"
        case .cmyk: space = "/DeviceCMYK"
        case .rgb, .rgba, .palette, .yCbCr: space = "/DeviceRGB"
        }
        let isInverted = facts.colour == .cmyk && facts.hasAdobeMarker
        // Without Adobe's marker three components are taken for YCbCr, which a file of plain RGB must be kept from.
        let isPlainRGB = facts.colour == .rgb && !facts.hasAdobeMarker
        dictionaryEntries =
            Self.entries(facts, space: space, bits: 8)
            + (isInverted ? " /Decode [1 0 1 0 1 0 1 0]" : "")
            + (isPlainRGB ? " /DecodeParms << /ColorTransform 0 >>" : "") + " /Filter /DCTDecode"
        stream = Array(picture.prefix(facts.pictureByteCount))
    }

    /// The concatenated `IDAT` chunks are a Flate stream with PNG predictors (§7.4.4.4), unless the picture is
    /// interlaced or transparent: then it is unpacked, laid on white and compressed anew.
    private init(png picture: [UInt8], facts: ImageFacts) throws(PDFFault) {
        let parts = PNGParts(of: picture)
        if facts.isInterlaced || facts.hasTransparency {
            let flat = try PNGFlattener.flattened(parts, facts: facts)
            dictionaryEntries =
                Self.entries(facts, space: flat.isGrey ? "/DeviceGray" : "/DeviceRGB", bits: 8)
                + " /Filter /FlateDecode"
            stream = flat.stream
            return
        }
        try PNGRows.check(parts.pixels, facts: facts)
        let (space, channels): (String, Int)
        switch facts.colour {
        case .palette:
            let last = parts.palette.count / 3 - 1
            let table = parts.palette.map { Self.hex($0) }.joined()
            (space, channels) = ("[/Indexed /DeviceRGB \(last) <\(table)>]", 1)
        case .grey, .greyAlpha: (space, channels) = ("/DeviceGray", 1)
        case .rgb, .rgba, .yCbCr, .cmyk: (space, channels) = ("/DeviceRGB", 3)
        }
        dictionaryEntries =
            Self.entries(facts, space: space, bits: facts.bitsPerSample)
            + " /Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors \(channels)"
            + " /BitsPerComponent \(facts.bitsPerSample) /Columns \(facts.width) >>"
        stream = parts.pixels
    }

    private static func entries(_ facts: ImageFacts, space: String, bits: Int) -> String {
        "/Type /XObject /Subtype /Image /Width \(facts.width) /Height \(facts.height)"
            + " /ColorSpace \(space) /BitsPerComponent \(bits)"
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = Array("0123456789abcdef")
        return "\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
}
