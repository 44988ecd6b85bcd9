import ChilHTTP

extension Problem {
    /// - Parameter seconds: until the next may come.
    static func rateLimited(for seconds: Int64) -> Problem {
        Problem(
            status: .tooManyRequests,
            code: .rateLimited,
            title: "Too many requests",
            detail: "Wait as long as Retry-After says, and then send no more than RateLimit-Policy allows.",
            retryAfter: Int(seconds)
        )
    }
}
