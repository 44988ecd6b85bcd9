/// A value that can be a line of a table and an object of JSON.
protocol ListingRow: Sendable {
    static var columns: [Column<Self>] { get }
    /// Of which column one types the value again to name the row: `-o name`.
    static var nameKey: String { get }
}

extension ListingRow {
    /// The first of the usual ones that it has, or else its first column.
    static var nameKey: String {
        let usual = ["slug", "name", "clientId", "keyId", "id"]
        return usual.first { key in columns.contains { $0.key == key } } ?? columns.first?.key ?? ""
    }

    static func name(of row: Self) -> String {
        columns.first { $0.key == nameKey }?.value(row).cell ?? ""
    }
}

/// What a command found or did, for `render` to write.
struct Listing<Row: ListingRow>: Renderable {
    enum Shape: Equatable, Sendable {
        /// Any number of rows: a table with headings, or a JSON array.
        case rows
        /// One thing: a line for each of its values, or a JSON object.
        case record
        /// One thing that is used by other commands: its first value alone, or a JSON object.
        case bare
    }

    let shape: Shape
    let rows: [Row]
    /// Sentences for standard error: what it means, what to do next.
    let notes: [String]
    let status: ExitCode

    /// Any number of rows.
    ///
    /// - Parameter status: another than success, if what was found is no good news.
    init(_ rows: [Row], notes: [String] = [], status: ExitCode = .success) {
        shape = .rows
        self.rows = rows
        self.notes = notes
        self.status = status
    }

    /// One thing.
    init(one row: Row, shape: Shape = .record, notes: [String] = [], status: ExitCode = .success) {
        self.shape = shape
        rows = [row]
        self.notes = notes
        self.status = status
    }

    /// Texts that are used by other programs: the first value of each row alone, or a JSON object a line.
    init(texts rows: [Row], notes: [String] = []) {
        self.init(rows, notes: notes, shape: .bare)
    }

    /// Nothing for standard output: the data went elsewhere.
    static func silent(notes: [String]) -> Self {
        Self([], notes: notes, shape: .bare)
    }

    private init(_ rows: [Row], notes: [String], shape: Shape) {
        self.shape = shape
        self.rows = rows
        self.notes = notes
        status = .success
    }
}
