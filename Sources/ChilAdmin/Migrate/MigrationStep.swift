/// One thing that `migrate` looked at.
struct MigrationStep: ListingRow, Equatable {
    enum Outcome: String, Sendable {
        /// Made if it was missing, set right if it was not as it should be.
        case ensured
        case applied
        /// It was there already.
        case present
    }

    /// `roles`, `m0001_core`.
    let name: String
    let outcome: Outcome

    static let columns: [Column<Self>] = [
        Column("step") { .text($0.name) },
        Column("outcome") { .text($0.outcome.rawValue) },
    ]
}
