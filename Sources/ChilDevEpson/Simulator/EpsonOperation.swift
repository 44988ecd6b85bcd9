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
    /// It is done, and answered, half a minute later.
    case slow
    /// Nothing is done, and no answer comes.
    case never
    /// It is done, and no answer comes.
    case mute
    /// It is done at once, and answered half a minute later.
    case late
    /// It is done, and its answer comes a byte at a time.
    case drip
    case internalError = "internal-error"
    case unavailable
    /// As it says that it was asked too often: with 403.
    case rateLimit = "rate-limit"
    /// The access token is of no use any more.
    case expired
    case garbage
}
