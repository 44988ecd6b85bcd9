package import ChilCore

/// Signs what a user did to their own things, for the audit row that is written in the same statement.
package struct UserNote: Sendable {
    let audit: AuditID
    let requestID: String?
    package let now: Timestamp

    /// - Parameter audit: a fresh number, used once.
    package init(audit: AuditID, requestID: String?, at now: Timestamp) {
        self.audit = audit
        self.requestID = requestID
        self.now = now
    }
}
