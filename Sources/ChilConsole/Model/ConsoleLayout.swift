/// Which rows of the screen are for what.
struct ConsoleLayout {
    static let widthMin = 40
    static let heightMin = 10

    let size: ScreenSize
    /// The lines above the list.
    let summary: Int

    init(_ size: ScreenSize, _ noun: Noun) {
        self.size = size
        summary = noun == .overview ? (size.height >= 20 ? 5 : 2) : 0
    }

    var headings: Int { 1 + summary }
    var firstRow: Int { headings + 1 }
    var message: Int { size.height - 2 }
    var hints: Int { size.height - 1 }
    /// How many rows of a list there is room for.
    var rows: Int { max(1, message - firstRow) }
    var isTooSmall: Bool { size.width < Self.widthMin || size.height < Self.heightMin }
}
