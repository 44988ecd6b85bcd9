package import ChilMedia

/// How much of a PNG is ink, on white paper.
package enum PictureInk {
    /// Darker than this, of 255, is ink: the edges of smooth lines are no more than half.
    private static let inkMax = 127

    /// Ten thousandths of the pixels. Memory: a row, or an interlaced picture as a whole.
    package static func share(of picture: [UInt8], facts: ImageFacts) throws(PDFFault) -> Int {
        var ink = 0
        let isGrey = facts.colour == .grey || facts.colour == .greyAlpha
        try PNGFlattener.flatten(PNGParts(of: picture), facts: facts) { rows in
            if isGrey {
                for sample in rows where sample <= inkMax { ink += 1 }
                return
            }
            for at in stride(from: 0, to: rows.count - 2, by: 3) {
                // ITU-R BT.601 luma, in 256ths.
                let luma = 77 * Int(rows[at]) + 150 * Int(rows[at + 1]) + 29 * Int(rows[at + 2])
                if luma >> 8 <= inkMax { ink += 1 }
            }
        }
        return ink * 10_000 / max(1, facts.width * facts.height)
    }
}
