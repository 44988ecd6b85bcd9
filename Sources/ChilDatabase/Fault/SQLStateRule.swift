/// What the driver does when PostgreSQL answers with an error: one row per SQLSTATE or class, the longest match first.
///
/// Source: PostgreSQL 15, appendix A "PostgreSQL Error Codes".
package struct SQLStateRule: Sendable {
    package enum Decision: Equatable, Sendable {
        /// The batch was rolled back cleanly and may be sent again, a bounded number of times.
        case retry
        /// The connection is going or gone: reconnect. Reads are sent again once, a write's outcome is unknown.
        case reconnect
        /// The error is the answer.
        case fail(DatabaseError.Code)
    }

    /// Five characters of a state, or the first two of a class.
    package let prefix: String
    package let decision: Decision
    package let why: String

    package static let all: [SQLStateRule] = [
        SQLStateRule(prefix: "57P01", decision: .reconnect, why: "admin_shutdown: the server ends this backend"),
        SQLStateRule(prefix: "57P02", decision: .reconnect, why: "crash_shutdown: another backend crashed"),
        SQLStateRule(prefix: "57P03", decision: .reconnect, why: "cannot_connect_now: starting or recovering"),
        SQLStateRule(prefix: "57P05", decision: .reconnect, why: "idle_session_timeout"),
        SQLStateRule(prefix: "08", decision: .reconnect, why: "connection exception"),
        SQLStateRule(prefix: "40001", decision: .retry, why: "serialization_failure"),
        SQLStateRule(prefix: "40P01", decision: .retry, why: "deadlock_detected"),
        SQLStateRule(prefix: "55P03", decision: .retry, why: "lock_not_available: lock_timeout of 250 ms ran out"),
        SQLStateRule(prefix: "40003", decision: .fail(.outcomeUnknown), why: "statement_completion_unknown"),
        SQLStateRule(prefix: "57014", decision: .fail(.timedOut), why: "query_canceled: statement_timeout"),
        SQLStateRule(prefix: "23505", decision: .fail(.conflict), why: "unique_violation"),
        SQLStateRule(prefix: "23P01", decision: .fail(.conflict), why: "exclusion_violation"),
        SQLStateRule(prefix: "23", decision: .fail(.constraint), why: "integrity constraint violation"),
        SQLStateRule(prefix: "53", decision: .fail(.exhausted), why: "disk, memory or connections used up"),
        SQLStateRule(prefix: "54", decision: .fail(.exhausted), why: "program limit exceeded"),
        SQLStateRule(prefix: "58", decision: .fail(.exhausted), why: "system error: I/O, missing file"),
        SQLStateRule(
            prefix: "42501",
            decision: .fail(.forbidden),
            why: "insufficient_privilege: row level security or a grant"
        ),
        SQLStateRule(
            prefix: "25006",
            decision: .fail(.forbidden),
            why: "read_only_sql_transaction: a standby or read-only mode"
        ),
        SQLStateRule(prefix: "28", decision: .fail(.forbidden), why: "invalid authorization"),
        SQLStateRule(
            prefix: "25P02",
            decision: .fail(.broken),
            why: "in_failed_sql_transaction: never outside a segment"
        ),
        SQLStateRule(prefix: "26000", decision: .fail(.broken), why: "prepared statement unknown: see CHIL_STATEMENTS"),
        SQLStateRule(
            prefix: "",
            decision: .fail(.broken),
            why: "anything else is a fault of a statement or of the schema"
        ),
    ]

    package static func rule(for state: String) -> SQLStateRule {
        var best = all[all.count - 1]
        for rule in all where state.hasPrefix(rule.prefix) && rule.prefix.count > best.prefix.count {
            best = rule
        }
        return best
    }
}

extension DatabaseError {
    /// The same said by a COMMIT. That a constraint or a conflict (classes 23 and 40) refused is certain; of anything else only a single
    /// server can be sure that nothing happened.
    var atCommit: DatabaseError {
        guard let state = sqlState, !["23", "40"].contains(state.prefix(2)) else { return self }
        return DatabaseError(.outcomeUnknown, sqlState: state, constraint: constraint, detail: detail)
    }
}
