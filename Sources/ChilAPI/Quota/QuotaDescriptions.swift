import ChilCore
import ChilHTTP
import ChilOpenAPI
import ChilStore

extension RouteDescription {
    static let quota = RouteDescription(
        "getQuota",
        .account,
        "The limits of the tenant and of the caller, and what is used of them",
        "What is not listed has no limit.",
        answers: [
            .json(Component("QuotaList", .object([.required("data", .list(of: .reference(.quota)))])), "The limits.")
        ]
    )
}

extension Component {
    /// `QuotaJSON`.
    fileprivate static let quota = Component(
        "Quota",
        .object([
            .required("metric", .word(QuotaMetric.self)),
            .required("scope", .word(QuotaScope.self)),
            .required("window", .word(QuotaWindow.self)),
            .required("limit", .integer(from: 0)),
            .optional("softLimit", .integer(from: 0).described("Where the operator is told.")),
            .required("used", .integer(from: 0)),
            .required("remaining", .integer(from: 0)),
            .optional("resetsAt", .moment.described("Where a window frees it.")),
            .required("action", .word(QuotaAction.self)),
        ])
    )
}
