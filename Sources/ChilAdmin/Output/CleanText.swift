import ChilConsole

/// Text from data made safe for one cell of a terminal: `SafeText`, which the live console draws by, for tables and messages.
enum CleanText {
    static func clean(_ text: String) -> String { SafeText.clean(text) }

    /// Several lines of our own that quote data: line feeds stay.
    static func cleanLines(_ text: String) -> String { SafeText.cleanLines(text) }

    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool { SafeText.isUnsafe(scalar) }
}
