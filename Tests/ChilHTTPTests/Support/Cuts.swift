/// Ways a network may cut the same bytes: all must give the same transcript.
enum Cuts {
    /// Whole; at each of the first 2,048 borders (each 61st of what is longer than 14 KiB); after each CRLF and inside it; and
    /// byte by byte.
    static func all(of bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
        var cuts: [[ArraySlice<UInt8>]] = [[bytes[...]], bytes.indices.map { bytes[$0...$0] }]
        guard bytes.count > 1 else { return cuts }
        let step = bytes.count > 14_336 ? 61 : 1
        var borders = Set(stride(from: 1, to: min(bytes.count, 2_048), by: step))
        for index in bytes.indices.dropLast() where bytes[index] == 13 && bytes[index + 1] == 10 {
            borders.insert(index + 1)
            if index + 2 < bytes.count { borders.insert(index + 2) }
        }
        cuts += borders.sorted().map { [bytes[..<$0], bytes[$0...]] }
        return cuts
    }

    /// The transcript of `bytes` and the description of the first cut that changes it, if one does.
    static func transcript(of bytes: [UInt8], bodyBytesMax: Int = 1 << 20) -> (Transcript, fault: String?) {
        let whole = Transcript.reading([bytes[...]], bodyBytesMax: bodyBytesMax)
        for cut in all(of: bytes) {
            let other = Transcript.reading(cut, bodyBytesMax: bodyBytesMax)
            if other != whole {
                return (whole, "cut \(cut.map(\.count).prefix(4)): \(other) instead of \(whole)")
            }
        }
        return (whole, nil)
    }
}
