/// What a simulated Epson Connect is asked.
package enum EpsonOperation: String, Sendable, CaseIterable {
    case token, authorize, device, capability, create, upload, print, job, cancel, notification, destinations
}

/// How it misbehaves when it is asked something.
package enum EpsonQuirk: String, Sendable, CaseIterable {
    /// The connection breaks, and nothing was done.
    case cutBefore = "cut-before"
    /// It was done, and the connection breaks without an answer.
    case cutAfter = "cut-after"
    /// The answer takes half a minute.
    case slow
    case internalError = "internal-error"
    case unavailable
    /// As it says that it was asked too often: with 403.
    case rateLimit = "rate-limit"
    /// The access token is of no use any more.
    case expired
    case garbage
}
