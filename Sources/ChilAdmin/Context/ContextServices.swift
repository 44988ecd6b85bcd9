/// What the context commands need.
protocol ContextServices {
    func contexts() throws(AdminFault) -> ContextFile
    func keepContexts(_ file: ContextFile) throws(AdminFault)
    /// Where the database of this command line is from.
    func contextInUse() -> ContextName?
}

/// A context as it is shown.
struct ContextRow: ListingRow, Equatable {
    let context: DatabaseContext
    let isCurrent: Bool

    static let nameKey = "context"
    static let columns: [Column<Self>] = [
        Column("context") { .text($0.context.name.text) },
        Column("current") { .flag($0.isCurrent) },
        Column("readOnly") { .flag($0.context.isReadOnly) },
        Column("color") { .text($0.context.colour.rawValue) },
        Column("database") { .text($0.context.database) },
        Column("keyFile", listed: false) { .optional($0.context.keyFile) },
        Column("publicUrl", listed: false) { .optional($0.context.publicURL) },
    ]
}

extension LiveServices: ContextServices {
    private func contextPath() throws(AdminFault) -> String {
        guard let path = settings.contextPath else {
            throw .missingSetting("HOME", because: "Set HOME or XDG_CONFIG_HOME: the contexts are kept below it.")
        }
        return path
    }

    func contexts() throws(AdminFault) -> ContextFile {
        try ContextFile(path: try contextPath())
    }

    func keepContexts(_ file: ContextFile) throws(AdminFault) {
        try file.write(to: try contextPath())
    }

    func contextInUse() -> ContextName? { settings.context?.name }
}

extension AdminFault {
    static func noSuchContext(_ name: ContextName, known: [DatabaseContext]) -> Self {
        let near = Suggestion.nearest(to: name.text, among: known.map(\.name.text))
        return Self(
            .notFound,
            "no context '\(name.text)'",
            remedy: near.map { "Did you mean \($0)?" } ?? "`chiladmin context list` shows them."
        )
    }
}
