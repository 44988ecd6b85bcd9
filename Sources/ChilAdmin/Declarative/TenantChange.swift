import ChilCore

/// One difference between a file and its tenant, and the command lines that end it.
struct TenantChange: Equatable, Sendable {
    enum Kind: String, Sendable {
        case add, change, remove
        /// It is there, and the file has it not: `--prune` removes it.
        case left
    }

    let path: String
    let kind: Kind
    let before: String
    let after: String
    /// Words of `chiladmin`, one line after another.
    let lines: [[String]]

    /// What it is a change of, without the member.
    var item: String { path.lastIndex(of: "]").map { String(path[...$0]) } ?? path }

    var section: String { String(path.prefix { $0 != "[" && $0 != "." }) }
}

/// A change as it is shown.
struct TenantChangeRow: ListingRow, Equatable {
    let change: String
    let path: String
    let before: String
    let after: String

    static let columns: [Column<Self>] = [
        Column("change") { .text($0.change) },
        Column("path") { .text($0.path) },
        Column("before") { .text($0.before) },
        Column("after") { .text($0.after) },
    ]
}
