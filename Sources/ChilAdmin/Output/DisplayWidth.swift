import ChilConsole

/// How many cells of a terminal a text takes: `CellWidth`, which the live console draws by, for tables.
enum DisplayWidth {
    static func of(_ text: String) -> Int { CellWidth.of(text) }

    static func of(_ scalar: Unicode.Scalar) -> Int { CellWidth.of(scalar) }
}
