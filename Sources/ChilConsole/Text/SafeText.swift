/// Text from data made safe for one cell of a terminal: it can neither move the cursor, nor colour, nor reorder what follows.
///
/// A tenant's or printer's name is somebody's input; an escape sequence in it would be obeyed by the operator's terminal.
package enum SafeText {
    /// C0 controls become their pictures (U+2400…), so a line feed can be seen; other unsafe characters become U+FFFD.
    package static func clean(_ text: String) -> String {
        guard !PlainASCII.isAll(text), text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            clean.append(isUnsafe(scalar) ? picture(of: scalar) : scalar)
        }
        return String(clean)
    }

    /// Several lines of our own that quote data: line feeds stay.
    package static func cleanLines(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { clean(String($0)) }
            .joined(separator: "\n")
    }

    /// Controls (C0, DEL, C1), line and paragraph separators, and formatting characters that reorder or hide text: bidirectional
    /// marks, tags, invisible operators. The joiners stay: emoji and scripts need them.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: return false
        case 0...0x1F, 0x7F...0x9F: return true
        case 0x200C, 0x200D: return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: return true
        default: return false
        }
    }

    private static func picture(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0...0x1F: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
        case 0x7F: "\u{2421}"
        default: "\u{FFFD}"
        }
    }
}
