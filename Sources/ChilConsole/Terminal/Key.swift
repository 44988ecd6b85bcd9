/// One stroke.
package enum Key: Hashable, Sendable {
    case text(Character)
    case enter, escape, tab, backTab, backspace, delete
    case up, down, left, right, pageUp, pageDown, home, end
    /// With Control: a lower-case letter.
    case control(Character)
    /// Several lines at once, as the clipboard has them.
    case paste(String)
}

/// What a terminal says without being typed at.
package enum TerminalReport: Equatable, Sendable {
    /// Primary device attributes.
    case attributes([Int])
    case kittyPictures(Bool)
    /// Pixels.
    case cellSize(width: Int, height: Int)
}

/// What comes from a terminal.
package enum TerminalInput: Equatable, Sendable {
    case key(Key)
    case report(TerminalReport)
}
