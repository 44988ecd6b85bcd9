extension String {
    /// The text without what nobody sees and what turns the order of the text around it: C0, DEL and C1 (U+0000–U+001F, U+007F–U+009F),
    /// and the formatting characters of UAX #9 that open or close a direction (U+202A–U+202E, U+2066–U+2069).
    package var plain: String {
        let mayHave = utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }
        guard mayHave else { return self }
        var kept = UnicodeScalarView()
        kept.append(contentsOf: unicodeScalars.filter { !$0.isControl && !$0.turnsDirection })
        return String(kept)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || 0x7F...0x9F ~= value }

    /// One of the embeddings, overrides and isolates of UAX #9, or the end of one.
    var turnsDirection: Bool { 0x202A...0x202E ~= value || 0x2066...0x2069 ~= value }
}
