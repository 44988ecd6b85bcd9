package import ChilCore
package import ChilDatabase

/// A new endpoint of a tenant.
package struct WebhookAdd: Sendable {
    package struct Draft: Sendable {
        package let url: String
        package let types: [WebhookType]
        package let allowedPrivateEndpoint: String?
        package let sealedSecret: [UInt8]

        package init(url: String, types: [WebhookType], allowedPrivateEndpoint: String?, sealedSecret: [UInt8]) {
            self.url = url
            self.types = types
            self.allowedPrivateEndpoint = allowedPrivateEndpoint
            self.sealedSecret = sealedSecret
        }
    }

    let id: WebhookEndpointID
    let tenant: TenantID
    let draft: Draft
    let note: OperatorNote

    package init(_ id: WebhookEndpointID, to tenant: TenantID, _ draft: Draft, note: OperatorNote) {
        self.id = id
        self.tenant = tenant
        self.draft = draft
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) {
        var batch = Batch(.write, of: tenant)
        batch.add(WebhookInsert(add: self))
        batch.add(WebhookSubscribe(tenant: tenant, endpoint: id))
        batch.add(Notify.tenant(tenant))
        _ = try await database.run(batch)
    }
}

/// A change of an endpoint. False: there is none of that number.
package struct WebhookSet: Sendable {
    package enum Change: Sendable {
        /// The new secret signs; the old one beside it until then.
        case rotate(sealedSecret: [UInt8], sealedOldSecret: [UInt8], until: Timestamp)
        case disable
        case enable
        case remove

        var action: String {
            switch self {
            case .rotate: "webhook.rotate"
            case .disable: "webhook.disable"
            case .enable: "webhook.enable"
            case .remove: "webhook.remove"
            }
        }
    }

    let id: WebhookEndpointID
    let tenant: TenantID
    let change: Change
    let note: OperatorNote

    package init(_ change: Change, of id: WebhookEndpointID, in tenant: TenantID, note: OperatorNote) {
        self.id = id
        self.tenant = tenant
        self.change = change
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let done = batch.add(WebhookAudit(set: self))
        switch change {
        case .rotate(let secret, let old, let until):
            batch.add(WebhookRotate(set: self, secret: secret, old: old, until: until))
        case .disable:
            batch.add(WebhookState(set: self, state: .disabled))
            batch.add(WebhookUnsubscribe(set: self))
        case .enable:
            batch.add(WebhookState(set: self, state: .enabled))
            batch.add(WebhookUnsubscribe(set: self))
            batch.add(WebhookSubscribe(tenant: tenant, endpoint: id))
        case .remove:
            batch.add(WebhookDelete(set: self))
        }
        batch.add(Notify.tenant(tenant))
        return try await database.run(batch).first(done) != nil
    }
}

private struct WebhookInsert: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        with change as (
            insert into webhook_endpoint (
                tenant_id, endpoint_id, url, allowed_private_endpoint, sealed_secret, types, created_at, updated_at
            ) values ($1, $5, $6, $7, $8, $9, $3, $3)
            returning endpoint_id, url
        ), \(OperatorNote.insert("webhook.add", target: "endpoint_id::text", detail: WebhookEndpoint.auditedURL))
        select endpoint_id from change
        """
    )

    let add: WebhookAdd

    func bind(_ values: inout BoundValues) {
        add.note.bind(&values, of: add.tenant)
        values.append(add.id)
        values.append(add.draft.url)
        values.append(add.draft.allowedPrivateEndpoint)
        values.append(add.draft.sealedSecret)
        values.append(add.draft.types.map(\.rawValue).joined(separator: " "))
    }
}

private struct WebhookSubscribe: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        insert into webhook_subscription (tenant_id, type, endpoint_id)
        select $1, wanted.type, e.endpoint_id
          from webhook_endpoint e cross join unnest(string_to_array(e.types, ' ')) as wanted (type)
         where e.tenant_id = $1 and e.endpoint_id = $2
        """
    )

    let tenant: TenantID
    let endpoint: WebhookEndpointID

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(endpoint)
    }
}

/// The first of the batch: it holds the endpoint, and writes the audit's row if there is one.
private struct WebhookAudit: Statement {
    static let sql = SQL(
        """
        with change as materialized (
            select endpoint_id, url from webhook_endpoint where tenant_id = $1 and endpoint_id = $5 for update
        ), note as (
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
            select $1, $2, $3, 'operator', $4, $6, endpoint_id::text, \(WebhookEndpoint.auditedURL) from change
        )
        select url from change
        """
    )

    let set: WebhookSet

    func bind(_ values: inout BoundValues) {
        set.note.bind(&values, of: set.tenant)
        values.append(set.id)
        values.append(set.change.action)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

private struct WebhookRotate: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        update webhook_endpoint
           set sealed_secret = $3, sealed_old_secret = $4, old_secret_until = $5, updated_at = $6
         where tenant_id = $1 and endpoint_id = $2
        """
    )

    let set: WebhookSet
    let secret: [UInt8]
    let old: [UInt8]
    let until: Timestamp

    func bind(_ values: inout BoundValues) {
        values.append(set.tenant)
        values.append(set.id)
        values.append(secret)
        values.append(old)
        values.append(until)
        values.append(set.note.now)
    }
}

private struct WebhookState: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        update webhook_endpoint
           set state = $3, disabled_because = case when $3 = 'disabled' then 'by ' || $4 end, failures = 0, paused_until = null,
               updated_at = $5
         where tenant_id = $1 and endpoint_id = $2
        """
    )

    let set: WebhookSet
    let state: WebhookEndpoint.State

    func bind(_ values: inout BoundValues) {
        values.append(set.tenant)
        values.append(set.id)
        values.append(state.rawValue)
        values.append(set.note.operatorName)
        values.append(set.note.now)
    }
}

private struct WebhookUnsubscribe: Statement {
    typealias Row = Void

    static let sql = SQL("delete from webhook_subscription where tenant_id = $1 and endpoint_id = $2")

    let set: WebhookSet

    func bind(_ values: inout BoundValues) {
        values.append(set.tenant)
        values.append(set.id)
    }
}

/// Its subscriptions and deliveries go with it; workers that meet their work find nothing and end it.
private struct WebhookDelete: Statement {
    typealias Row = Void

    static let sql = SQL("delete from webhook_endpoint where tenant_id = $1 and endpoint_id = $2")

    let set: WebhookSet

    func bind(_ values: inout BoundValues) {
        values.append(set.tenant)
        values.append(set.id)
    }
}
