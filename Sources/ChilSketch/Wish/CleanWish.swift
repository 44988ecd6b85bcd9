/// A wish as far as it can be shown and read: plain letters, no controls, a bounded length.
struct CleanWish: Equatable, Sendable {
    /// Of what was sent, in Unicode scalars: what comes after is not looked at.
    static let scalarCountMax = 400

    let text: String

    init(_ wish: String) {
        var kept = String.UnicodeScalarView()
        var isSpaceDue = false
        for scalar in wish.unicodeScalars.prefix(Self.scalarCountMax) {
            switch scalar.properties.generalCategory {
            case .spaceSeparator, .lineSeparator, .paragraphSeparator: isSpaceDue = true
            // Tab and line feed part words; the other controls only vanish.
            case .control: isSpaceDue = isSpaceDue || (9...13).contains(scalar.value)
            // Bidirectional controls are of this kind (Unicode TR9 §2), and joiners.
            case .format, .surrogate, .privateUse, .unassigned: break
            // Marks above letters: the letter stays.
            case .nonspacingMark, .enclosingMark, .spacingMark: break
            default:
                if isSpaceDue, !kept.isEmpty { kept.append(" ") }
                isSpaceDue = false
                kept.append(scalar)
            }
        }
        text = String(kept)
    }
}
