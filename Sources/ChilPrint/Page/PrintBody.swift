/// What a printer is sent.
package enum PrintBody {
    /// At hand.
    case whole([UInt8])
    /// Made while it is sent, and the same bytes each time it is begun anew.
    case pieces(() -> any PrintPieces)

    /// `nil`: they are made while they are sent.
    package var bytesAtHand: [UInt8]? {
        if case .whole(let bytes) = self { return bytes }
        return nil
    }

    /// By making them all, where they are not at hand: nothing is kept of them.
    func byteCount() async throws(PrintPagesFault) -> Int {
        switch self {
        case .whole(let bytes): return bytes.count
        case .pieces(let begin):
            var (count, pieces) = (0, begin())
            while let piece = try await pieces.next() { count += piece.count }
            return count
        }
    }

    /// Pieces of what is at hand: so large that their frames cost nothing.
    private static let pieceBytes = 256 << 10

    func begun() -> any PrintPieces {
        switch self {
        case .whole(let bytes): PiecesAtHand(rest: bytes[...], pieceBytes: Self.pieceBytes)
        case .pieces(let begin): begin()
        }
    }

    private struct PiecesAtHand: PrintPieces {
        var rest: ArraySlice<UInt8>
        let pieceBytes: Int

        mutating func next() -> [UInt8]? {
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(pieceBytes) }
            return Array(rest.prefix(pieceBytes))
        }
    }
}

/// A document that is made piece by piece. Not `Sendable`.
package protocol PrintPieces {
    /// `nil`: that was all.
    mutating func next() async throws(PrintPagesFault) -> [UInt8]?
}
