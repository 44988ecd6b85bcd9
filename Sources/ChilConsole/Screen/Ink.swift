/// How a cell is drawn. Never the only sign of anything: what is red also says why.
package struct Ink: Equatable, Sendable {
    package enum Colour: Equatable, Sendable {
        case standard
        /// One of the terminal's own eight.
        case named(UInt8)
        case exact(RGB)
    }

    package var foreground = Colour.standard
    package var background = Colour.standard
    package var isBold = false
    package var isDim = false
    package var isReversed = false
    package var isUnderlined = false

    package init() {}

    static let plain = Ink()
    static let bold = Ink().with { $0.isBold = true }
    static let dim = Ink().with { $0.isDim = true }
    static let reversed = Ink().with { $0.isReversed = true }
    static let good = Ink().with { $0.foreground = .named(2) }
    static let warning = Ink().with { $0.foreground = .named(3) }
    static let alarm = Ink().with { ($0.foreground, $0.isBold) = (.named(1), true) }
    static let title = Ink().with { ($0.foreground, $0.isBold) = (.named(6), true) }

    func with(_ change: (inout Ink) -> Void) -> Ink {
        var ink = self
        change(&ink)
        return ink
    }
}

/// A colour of the screen.
package struct RGB: Equatable, Hashable, Sendable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Rec. 601, 0…255.
    var brightness: Int { (299 * Int(red) + 587 * Int(green) + 114 * Int(blue)) / 1_000 }

    /// The nearest of the 6 × 6 × 6 cube or the greys of a terminal with 256 colours (16…255).
    var indexOf256: UInt8 {
        let levels = [0, 95, 135, 175, 215, 255]
        func step(_ value: UInt8) -> Int {
            levels.indices.min { abs(levels[$0] - Int(value)) < abs(levels[$1] - Int(value)) } ?? 0
        }
        let (r, g, b) = (step(red), step(green), step(blue))
        let grey = min(23, max(0, (brightness - 3) / 10))
        let cube = distance(RGB(UInt8(levels[r]), UInt8(levels[g]), UInt8(levels[b])))
        let level = UInt8(8 + grey * 10)
        return distance(RGB(level, level, level)) < cube ? UInt8(232 + grey) : UInt8(16 + 36 * r + 6 * g + b)
    }

    /// The nearest of a terminal's own eight.
    var indexOf8: Int { Int(red >> 7) + 2 * Int(green >> 7) + 4 * Int(blue >> 7) }

    private func distance(_ other: RGB) -> Int {
        let (r, g, b) = (Int(red) - Int(other.red), Int(green) - Int(other.green), Int(blue) - Int(other.blue))
        return r * r + g * g + b * b
    }
}
