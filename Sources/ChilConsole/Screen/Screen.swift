/// Columns and rows of a terminal.
package struct ScreenSize: Equatable, Sendable {
    package var width: Int
    package var height: Int

    /// What a terminal says is bounded: a screen is memory.
    package init(_ width: Int, _ height: Int) {
        self.width = min(max(width, 1), Self.sideMax)
        self.height = min(max(height, 1), Self.sideMax)
    }

    private static let sideMax = 1_000
}

/// One place of the grid.
package struct Cell: Equatable, Sendable {
    /// One character as people count them; empty behind a wide one.
    var text: String
    /// Mostly 1 or 2, of some emoji more; 0 behind a wide one.
    var width: UInt16
    var ink: Ink

    static let blank = Cell(text: " ", width: 1, ink: .plain)
    static func rest(_ ink: Ink) -> Cell { Cell(text: "", width: 0, ink: ink) }
}

/// What a terminal shows: a grid of cells, and perhaps a picture over some of them.
package struct Screen: Equatable, Sendable {
    package let size: ScreenSize
    /// Whether only ASCII can be shown: everything else is `?`, as wide as it was.
    let isASCII: Bool
    private(set) var cells: [Cell]
    /// Where somebody types.
    package var cursor: (x: Int, y: Int)?
    var image: ScreenImage?

    package init(_ size: ScreenSize, isASCII: Bool = false) {
        self.size = size
        self.isASCII = isASCII
        cells = Array(repeating: .blank, count: size.width * size.height)
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.size == right.size && left.cells == right.cells && left.image == right.image
            && left.cursor?.x == right.cursor?.x && left.cursor?.y == right.cursor?.y
    }

    func row(_ y: Int) -> ArraySlice<Cell> { cells[y * size.width..<(y + 1) * size.width] }

    /// Writes what has room, at most `width` cells, and returns how many it took. Nothing unsafe gets into a cell.
    @discardableResult
    mutating func write(_ text: String, _ x: Int, _ y: Int, width: Int? = nil, ink: Ink = .plain) -> Int {
        guard y >= 0, y < size.height, x >= 0 else { return 0 }
        let end = min(size.width, width.map { x + $0 } ?? size.width)
        var at = x
        for character in SafeText.clean(text) {
            let wide = CellWidth.of(cluster: character)
            // A mark without a letter to stand on.
            guard wide > 0 else { continue }
            guard at + wide <= end else { break }
            put(String(character), UInt16(wide), at, y, ink)
            at += wide
        }
        return at - x
    }

    /// Writes within `width` cells; what does not fit ends in an ellipsis. The rest of them is blank.
    mutating func fit(
        _ text: String,
        _ x: Int,
        _ y: Int,
        width: Int,
        ink: Ink = .plain,
        alignment: Alignment = .leading
    ) {
        guard width > 0 else { return }
        fill(x, y, width, ink)
        let whole = CellWidth.of(SafeText.clean(text))
        if whole <= width {
            write(text, alignment == .leading ? x : x + width - whole, y, width: width, ink: ink)
        } else {
            let used = write(text, x, y, width: width - 1, ink: ink)
            write("…", x + used, y, width: 1, ink: ink)
        }
    }

    mutating func fill(_ x: Int, _ y: Int, _ width: Int, _ ink: Ink) {
        for at in max(0, x)..<max(0, x, min(size.width, x + width)) { put(" ", 1, at, y, ink) }
    }

    mutating func put(_ text: String, _ width: UInt16, _ x: Int, _ y: Int, _ ink: Ink) {
        guard y >= 0, y < size.height, x >= 0, x + Int(width) <= size.width else { return }
        let at = y * size.width + x
        // Part of a wide character is none.
        var before = at
        while cells[before].width == 0, before > y * size.width {
            before -= 1
            if cells[before].width > 0 || before == y * size.width { blank(before..<at) }
        }
        var after = at + Int(width)
        while after < (y + 1) * size.width, cells[after].width == 0 {
            blank(after..<after + 1)
            after += 1
        }
        if isASCII, !text.utf8.allSatisfy({ $0 < 0x7F }) {
            let stand = text == "…" ? "~" : "?"
            for offset in 0..<Int(width) { cells[at + offset] = Cell(text: stand, width: 1, ink: ink) }
            return
        }
        cells[at] = Cell(text: text, width: width, ink: ink)
        for offset in 1..<max(1, Int(width)) { cells[at + offset] = .rest(ink) }
    }

    private mutating func blank(_ range: Range<Int>) {
        for at in range { cells[at] = Cell(text: " ", width: 1, ink: cells[at].ink) }
    }

    enum Alignment: Sendable { case leading, trailing }

    /// The characters alone, a line each, without blanks at the ends.
    package var text: String {
        (0..<size.height).map { y in
            var line = row(y).map(\.text).joined()
            while line.hasSuffix(" ") { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}

/// A picture that the terminal itself paints over blank cells.
struct ScreenImage: Equatable, Sendable {
    let x: Int
    let y: Int
    let columns: Int
    let rows: Int
    let bytes: [UInt8]
}
