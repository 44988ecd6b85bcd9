internal import ChilConsole

/// A terminal as far as the console needs one (ECMA-48, xterm): bytes in, a grid of characters out.
package struct TerminalEmulator {
    package private(set) var width: Int
    package private(set) var height: Int
    /// One character a cell; empty behind a wide one.
    private var cells: [[String]]
    /// The first screen, while the second is shown, and where the cursor was on it.
    private var kept: (cells: [[String]], x: Int, y: Int) = ([], 0, 0)
    private var held: [UInt8] = []
    /// How many cells it takes for a character: terminals differ on emoji.
    package var widthOf: @Sendable (Character) -> Int = { CellWidth.of(cluster: $0) }
    private(set) var x = 0
    private(set) var y = 0
    package private(set) var isOnSecondScreen = false
    package private(set) var isCursorShown = true
    /// Whether the last Select Graphic Rendition was anything but the standard one.
    package private(set) var isInked = false
    /// Whether any colour was ever selected.
    package private(set) var hasColour = false
    /// Strings to the terminal itself: pictures.
    package private(set) var strings: [String] = []

    package init(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
        cells = Self.blank(width, height)
    }

    /// As terminals without a memory of lines do: what stood there is gone.
    package mutating func resize(_ width: Int, _ height: Int) {
        (self.width, self.height) = (width, height)
        cells = Self.blank(width, height)
        kept = (Self.blank(width, height), 0, 0)
        (x, y) = (0, 0)
    }

    private static func blank(_ width: Int, _ height: Int) -> [[String]] {
        Array(repeating: Array(repeating: " ", count: width), count: height)
    }

    /// What stands in a cell; nothing behind a wide character.
    package func cell(_ x: Int, _ y: Int) -> String { cells[y][x] }

    /// The characters, a line each, without blanks at the ends.
    package var text: String {
        cells.map { row in
            var line = row.joined()
            while line.hasSuffix(" ") { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    package mutating func received(_ bytes: some Sequence<UInt8>) {
        held += bytes
        while step() {}
    }

    private mutating func step() -> Bool {
        guard let first = held.first else { return false }
        switch first {
        case 0x1B: return escape()
        case 0x0D: x = 0
        case 0x0A:
            if y == height - 1 {
                cells.removeFirst()
                cells.append(Array(repeating: " ", count: width))
            } else {
                y += 1
            }
        case 0x08: x = max(0, x - 1)
        case 0x00...0x1F: break
        default: return characters()
        }
        held.removeFirst()
        return true
    }

    private mutating func characters() -> Bool {
        var run = held.prefix { $0 >= 0x20 && $0 != 0x7F }
        // A character may be cut at the end of what came.
        if run.count == held.count, let lead = run.lastIndex(where: { $0 & 0xC0 != 0x80 }), run[lead] >= 0xC0 {
            let length = run[lead] >= 0xF0 ? 4 : run[lead] >= 0xE0 ? 3 : 2
            if run.endIndex - lead < length { run = run[..<lead] }
        }
        guard !run.isEmpty else {
            if held.first == 0x7F { held.removeFirst() }
            return held.first == 0x7F
        }
        for character in String(decoding: run, as: UTF8.self) { put(character) }
        held.removeFirst(run.count)
        return true
    }

    private mutating func put(_ character: Character) {
        let wide = widthOf(character)
        guard wide > 0, x + wide <= width, y < height else { return }
        cells[y][x] = String(character)
        for rest in 1..<wide { cells[y][x + rest] = "" }
        x += wide
    }

    private mutating func escape() -> Bool {
        guard held.count > 1 else { return false }
        switch held[1] {
        case UInt8(ascii: "["):
            guard let end = held.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return false }
            control(String(decoding: held[2..<end], as: UTF8.self), held[end])
            held.removeFirst(end + 1)
        case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"):
            let end = held.indices.dropFirst(3).first {
                held[$0] == 0x07 || held[$0] == UInt8(ascii: "\\") && held[$0 - 1] == 0x1B
            }
            guard let end else { return false }
            strings.append(String(decoding: held[1..<end], as: UTF8.self))
            held.removeFirst(end + 1)
        default: held.removeFirst(2)
        }
        return true
    }

    private mutating func control(_ body: String, _ final: UInt8) {
        let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        switch final {
        case UInt8(ascii: "H"):
            y = min(max((numbers.first ?? 1), 1), height) - 1
            x = min(max(numbers.count > 1 ? numbers[1] : 1, 1), width) - 1
        case UInt8(ascii: "J"): cells = Self.blank(width, height)
        case UInt8(ascii: "m"):
            isInked = !(numbers == [0])
            if numbers.contains(where: { (30...49).contains($0) }) { hasColour = true }
        case UInt8(ascii: "h") where body == "?1049":
            if !isOnSecondScreen { kept = (cells, x, y) }
            (cells, isOnSecondScreen) = (Self.blank(width, height), true)
        case UInt8(ascii: "l") where body == "?1049":
            if isOnSecondScreen { (cells, x, y) = kept }
            isOnSecondScreen = false
        case UInt8(ascii: "h") where body == "?25": isCursorShown = true
        case UInt8(ascii: "l") where body == "?25": isCursorShown = false
        default: break
        }
    }
}
