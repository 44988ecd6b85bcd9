/// A run of one script's letters, or of digits.
struct WishWord: Equatable, Sendable {
    enum Script: Equatable, Sendable { case hangul, latin, digits, other }

    let script: Script
    /// Lower case. Characters are compared by what they mean, so composed and decomposed Hangul are the same.
    let letters: [Character]

    var text: String { String(letters) }

    static func words(of wish: CleanWish) -> [WishWord] {
        var words: [WishWord] = []
        var letters: [Character] = []
        var script = Script.other
        func end() {
            if !letters.isEmpty { words.append(WishWord(script: script, letters: letters)) }
            letters = []
        }
        for character in wish.text.lowercased() {
            guard let next = Self.script(of: character) else {
                end()
                continue
            }
            if next != script { end() }
            script = next
            letters.append(character)
        }
        end()
        return words
    }

    private static func script(of character: Character) -> Script? {
        guard let scalar = character.unicodeScalars.first else { return nil }
        switch scalar.value {
        case 0x30...0x39: return .digits
        case 0xAC00...0xD7A3, 0x1100...0x11FF, 0x3131...0x318E: return .hangul
        case 0x61...0x7A, 0xDF...0x24F: return .latin
        default: return character.isLetter ? .other : nil
        }
    }
}
