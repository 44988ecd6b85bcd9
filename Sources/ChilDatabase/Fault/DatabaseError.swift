package import ChilCore

/// Why a batch has no result. `code` decides what the service does; `detail` is for the log and has no user's data.
package struct DatabaseError: Error, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// No connection, and none within the wait: nothing was sent. Answer 503, try later.
        case unavailable
        /// The loop's queue is full: nothing was sent. Answer 503, try later.
        case overloaded
        /// No answer within the deadline. A read did nothing; a write's outcome is then `.outcomeUnknown` instead.
        case timedOut
        /// The connection was lost, or the deadline passed, after a write was sent and before its answer: it may have happened.
        case outcomeUnknown
        /// A unique or exclusion constraint refused (SQLSTATE 23505, 23P01); `constraint` names it.
        case conflict
        /// Another constraint refused (class 23): the caller's checks let something through.
        case constraint
        /// Serialisation failure, deadlock or lock timeout, still after the retries.
        case contended
        /// Full disk, memory or connections (classes 53, 54): do not retry, alert.
        case exhausted
        /// The role may not do that, or a read-only server (42501, 25006).
        case forbidden
        /// The statement itself or its values are wrong (classes 22, 42…): a fault of the code or an old schema.
        case broken
        /// A row was not what its statement promises.
        case malformedResult
    }

    package let code: Code
    package let sqlState: String?
    /// The constraint's name, without the suffix that a shard adds.
    package let constraint: String?
    package let detail: String
    package let location: CodeLocation

    package init(
        _ code: Code,
        sqlState: String? = nil,
        constraint: String? = nil,
        detail: String,
        location: CodeLocation = .here()
    ) {
        self.code = code
        self.sqlState = sqlState
        self.constraint = constraint
        self.detail = detail
        self.location = location
    }

    package var description: String { "database: \(code.rawValue)\(sqlState.map { " (\($0))" } ?? "")" }

    static func malformedResult(_ detail: String) -> Self {
        Self(.malformedResult, detail: detail)
    }
}
