/// How rows become text: in which format, which members of them, and for whom.
struct Presentation: Sendable {
    var format = OutputFormat.table
    /// The members that were asked for, in that order; empty: those that the format has.
    var fields: [String] = []
    var hasHeadings = true
    var style = Style.plain
    /// How many cells of a terminal there are; nil: a pipe or a file, where nothing is ever cut.
    var width: Int?
    /// In which zone people are told times; nil: RFC 3339 in UTC, for machines.
    var zone: LocalZone?

    /// As a pipe gets it.
    static func plain(_ format: OutputFormat) -> Self { Self(format: format) }

    func columns<Row: ListingRow>(of row: Row.Type, listed: Bool) -> [Column<Row>] {
        guard fields.isEmpty else {
            return fields.compactMap { field in Row.columns.first { $0.key == field } }
        }
        return listed ? Row.columns.filter(\.isListed) : Row.columns
    }

    func cell<Row>(_ column: Column<Row>, of row: Row) -> String {
        cell(column, column.value(row))
    }

    func cell<Row>(_ column: Column<Row>, _ field: Field) -> String {
        guard let zone, column.isMoment, case .text(let text) = field else { return field.cell }
        return zone.text(rfc3339: text) ?? field.cell
    }

    func members<Row: ListingRow>(of row: Row) -> [(String, Field)] {
        columns(of: Row.self, listed: false).map { ($0.key, $0.value(row)) }
    }
}

/// For what has no end: a line for each row as it comes.
extension Presentation {
    /// What stands before the first line; mostly nothing.
    func head<Row: ListingRow>(of row: Row.Type) -> String {
        guard format == .csv, hasHeadings, !Row.columns.isEmpty else { return "" }
        return CSVText.line(columns(of: Row.self, listed: false).map { .text($0.key) })
    }

    func line<Row: ListingRow>(_ row: Row) -> String {
        switch format {
        case .table, .wide:
            columns(of: Row.self, listed: format == .table).map { cell($0, of: row) }.joined(separator: "  ") + "\n"
        case .json, .ndjson: JSONText.line(members(of: row)) + "\n"
        case .csv: CSVText.line(members(of: row).map(\.1))
        case .name: Row.name(of: row) + "\n"
        }
    }
}
