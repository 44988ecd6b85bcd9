package import ChilCore
package import ChilDatabase

/// One event on its way to one endpoint.
package struct WebhookDelivery: Sendable {
    package enum State: String, Sendable, CaseIterable { case pending, delivered, dead }

    package let endpoint: WebhookEndpointID
    package let event: WebhookEventID
    package let type: String
    package let subject: String
    package let state: State
    package let attempts: Int32
    package let lastStatus: Int32?
    package let lastFault: String?
    package let at: Timestamp
    package let nextAt: Timestamp?
    package let endedAt: Timestamp?
}

/// Deliveries of a tenant, the newest events first.
package struct WebhookDeliveryList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select d.endpoint_id, d.event_id, d.type, v.subject, d.state, d.attempts, d.last_status, d.last_fault, v.at, d.next_at, d.ended_at
          from webhook_event v
          join webhook_delivery d on d.tenant_id = $1 and d.event_id = v.event_id and d.type = v.type
         where v.tenant_id = $1 and ($2::bigint is null or d.endpoint_id = $2) and ($3::text is null or d.state = $3)
         order by v.at desc, d.event_id desc, d.type, d.endpoint_id limit $4
        """
    )

    package let tenant: TenantID
    let endpoint: WebhookEndpointID?
    let state: WebhookDelivery.State?
    let countMax: Int

    package init(
        of tenant: TenantID,
        to endpoint: WebhookEndpointID? = nil,
        state: WebhookDelivery.State? = nil,
        countMax: Int
    ) {
        self.tenant = tenant
        self.endpoint = endpoint
        self.state = state
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(endpoint)
        values.append(state?.rawValue)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> WebhookDelivery {
        WebhookDelivery(
            endpoint: try row.id(0),
            event: try row.id(1),
            type: row.text(2),
            subject: row.text(3),
            state: try row.word(4),
            attempts: try row.int32(5),
            lastStatus: try row.int32OrNil(6),
            lastFault: row.textOrNil(7),
            at: try row.timestamp(8),
            nextAt: try row.timestampOrNil(9),
            endedAt: try row.timestampOrNil(10)
        )
    }
}

/// Sends again: one event, or all that is dead. The number of deliveries that are pending again.
package struct WebhookReplay: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL("select chil_replay_webhooks($1, $2, $3, $4, $5, $6)")

    package let tenant: TenantID
    let endpoint: WebhookEndpointID?
    let event: WebhookEventID?
    let note: OperatorNote

    /// - Parameters:
    ///   - endpoint: this one's alone.
    ///   - event: also if it was delivered; `nil`: all that is dead.
    package init(
        of tenant: TenantID,
        to endpoint: WebhookEndpointID?,
        event: WebhookEventID?,
        note: OperatorNote
    ) {
        self.tenant = tenant
        self.endpoint = endpoint
        self.event = event
        self.note = note
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(endpoint)
        values.append(event)
        values.append(note.audit)
        values.append(note.operatorName)
        values.append(note.now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

/// Removes events that have had their time by the tenant's own limit (`webhooks`), with their deliveries. What is still to be sent stays;
/// but what waits for an endpoint that is disabled, or is more than may wait, is dead.
package struct WebhookSweep: Statement {
    /// Deliveries that may wait for one endpoint.
    package static let pendingMax = 100_000

    package static let sql = SQL("select chil_sweep_webhooks($1, $2, $3, $4)")

    let tenant: TenantID
    let now: Timestamp
    let countMax: Int
    let pendingMax: Int

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(Int64(countMax))
        values.append(Int64(pendingMax))
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int { Int(try row.int64(0)) }
}
