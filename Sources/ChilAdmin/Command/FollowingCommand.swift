/// A command whose answer has no end: it hands over lines as they come.
protocol FollowingCommand: AdminCommand where Row == NoRow {
    /// What it hands over.
    associatedtype Line: ListingRow

    /// - Parameter output: writes text that ends with a line feed; false: nobody reads any more.
    func follow(
        _ services: any AdminServices,
        as presentation: Presentation,
        _ output: (String) throws(AdminFault) -> Bool
    ) async throws(AdminFault)
}

extension FollowingCommand {
    /// Nothing is left when it ends.
    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<NoRow> {
        .silent(notes: [])
    }

    static var output: CommandOutput { CommandOutput(Line.self) }

    /// What stands before the first line.
    func head(_ presentation: Presentation) -> String { presentation.head(of: Line.self) }
}

/// Of a command that has no rows of its own.
struct NoRow: ListingRow {
    static let columns: [Column<Self>] = []
}
