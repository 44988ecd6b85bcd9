package import ChilCore
package import ChilDatabase

/// A new service of a tenant's. `nil` in `position`: behind the others.
package struct ImageEndpointAdd: Sendable {
    package struct Draft: Sendable {
        package var kind: ImageEndpoint.Kind
        package var url: String
        package var sealedKey: [UInt8]?
        package var model: String?
        package var options: String
        package var position: Int32?
        package var timeout: Duration
        package var allowedPrivateEndpoint: String?
        package var disclosedTo: String?

        package init(
            kind: ImageEndpoint.Kind,
            url: String,
            sealedKey: [UInt8]?,
            model: String?,
            options: String,
            position: Int32?,
            timeout: Duration,
            allowedPrivateEndpoint: String?,
            disclosedTo: String?
        ) {
            self.kind = kind
            self.url = url
            self.sealedKey = sealedKey
            self.model = model
            self.options = options
            self.position = position
            self.timeout = timeout
            self.allowedPrivateEndpoint = allowedPrivateEndpoint
            self.disclosedTo = disclosedTo
        }
    }

    let id: ImageEndpointID
    let tenant: TenantID
    let draft: Draft
    let note: OperatorNote

    package init(_ id: ImageEndpointID, to tenant: TenantID, _ draft: Draft, note: OperatorNote) {
        self.id = id
        self.tenant = tenant
        self.draft = draft
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) {
        var batch = Batch(.write, of: tenant)
        batch.add(ImageEndpointInsert(add: self))
        _ = try await database.run(batch)
    }
}

/// A change of a service. What is `nil` stays. False: there is none of that number.
package struct ImageEndpointSet: Sendable {
    package struct Change: Sendable {
        package var url: String?
        package var sealedKey: [UInt8]?
        package var model: String?
        package var options: String?
        package var position: Int32?
        package var timeout: Duration?
        package var allowedPrivateEndpoint: String?
        package var disclosedTo: String?
        package var state: ImageEndpoint.State?

        package init() {}
    }

    let id: ImageEndpointID
    let tenant: TenantID
    let change: Change
    let note: OperatorNote

    package init(_ change: Change, of id: ImageEndpointID, in tenant: TenantID, note: OperatorNote) {
        self.id = id
        self.tenant = tenant
        self.change = change
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let slot = batch.add(ImageEndpointUpdate(set: self))
        return try await database.run(batch).first(slot) != nil
    }
}

/// Takes a service away. False: there is none of that number.
package struct ImageEndpointRemove: Sendable {
    let id: ImageEndpointID
    let tenant: TenantID
    let note: OperatorNote

    package init(_ id: ImageEndpointID, from tenant: TenantID, note: OperatorNote) {
        self.id = id
        self.tenant = tenant
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> Bool {
        var batch = Batch(.write, of: tenant)
        let slot = batch.add(ImageEndpointDelete(remove: self))
        return try await database.run(batch).first(slot) != nil
    }
}

private struct ImageEndpointInsert: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        with change as (
            insert into image_endpoint (
                tenant_id, endpoint_id, purpose, kind, url, sealed_key, model, options, timeout_s, allowed_private_endpoint,
                disclosed_to, position, created_at, updated_at
            ) values (
                $1, $5, $6::text, $7, $8, $9, $10, $11, $12, $13, $14,
                coalesce($15, (select coalesce(max(e.position), 0) + 10 from image_endpoint e where e.tenant_id = $1 and e.purpose = $6::text)),
                $3, $3
            )
            returning endpoint_id, purpose, kind, url
        ), \(OperatorNote.insert("image-endpoint.add", target: "endpoint_id::text", detail: "concat_ws(' ', purpose, kind, nullif(url, ''))"))
        select endpoint_id from change
        """
    )

    let add: ImageEndpointAdd

    func bind(_ values: inout BoundValues) {
        add.note.bind(&values, of: add.tenant)
        values.append(add.id)
        values.append(add.draft.kind.purpose.rawValue)
        values.append(add.draft.kind.rawValue)
        values.append(add.draft.url)
        values.append(add.draft.sealedKey)
        values.append(add.draft.model)
        values.append(add.draft.options)
        values.append(int32: Int32(clamping: add.draft.timeout.components.seconds))
        values.append(add.draft.allowedPrivateEndpoint)
        values.append(add.draft.disclosedTo)
        values.append(int32: add.draft.position)
    }
}

/// An empty text takes away what it stands for. A changed service is asked at once, however it failed before.
private struct ImageEndpointUpdate: Statement {
    static let sql = SQL(
        """
        with change as (
            update image_endpoint
               set url = coalesce($6, url), sealed_key = coalesce($7, sealed_key), model = nullif(coalesce($8, model), ''),
                   options = coalesce($9, options), position = coalesce($10, position), timeout_s = coalesce($11, timeout_s),
                   allowed_private_endpoint = nullif(coalesce($12, allowed_private_endpoint), ''),
                   disclosed_to = nullif(coalesce($13, disclosed_to), ''), state = coalesce($14, state), failures = 0,
                   paused_until = null, last_fault = null, updated_at = $3
             where tenant_id = $1 and endpoint_id = $5
            returning endpoint_id, state, url
        ), \(OperatorNote.insert("image-endpoint.change", target: "endpoint_id::text", detail: "concat_ws(' ', state, nullif(url, ''))"))
        select endpoint_id from change
        """
    )

    let set: ImageEndpointSet

    func bind(_ values: inout BoundValues) {
        set.note.bind(&values, of: set.tenant)
        values.append(set.id)
        values.append(set.change.url)
        values.append(set.change.sealedKey)
        values.append(set.change.model)
        values.append(set.change.options)
        values.append(int32: set.change.position)
        values.append(int32: set.change.timeout.map { Int32(clamping: $0.components.seconds) })
        values.append(set.change.allowedPrivateEndpoint)
        values.append(set.change.disclosedTo)
        values.append(set.change.state?.rawValue)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> ImageEndpointID { try row.id(0) }
}

private struct ImageEndpointDelete: Statement {
    static let sql = SQL(
        """
        with change as (
            delete from image_endpoint where tenant_id = $1 and endpoint_id = $5 returning endpoint_id, kind, url
        ), \(OperatorNote.insert("image-endpoint.remove", target: "endpoint_id::text", detail: "concat_ws(' ', kind, nullif(url, ''))"))
        select endpoint_id from change
        """
    )

    let remove: ImageEndpointRemove

    func bind(_ values: inout BoundValues) {
        remove.note.bind(&values, of: remove.tenant)
        values.append(remove.id)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> ImageEndpointID { try row.id(0) }
}
