/// The bytes that make one screen of another: only what differs (ECMA-48).
package struct ScreenDiff {
    private let depth: TerminalAbility.Depth
    private var bytes: [UInt8] = []
    private var ink = Ink.plain
    /// Where the terminal's cursor is, if that is known.
    private var place: (x: Int, y: Int)?

    /// - Parameter old: what the terminal shows; `nil`: nobody knows.
    package static func bytes(from old: Screen?, to new: Screen, depth: TerminalAbility.Depth) -> [UInt8] {
        if old == new { return [] }
        var diff = ScreenDiff(depth: depth)
        diff.draw(old, new)
        return diff.bytes
    }

    private init(depth: TerminalAbility.Depth) {
        self.depth = depth
    }

    private mutating func say(_ text: String) {
        bytes += text.utf8
    }

    private mutating func draw(_ old: Screen?, _ new: Screen) {
        // Shown at once, by terminals that can; without a cursor that runs about.
        say("\u{1B}[?2026h\u{1B}[?25l")
        var known = old?.size == new.size ? old : nil
        // What a terminal painted over cells is not known to be gone before it is all cleared.
        if old?.image != nil, old?.image != new.image { known = nil }
        if known == nil { say("\u{1B}[0m\(TerminalPicture.clearing)\u{1B}[2J") }
        let before = known ?? Screen(new.size)
        for y in 0..<new.size.height { draw(before, new, y) }
        if ink != .plain { say("\u{1B}[0m") }
        if let image = new.image, known?.image != image {
            say("\u{1B}[\(image.y + 1);\(image.x + 1)H")
            bytes += image.bytes
        }
        if let cursor = new.cursor { say("\u{1B}[\(cursor.y + 1);\(cursor.x + 1)H\u{1B}[?25h") }
        say("\u{1B}[?2026l")
    }

    private mutating func draw(_ old: Screen, _ new: Screen, _ y: Int) {
        let (before, after) = (old.row(y), new.row(y))
        guard before != after else { return }
        // Terminals differ on how wide some are. Where such a one takes fewer cells, the others are blank; where it takes more, what is next
        // is drawn over them, changed or not, and is told its place.
        var isSpilled = false
        for (x, (was, cell)) in zip(before, after).enumerated() where cell.width > 0 {
            guard was != cell || isSpilled else { continue }
            if place?.x != x || place?.y != y { move(x, y) }
            if cell.ink != ink { select(cell.ink) }
            let isSure = Self.isSure(cell.text)
            if !isSure, cell.width > 1 {
                say(String(repeating: " ", count: Int(cell.width)))
                move(x, y)
            }
            say(cell.text)
            place = isSure && x + Int(cell.width) < new.size.width ? (x + Int(cell.width), y) : nil
            isSpilled = !isSure
        }
    }

    private mutating func move(_ x: Int, _ y: Int) {
        say("\u{1B}[\(y + 1);\(x + 1)H")
    }

    private static func isSure(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, scalars.count == 1 else { return false }
        return first.value < 0x80 || (0x2500...0x259F).contains(first.value) || (0xAC00...0xD7A3).contains(first.value)
    }

    /// Select Graphic Rendition (ECMA-48 §8.3.117).
    private mutating func select(_ new: Ink) {
        ink = new
        var codes = "\u{1B}[0"
        if new.isBold { codes += ";1" }
        if new.isDim { codes += ";2" }
        if new.isUnderlined { codes += ";4" }
        if new.isReversed { codes += ";7" }
        codes += code(new.foreground, 30) + code(new.background, 40)
        say(codes + "m")
    }

    private func code(_ colour: Ink.Colour, _ base: Int) -> String {
        switch (colour, depth) {
        case (.standard, _), (_, .none): ""
        case (.named(let number), _): ";\(base + Int(number))"
        case (.exact(let rgb), .exact): ";\(base + 8);2;\(rgb.red);\(rgb.green);\(rgb.blue)"
        case (.exact(let rgb), .palette): ";\(base + 8);5;\(rgb.indexOf256)"
        case (.exact(let rgb), .eight): ";\(base + rgb.indexOf8)"
        }
    }
}
