import ChilDatabase

/// What a limit allows: how much, when it warns, and what happens at its end.
package struct QuotaTerms: Hashable, Sendable {
    package let limit: Int64
    /// `nil`: 80 % of `limit`.
    package let softLimit: Int64?
    package let action: QuotaAction

    /// - Throws: `QuotaKey.Fault` if the limit cannot have such terms.
    package init(
        of key: QuotaKey,
        limit: Int64,
        softLimit: Int64? = nil,
        action: QuotaAction = .deny
    ) throws(QuotaKey.Fault) {
        let limits = key.metric.limits
        guard limits.contains(limit) else {
            throw QuotaKey.Fault(
                reason: "\(limit) is no limit of \(key.metric.rawValue)",
                remedy: "Give a whole number from \(limits.lowerBound) to \(limits.upperBound)."
            )
        }
        if let softLimit {
            guard (0...limit).contains(softLimit) else {
                throw QuotaKey.Fault(
                    reason: "a soft limit of \(softLimit) never warns before \(limit)",
                    remedy: "Give one from 0 to \(limit)."
                )
            }
        }
        if key.metric == .sessionsPerUser, softLimit != nil || action != .deny {
            throw QuotaKey.Fault(
                reason: "sessions_per_user warns nobody",
                remedy: "Leave the soft limit and the action out: the session used least recently ends."
            )
        }
        self.limit = limit
        self.softLimit = softLimit
        self.action = action
    }

    /// `hard_limit, soft_limit, action`, as stored.
    init(_ row: ResultRow, from column: Int) throws(DatabaseError) {
        limit = try row.int64(column)
        softLimit = try row.int64OrNil(column + 1)
        action = try row.word(column + 2)
    }

    func bind(_ values: inout BoundValues) {
        values.append(limit)
        values.append(softLimit)
        values.append(action.rawValue)
    }
}
