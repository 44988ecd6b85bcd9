/// A listing whose row type does not matter any more.
protocol Renderable: Sendable {
    var notes: [String] { get }
    /// How the command ends once this is written.
    var status: ExitCode { get }

    func rendered(as format: OutputFormat, style: Style) -> String
}

extension Listing {
    /// The one place where rows become text; it ends with a line feed unless it is empty.
    func rendered(as format: OutputFormat, style: Style) -> String {
        switch (format, shape) {
        case (.table, .rows):
            let columns = Row.columns.filter(\.isListed)
            return Table(headings: columns.map(\.heading), rows: rows.map { row in columns.map { $0.value(row) } })
                .text(style: style)
        case (.table, .record):
            return rows.map { row in
                Table.record(Row.columns.map { ($0.heading, $0.value(row)) }, style: style)
            }.joined(separator: "\n")
        case (.table, .bare):
            return rows.map { row in (Row.columns.first?.value(row).cell ?? "") + "\n" }.joined()
        case (.json, .rows):
            return JSONText.array(rows.map(Self.members)) + "\n"
        case (.json, .record), (.json, .bare):
            return rows.map { JSONText.object(Self.members($0)) + "\n" }.joined()
        }
    }

    private static func members(_ row: Row) -> [(String, Field)] {
        Row.columns.map { ($0.key, $0.value(row)) }
    }
}
