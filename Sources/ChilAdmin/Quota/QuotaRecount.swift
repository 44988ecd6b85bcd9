import ChilCore
import ChilStore

/// `chiladmin quota recount`
struct QuotaRecount: AdminCommand {
    /// A counter that was not what there is.
    struct Row: ListingRow, Equatable {
        let tenant: String
        let metric: String
        let scope: String
        let window: String
        let subject: Int64?
        let used: Int64
        let counted: Int64

        static let columns: [Column<Self>] = [
            Column("tenant") { .text($0.tenant) },
            Column("metric") { .text($0.metric) },
            Column("scope") { .text($0.scope) },
            Column("window") { .text($0.window) },
            Column("subject") { $0.subject.map { .number($0) } ?? .none },
            Column("used") { .number($0.used) },
            Column("counted") { .number($0.counted) },
        ]
    }

    static let effect = Effect.writesInSteps
    static let guide = CommandGuide(
        path: ["quota", "recount"],
        summary: "hold the counts of limits against what there is",
        examples: [
            .init("chiladmin quota recount --check", "of all tenants; exit status 1 if any differs"),
            .init("chiladmin quota recount --tenant chillin", "of one, and set right what differs"),
        ],
        flags: [
            .flag("--tenant", "SLUG", "of this tenant alone"),
            .toggle("--check", "change nothing"),
        ],
        remarks: [
            "What lasts (users, drawings, bytes, printers) has to be exactly what there is, reservations among it. Of what is counted by"
                + " window the rows may be gone again: such a count has to hold what is reserved in it at least.",
            "It may be run while the service is: each look is of one moment.",
        ]
    )

    let tenant: Slug?
    let isCheck: Bool

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.optional("--tenant")
        isCheck = words.isSet("--check")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<Row> {
        let rows = try await services.recountQuotas(of: tenant, isCheck: isCheck)
        if rows.isEmpty { return Listing(rows, notes: ["Every count is what there is."]) }
        return Listing(
            rows,
            notes: [isCheck ? "These counts differ: run it again without --check." : "These counts were set right."],
            status: isCheck ? .failed : .success
        )
    }
}

extension QuotaRecount.Row {
    init(_ difference: QuotaDifference, of slug: String) {
        self.init(
            tenant: slug,
            metric: difference.key.metric.rawValue,
            scope: difference.key.scope.rawValue,
            window: difference.key.window.rawValue,
            subject: difference.subject,
            used: difference.used,
            counted: difference.counted
        )
    }
}
