/// A line that is typed, by characters as people count them: a syllable of Hangul is one, whatever it is made of.
struct LineEditor: Equatable, Sendable {
    private(set) var text: String
    /// Characters before the cursor.
    private(set) var place: Int

    private static let countMax = 200

    init(_ text: String = "") {
        self.text = text
        place = text.count
    }

    var before: String { String(text.prefix(place)) }

    /// Whether the key was one of editing.
    mutating func received(_ key: Key) -> Bool {
        switch key {
        case .text(let character): insert(String(character))
        case .paste(let pasted): insert(pasted.split(whereSeparator: \.isNewline).first.map(String.init) ?? "")
        case .backspace where place > 0:
            remove(place - 1)
            place -= 1
        case .delete where place < text.count: remove(place)
        case .left: place = max(0, place - 1)
        case .right: place = min(text.count, place + 1)
        case .home, .control("a"): place = 0
        case .end, .control("e"): place = text.count
        case .control("u"):
            text = String(text.dropFirst(place))
            place = 0
        case .control("w"):
            var kept = before
            while kept.last == " " { kept.removeLast() }
            while let last = kept.last, last != " " { kept.removeLast() }
            text = kept + text.dropFirst(place)
            place = kept.count
        case .backspace, .delete: break
        default: return false
        }
        return true
    }

    private mutating func insert(_ more: String) {
        let more = String(String.UnicodeScalarView(more.unicodeScalars.filter { !SafeText.isUnsafe($0) }))
        guard text.count + more.count <= Self.countMax else { return }
        // A mark joins the letter before it: what is counted is what has come of it.
        let head = before + more
        text = head + text.dropFirst(place)
        place = head.count
    }

    private mutating func remove(_ index: Int) {
        text.remove(at: text.index(text.startIndex, offsetBy: index))
    }
}
