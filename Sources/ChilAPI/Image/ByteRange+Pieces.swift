import ChilHTTP

extension ByteRange {
    /// How many of `length` bytes it is.
    func count(of length: Int) -> Int {
        switch self {
        case .whole: length
        case .part(let range): range.count
        case .unsatisfiable: 0
        }
    }

    /// The bytes of the range, cut out of the pieces of the whole.
    func cut(_ pieces: [[UInt8]]) -> [[UInt8]] {
        guard case .part(let range) = self else { return pieces }
        var cut: [[UInt8]] = []
        var start = 0
        for piece in pieces {
            let end = start + piece.count
            let overlap = range.clamped(to: start..<end)
            if !overlap.isEmpty {
                cut.append(Array(piece[(overlap.lowerBound - start)..<(overlap.upperBound - start)]))
            }
            start = end
        }
        return cut
    }
}
