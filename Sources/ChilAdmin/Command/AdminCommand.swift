/// One command: read its words, do its work, hand back rows. It neither prints nor exits.
protocol AdminCommand: Sendable {
    associatedtype Row: ListingRow

    static var guide: CommandGuide { get }
    /// What it touches. Every command says so: a test walks the table.
    static var effect: Effect { get }
    static var output: CommandOutput { get }

    /// Takes what the guide lists from the words, checked; what is left over is refused by the caller.
    init(_ words: inout ArgumentReader) throws(UsageError)

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<Row>
}

extension AdminCommand {
    static var effect: Effect { .undeclared }

    static var output: CommandOutput { CommandOutput(Row.self) }

    /// This command's place in the table.
    static var entry: CommandTable.Entry {
        CommandTable.Entry(guide: guide, effect: effect, output: output) {
            (words: inout ArgumentReader) throws(UsageError) in
            try Self(&words)
        }
    }

    /// `run`, for a caller that does not know the row's type.
    func answer(_ services: any AdminServices) async throws(AdminFault) -> any Renderable {
        try await run(services)
    }
}
