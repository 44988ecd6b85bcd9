import ChilCore

/// A wish as other services may read it: without what some of them would execute.
///
/// What is taken out, and who reads it so: `|` splits a prompt into a wanted and an unwanted half (LocalAI); `<sd_cpp_extra_args>{…}</…>` sets any
/// parameter (stable-diffusion.cpp); `<lora:…>`, `<hypernet:…>` load models, `[…]`, `{…}`, `__…__` and `\` steer (AUTOMATIC1111 and its
/// extensions). Controls and what turns the direction of writing say nothing to anybody.
package struct CleanWish: Equatable, Sendable {
    /// What a wish may have, in bytes of UTF-8; what comes behind so many characters is not read.
    package static let bytesMax = 1_000

    package let text: String

    /// `nil`: nothing is left of it that could be drawn.
    package init?(_ wish: String) {
        var kept = String.UnicodeScalarView()
        for scalar in Self.withoutTags(wish.unicodeScalars.prefix(Self.bytesMax)) {
            if Self.separates(scalar) {
                if kept.last != " ", !kept.isEmpty { kept.append(" ") }
            } else if !Self.isDropped(scalar) {
                kept.append(scalar)
            }
        }
        var text = String(kept)
        while text.contains("__") { text = text.replacing("__", with: "_") }
        while text.last == " " { text.removeLast() }
        guard text.unicodeScalars.contains(where: Self.canBeDrawn) else { return nil }
        self.text = text
    }

    /// Everything from a `<` to its `>`, and all between a tag's two ends where it has two. A `<` without an end is dropped alone.
    private static func withoutTags(_ scalars: Substring.UnicodeScalarView) -> [Unicode.Scalar] {
        var rest = Array(scalars)[...]
        var kept: [Unicode.Scalar] = []
        kept.reserveCapacity(rest.count)
        while let scalar = rest.popFirst() {
            guard scalar == "<", let end = rest.firstIndex(of: ">") else {
                kept.append(scalar)
                continue
            }
            let name = rest[..<end].prefix { $0 != ":" && $0 != " " && $0 != "/" }
            rest = rest[(end + 1)...]
            if !name.isEmpty, let close = Self.place(of: Array("</".unicodeScalars) + name + [">"], in: rest) {
                rest = rest[(close + name.count + 3)...]
            }
            kept.append(" ")
        }
        return kept
    }

    private static func place(of wanted: [Unicode.Scalar], in scalars: ArraySlice<Unicode.Scalar>) -> Int? {
        guard scalars.count >= wanted.count else { return nil }
        return (scalars.startIndex...(scalars.endIndex - wanted.count)).first {
            scalars[$0..<($0 + wanted.count)].elementsEqual(wanted)
        }
    }

    private static func separates(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "|", "<", ">", "[", "]", "{", "}", "\\", "`", "｜", "＜", "＞": true
        default: scalar.properties.isWhitespace || 0x09...0x0D ~= scalar.value
        }
    }

    private static func canBeDrawn(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        // Of ASCII, marks such as # count as emoji.
        return properties.isAlphabetic || properties.numericType != nil || !scalar.isASCII && properties.isEmoji
    }

    /// Controls, what nobody sees, what turns the direction, and what is no character.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        // Emoji are joined by U+200D and have their variants; there it is no hiding place.
        case .format: scalar.value != 0x200D
        default: false
        }
    }
}
