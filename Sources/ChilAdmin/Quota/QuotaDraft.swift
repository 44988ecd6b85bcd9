import ChilStore

extension QuotaMetric: ArgumentChoice {}
extension QuotaScope: ArgumentChoice {}
extension QuotaWindow: ArgumentChoice {}
extension QuotaAction: ArgumentChoice {}

/// How much: zero forbids.
struct QuotaLimit: ArgumentValue, Equatable, Sendable {
    static let expectation = "a whole number from 0 to 9007199254740991"
    /// What a JSON reader with doubles keeps exactly.
    static let max: Int64 = 9_007_199_254_740_991

    let count: Int64

    init?(argument: String) {
        guard let count = Int64(argument: argument), (0...Self.max).contains(count) else { return nil }
        self.count = count
    }
}

/// A limit to be set, of a tenant or of a plan.
struct QuotaDraft: Equatable, Sendable {
    let key: QuotaKey
    let terms: QuotaTerms

    /// The words of `quota set` and `plan set` after the first.
    init(_ words: inout ArgumentReader) throws(UsageError) {
        let metric: QuotaMetric = try words.next()
        let limit: QuotaLimit = try words.next()
        let key = try QuotaKey(metric, &words)
        let softLimit: QuotaLimit? = try words.optional("--soft")
        let action: QuotaAction = try words.optional("--action") ?? .deny
        do throws(QuotaKey.Fault) {
            self.init(
                key: key,
                terms: try QuotaTerms(of: key, limit: limit.count, softLimit: softLimit?.count, action: action)
            )
        } catch {
            throw UsageError(error.reason, hint: error.remedy)
        }
    }

    /// A limit that refuses at its end.
    init(_ key: QuotaKey, limit: Int64) throws(AdminFault) {
        do throws(QuotaKey.Fault) {
            self.init(key: key, terms: try QuotaTerms(of: key, limit: limit))
        } catch {
            throw AdminFault(.dataRefused, error.reason, remedy: error.remedy)
        }
    }

    private init(key: QuotaKey, terms: QuotaTerms) {
        self.key = key
        self.terms = terms
    }
}

extension QuotaKey {
    /// With `--scope` and `--window`.
    init(_ metric: QuotaMetric, _ words: inout ArgumentReader) throws(UsageError) {
        let scope: QuotaScope? = try words.optional("--scope")
        let window: QuotaWindow? = try words.optional("--window")
        do throws(Fault) {
            try self.init(metric, scope, window)
        } catch {
            throw UsageError(error.reason, hint: error.remedy)
        }
    }
}

extension CommandGuide {
    static let metricArgument = Argument(
        name: "METRIC",
        summary: QuotaMetric.allCases.map(\.rawValue).joined(separator: ", ")
    )
    static let limitArgument = Argument(name: "LIMIT", summary: "how many; 0 forbids")

    static let keyFlags: [Flag] = [
        .flag(
            "--scope",
            "tenant|user|printer",
            "whose use is counted (the tenant's; of sessions_per_user each user's)"
        ),
        .flag("--window", "none|minute|hour|day|month", "when use begins anew, by the tenant's own calendar (never)"),
    ]
    static let termsFlags: [Flag] = [
        .flag("--soft", "COUNT", "tell when so much is used (80 % of LIMIT, rounded up)"),
        .flag("--action", "deny|warn", "at LIMIT refuse more, or only tell (deny)"),
    ]
    /// Which limits there can be, from the same table that refuses the others.
    static let quotaRemarks: [String] = [
        "For each tenant: " + metrics { $0.scopes.contains(.tenant) } + ".",
        "For each user: " + metrics { $0.scopes.contains(.user) } + ". For each printer: "
            + metrics { $0.scopes.contains(.printer) } + ".",
        "By window alone: " + metrics { !$0.windows.contains(.none) } + ". In all alone: "
            + metrics { $0.windows == [.none] } + ".",
    ]

    private static func metrics(_ isOne: (QuotaMetric) -> Bool) -> String {
        QuotaMetric.allCases.filter(isOne).map(\.rawValue).joined(separator: ", ")
    }
}
