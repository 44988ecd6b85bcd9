import ChilCore
import ChilHTTP
import ChilStore

extension Problem {
    /// A limit is reached: 403 where nothing frees it but deleting or the operator, 429 with the time where a window does.
    static func quotaExceeded(_ metric: QuotaMetric, resetsAt: Timestamp? = nil, at now: Timestamp? = nil) -> Problem {
        guard let resetsAt, let now else {
            return Problem(
                status: .forbidden,
                code: .quotaExceeded,
                title: "Limit reached",
                detail: "The limit of \(metric.rawValue) is reached: delete some, or ask the operator for more."
            )
        }
        return Problem(
            status: .tooManyRequests,
            code: .quotaWindowExceeded,
            title: "Limit reached",
            detail: "The limit of \(metric.rawValue) is reached for now: try again later.",
            retryAfter: Int(max(1, (resetsAt - now).components.seconds + 1))
        )
    }

    static let noPrinter = Problem(
        status: .unprocessableContent,
        code: .noPrinter,
        title: "No printer",
        detail: "Name a printer of this service in printerId, or ask the operator to set a default one."
    )

    static let noIdentityProvider = Problem(
        status: .serviceUnavailable,
        code: .noIdentityProvider,
        title: "Sign-in is not set up",
        detail: "The operator must add a client id: chiladmin client add.",
        retryAfter: 60
    )

    static let identityProviderAway = Problem(
        status: .serviceUnavailable,
        code: .identityProviderAway,
        title: "Identity provider away",
        detail: "The identity provider's keys cannot be read now: try again shortly.",
        retryAfter: 5
    )

    static let rangeNotSatisfiable = Problem(
        status: .rangeNotSatisfiable,
        code: .rangeNotSatisfiable,
        title: "Range not satisfiable",
        detail: "Ask for bytes that the image has."
    )
}
