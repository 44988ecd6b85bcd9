import ChilStore

/// A statement of a distribution, or what a check found of one thing.
struct DistributionRow: ListingRow, Equatable {
    /// SQL to print; what was done; what was found.
    let what: String
    /// A table, a foreign key, a role.
    let subject: String

    static let columns: [Column<Self>] = [
        Column("what") { .text($0.what) },
        Column("subject") { .text($0.subject) },
    ]
}

extension DistributionRow {
    /// A line a statement; each step is a transaction.
    static func statements(of plan: DistributionPlan) -> [DistributionRow] {
        plan.steps.flatMap { step in
            let body = step.statements.count > 1 ? ["begin"] + step.statements + ["commit"] : step.statements
            return body.map { DistributionRow(what: $0 + ";", subject: step.subject) }
        }
    }

    init(done step: DistributionPlan.Step) {
        let what =
            switch step.kind {
            case .entry: "tenants are entered by a statement"
            case .role: "setting kept"
            case .foreignKeyDrop: "foreign key dropped"
            case .table: "distributed"
            case .foreignKeyAdd: "foreign key added"
            }
        self.init(what: what, subject: step.subject)
    }
}
