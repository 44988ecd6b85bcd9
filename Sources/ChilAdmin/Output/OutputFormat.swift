/// How rows are written to standard output.
enum OutputFormat: String, ArgumentChoice {
    /// For people: aligned, what is rarely wanted left out of lists.
    case table
    /// As `table`, with every column.
    case wide
    /// One JSON text: an array, or an object for one thing.
    case json
    /// A JSON object a line.
    case ndjson
    /// RFC 4180, with a line of member names.
    case csv
    /// What one types again to name each row, a line each.
    case name

    /// Whether it is made to be looked at.
    var isForPeople: Bool { self == .table || self == .wide }
}
