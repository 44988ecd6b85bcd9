package import ChilCore
package import ChilDatabase

/// Leases webhook deliveries that are due, oldest first, and of one endpoint only a few: what hangs takes nobody else's turn.
package struct WebhookClaim: Statement {
    /// Deliveries of one endpoint at once.
    package static let countPerEndpoint = 4

    package static let sql = SQL(
        ClaimText.text(of: "w.kind = 'webhook'", lane: "subject_id", countPerLane: { _ in "\(countPerEndpoint)" })
    )

    let countMax: Int
    let lease: Duration
    let holder: String
    let fullTenants: [TenantID]
    let busyEndpoints: [(TenantID, WebhookEndpointID)]

    /// - Parameters:
    ///   - fullTenants: those that have all the room that one tenant gets.
    ///   - busyEndpoints: those that something is sent to at the moment.
    package init(
        countMax: Int,
        lease: Duration,
        holder: String,
        fullTenants: [TenantID],
        busyEndpoints: [(TenantID, WebhookEndpointID)]
    ) {
        self.countMax = countMax
        self.lease = lease
        self.holder = holder
        self.fullTenants = fullTenants
        self.busyEndpoints = busyEndpoints
    }

    package func run(on database: some Database) async throws(DatabaseError) -> [WorkItem] {
        try await claimed(on: database)
    }

    package func bind(_ values: inout BoundValues) {
        values.append(Int64(countMax))
        values.append(lease.wholeMicroseconds / 1_000)
        values.append(holder)
        values.append(
            ClaimExclusion.text(
                fullTenants.map { .share($0, .all) } + busyEndpoints.map { .lane($0, $1.rawValue) }
            )
        )
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> WorkItem { try WorkClaim.row(row) }
}

/// A delivery as its worker needs it.
package struct WebhookTask: Sendable {
    package let tenantSlug: String
    package let endpoint: WebhookEndpoint
    package let event: WebhookEvent
    package let isPending: Bool
    /// Attempts that failed so far.
    package let attempts: Int32
}

/// What happened.
package struct WebhookEvent: Sendable, Equatable {
    package let id: WebhookEventID
    package let type: String
    /// Members of a JSON object.
    package let data: String
    package let at: Timestamp

    package init(id: WebhookEventID, type: String, data: String, at: Timestamp) {
        self.id = id
        self.type = type
        self.data = data
        self.at = at
    }
}

/// No row: the endpoint is gone, and its deliveries with it.
package struct WebhookLoad: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(WebhookEndpoint.columns), t.slug, d.event_id, d.type, v.data, v.at, d.state = 'pending', d.attempts
          from webhook_delivery d
          join webhook_endpoint e on e.tenant_id = $1 and e.endpoint_id = d.endpoint_id
          join webhook_event v on v.tenant_id = $1 and v.event_id = d.event_id and v.type = d.type
          join tenant t on t.tenant_id = $1
         where d.tenant_id = $1 and d.work_id = $2
        """
    )

    let item: WorkItem

    package init(_ item: WorkItem) {
        self.item = item
    }

    package var tenant: TenantID { item.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.id)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> WebhookTask {
        WebhookTask(
            tenantSlug: row.text(14),
            endpoint: try WebhookEndpoint(row),
            event: WebhookEvent(
                id: try row.id(15),
                type: row.text(16),
                data: row.text(17),
                at: try row.timestamp(18)
            ),
            isPending: try row.bool(19),
            attempts: try row.int32(20)
        )
    }
}

/// What came of an attempt, by the worker that holds its lease. False: the lease is another's now, nothing was written.
package struct WebhookEnd: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        case delivered(status: Int)
        /// Tried again after the first pause; the second holds for everything else of the endpoint.
        case again(after: Duration, pausing: Duration, status: Int?, String)
        /// Given up; it can be replayed.
        case dead(pausing: Duration, status: Int?, String)
        /// The endpoint wants no more: it is disabled.
        case gone(status: Int, String, audit: AuditID)
    }

    package static let access = Batch.Access.write
    package static let sql = SQL("select chil_end_delivery($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)")

    let item: WorkItem
    let outcome: Outcome
    let now: Timestamp

    package init(_ item: WorkItem, _ outcome: Outcome, at now: Timestamp) {
        self.item = item
        self.outcome = outcome
        self.now = now
    }

    package var tenant: TenantID { item.tenant }

    package func bind(_ values: inout BoundValues) {
        let (state, status, fault, again, pause, audit): (String, Int?, String?, Duration?, Duration?, AuditID?) =
            switch outcome {
            case .delivered(let status): ("delivered", status, nil, nil, nil, nil)
            case .again(let again, let pause, let status, let fault): ("pending", status, fault, again, pause, nil)
            case .dead(let pause, let status, let fault): ("dead", status, fault, nil, pause, nil)
            case .gone(let status, let fault, let audit): ("dead", status, fault, nil, .zero, audit)
            }
        values.append(item.tenant)
        values.append(item.id)
        values.append(item.fence)
        values.append(item.subject)
        values.append(state)
        values.append(int32: status.map(Int32.init))
        values.append(fault)
        values.append(again.map { $0.wholeMicroseconds / 1_000 })
        values.append(pause.map { $0.wholeMicroseconds / 1_000 })
        values.append(audit != nil)
        values.append(audit)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
