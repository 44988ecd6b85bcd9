import ChilCore
import ChilHTTP
import ChilStore

extension Problem {
    /// A limit is reached: 403 where nothing frees it but deleting or the operator, 429 with the time where a window does.
    static func quotaExceeded(_ refusal: QuotaRefusal, at now: Timestamp) -> Problem {
        guard let resetsAt = refusal.resetsAt else { return staticLimitReached(refusal.key) }
        return Problem(
            status: .tooManyRequests,
            code: .quotaWindowExceeded,
            title: "Limit reached",
            detail: "The limit of \(refusal.key.sentence) is reached for now: try again later.",
            retryAfter: Int(max(1, (resetsAt - now).components.seconds + 1))
        )
    }

    /// The tenant has as many users as it may.
    static let tooManyUsers = staticLimitReached(QuotaKey(stored: .users, .tenant, .none))

    private static func staticLimitReached(_ key: QuotaKey) -> Problem {
        Problem(
            status: .forbidden,
            code: .quotaExceeded,
            title: "Limit reached",
            detail: "The limit of \(key.sentence) is reached: delete some, or ask the operator for more."
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

extension QuotaKey {
    /// `drawings`, `print_jobs of each user per day`.
    fileprivate var sentence: String {
        var sentence = metric.rawValue
        if scope != .tenant { sentence += " of each \(scope.rawValue)" }
        if window != .none { sentence += " per \(window.rawValue)" }
        return sentence
    }
}
