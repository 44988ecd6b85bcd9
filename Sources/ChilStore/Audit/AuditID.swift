package import ChilCore

package enum AuditKind {}

/// An audit row's number, unique within the tenant. An operation that makes a row of its own lends that row's number.
package typealias AuditID = Identifier<AuditKind>

/// Where a request came from, for the audit.
package struct Caller: Sendable {
    package let requestID: String?
    package let address: String?
    package let userAgent: String?

    package init(requestID: String?, address: String?, userAgent: String? = nil) {
        self.requestID = requestID
        self.address = address
        self.userAgent = userAgent
    }
}
