import ChilStore

/// A rule of rate that holds for a tenant.
struct LimitRow: ListingRow, Equatable {
    let scope: String
    let kind: String
    let limit: Int64
    let seconds: Int64
    /// `default`, or `tenant`: set for it.
    let source: String

    static let columns: [Column<Self>] = [
        Column("scope") { .text($0.scope) },
        Column("class") { .text($0.kind) },
        Column("limit") { .number($0.limit) },
        Column("seconds") { .number($0.seconds) },
        Column("source") { .text($0.source) },
    ]

    init(scope: String, kind: String, limit: Int64, seconds: Int64, source: String) {
        self.scope = scope
        self.kind = kind
        self.limit = limit
        self.seconds = seconds
        self.source = source
    }

    /// All rules of a tenant that has these of its own.
    static func all(_ own: [RateLimitRecord]) -> [LimitRow] {
        RateScope.allCases.flatMap { scope in
            RateClass.allCases.map { kind in
                let record = own.first { $0.scope == scope && $0.kind == kind }
                let rule = record?.rule ?? RateDefaults.rule(scope, kind)
                return LimitRow(
                    scope: scope.rawValue,
                    kind: kind.rawValue,
                    limit: Int64(rule.quota),
                    seconds: Int64(rule.window),
                    source: record == nil ? "default" : "tenant"
                )
            }
        }
    }
}
