/// What the terminal can show, by what it says of itself: the environment, and its answers.
package struct TerminalAbility: Equatable, Sendable {
    package enum Depth: Sendable {
        /// Bold, dim and reversed alone.
        case none
        case eight
        case palette
        case exact
    }

    package enum Pictures: Sendable {
        /// Letters of different darkness.
        case letters
        /// Upper halves of blocks in two colours.
        case blocks
        case sixel
        case kitty
    }

    package var depth: Depth
    /// Whether the locale's characters are UTF-8.
    package var isUTF8: Bool
    package var pictures: Pictures
    /// Pixels of a cell, as far as known.
    package var cellWidth = 8
    package var cellHeight = 16

    package init(depth: Depth, isUTF8: Bool, pictures: Pictures) {
        self.depth = depth
        self.isUTF8 = isUTF8
        self.pictures = pictures
    }

    /// - Parameter isPlain: no colours are wanted, whatever the environment says.
    /// - Returns: `nil`: the terminal cannot move its cursor.
    package init?(environment: (String) -> String?, isPlain: Bool = false) {
        guard let kind = environment("TERM"), !kind.isEmpty, kind != "dumb", kind != "unknown" else { return nil }
        // The first that is set counts (POSIX, XBD 8.2).
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
        let isUTF8 = locale.lowercased().contains("utf-8") || locale.lowercased().contains("utf8")
        let depth: Depth
        if isPlain || environment("NO_COLOR").map({ !$0.isEmpty }) ?? false || kind.hasPrefix("vt") {
            depth = .none
        } else if let exact = environment("COLORTERM"), ["truecolor", "24bit"].contains(exact) {
            depth = .exact
        } else if kind.contains("direct") || kind == "xterm-kitty" || kind == "foot" {
            depth = .exact
        } else {
            depth = kind.contains("256") ? .palette : .eight
        }
        self.init(depth: depth, isUTF8: isUTF8, pictures: isUTF8 && depth != .none ? .blocks : .letters)
    }

    /// Asks for what only the terminal itself knows: pictures by kitty's protocol, the size of its cells, its attributes. The last is
    /// answered by all.
    package static let question = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t\u{1B}[c"

    /// The answers. No colours are wanted of a terminal that has none.
    mutating func heard(_ report: TerminalReport) {
        switch report {
        case .attributes(let numbers) where numbers.contains(4) && pictures == .blocks: pictures = .sixel
        case .kittyPictures(let isTaken) where isTaken && depth != .none: pictures = .kitty
        case .cellSize(let width, let height) where (1...100).contains(width) && (1...100).contains(height):
            (cellWidth, cellHeight) = (width, height)
        default: break
        }
    }
}
