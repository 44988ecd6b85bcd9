package import ChilCore
package import ChilDatabase

package enum WebhookEndpointKind {}
package enum WebhookEventKind {}

package typealias WebhookEndpointID = Identifier<WebhookEndpointKind>
/// The number of an event: of the row that it is about, or of the act. With its type it is the event's alone.
package typealias WebhookEventID = Identifier<WebhookEventKind>

/// A server of the tenant's that wants to be told.
package struct WebhookEndpoint: Sendable {
    package enum State: String, Sendable { case enabled, disabled }

    /// The columns' names as the sealing of the secrets binds them.
    package static let sealedColumn = "webhook_endpoint.sealed_secret"
    package static let sealedOldColumn = "webhook_endpoint.sealed_old_secret"

    package let id: WebhookEndpointID
    package let url: String
    package let types: [String]
    package let state: State
    package let disabledBecause: String?
    /// `host:port` at a private address that the operator allowed for this endpoint.
    package let allowedPrivateEndpoint: String?
    package let sealedSecret: [UInt8]
    package let sealedOldSecret: [UInt8]?
    package let oldSecretUntil: Timestamp?
    /// Failed attempts in a row.
    package let failures: Int32
    package let pausedUntil: Timestamp?
    package let lastDeliveredAt: Timestamp?
    package let lastFault: String?
    package let createdAt: Timestamp

    /// Of `e`, the endpoint.
    static let columns = """
        e.endpoint_id, e.url, e.state, e.disabled_because, e.allowed_private_endpoint, e.sealed_secret, e.sealed_old_secret,
        e.old_secret_until, e.failures, e.paused_until, e.last_delivered_at, e.last_fault, e.created_at, e.types
        """

    /// What the audit, which is kept for years and exported, says of a `url`: where it leads. What is behind that is often the secret that
    /// the receiver knows its callers by.
    static let auditedURL = """
        substring(url from '^[^/]+//[^/?#]+') || ' + ' || length(url) - length(substring(url from '^[^/]+//[^/?#]+')) || ' characters'
        """

    init(_ row: ResultRow, from first: Int = 0) throws(DatabaseError) {
        id = try row.id(first)
        url = row.text(first + 1)
        state = try row.word(first + 2)
        disabledBecause = row.textOrNil(first + 3)
        allowedPrivateEndpoint = row.textOrNil(first + 4)
        sealedSecret = row.bytes(first + 5)
        sealedOldSecret = row.bytesOrNil(first + 6)
        oldSecretUntil = try row.timestampOrNil(first + 7)
        failures = try row.int32(first + 8)
        pausedUntil = try row.timestampOrNil(first + 9)
        lastDeliveredAt = try row.timestampOrNil(first + 10)
        lastFault = row.textOrNil(first + 11)
        createdAt = try row.timestamp(first + 12)
        types = row.text(first + 13).split(separator: " ").map(String.init)
    }
}

/// All endpoints of a tenant, oldest first.
package struct WebhookEndpointList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select \(WebhookEndpoint.columns) from webhook_endpoint e where e.tenant_id = $1 order by e.endpoint_id"
    )

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> WebhookEndpoint { try WebhookEndpoint(row) }
}

/// The types that some endpoint of the tenant's wants: whoever reads them tells nothing in vain.
package struct WebhookTypeList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL("select distinct type from webhook_subscription where tenant_id = $1")

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    /// A newer release may know more types than this one: `nil`.
    package static func row(_ row: ResultRow) throws(DatabaseError) -> WebhookType? {
        WebhookType(rawValue: row.text(0))
    }
}
