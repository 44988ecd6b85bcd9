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
