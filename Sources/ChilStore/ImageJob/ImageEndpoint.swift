package import ChilCore
package import ChilDatabase

/// A service that makes pictures for a tenant.
package struct ImageEndpoint: Sendable {
    package enum State: String, Sendable { case enabled, disabled }

    /// What it speaks.
    package enum Kind: String, Sendable, CaseIterable {
        case openai, localai, sdcpp, automatic1111, sketchbook
        case animatedDrawings = "animated-drawings"

        package var purpose: ImagePurpose { self == .animatedDrawings ? .motion : .generation }
    }

    /// The column's name as the sealing of the key binds it.
    package static let sealedColumn = "image_endpoint.sealed_key"
    /// Seconds that an answer may take.
    package static let timeoutRange: ClosedRange<Int64> = 1...1_800

    package let id: ImageEndpointID
    package let purpose: ImagePurpose
    package let kind: Kind
    /// Empty for what is built in.
    package let url: String
    package let sealedKey: [UInt8]?
    package let model: String?
    /// JSON, read by the kind.
    package let options: String
    /// Lower ones are asked first.
    package let position: Int32
    package let state: State
    package let timeout: Duration
    /// `host:port` at a private address that the operator allowed for this service.
    package let allowedPrivateEndpoint: String?
    /// The party that gets to see what it is asked; `nil`: it stays in the house.
    package let disclosedTo: String?
    /// Failed attempts in a row.
    package let failures: Int32
    package let pausedUntil: Timestamp?
    package let lastUsedAt: Timestamp?
    package let lastFault: String?
    package let createdAt: Timestamp

    static let columns = """
        endpoint_id, purpose, kind, url, sealed_key, model, options, position, state, timeout_s, allowed_private_endpoint,
        disclosed_to, failures, paused_until, last_used_at, last_fault, created_at
        """

    init(_ row: ResultRow) throws(DatabaseError) {
        id = try row.id(0)
        purpose = try row.word(1)
        kind = try row.word(2)
        url = row.text(3)
        sealedKey = row.bytesOrNil(4)
        model = row.textOrNil(5)
        options = row.text(6)
        position = try row.int32(7)
        state = try row.word(8)
        timeout = .seconds(try row.int32(9))
        allowedPrivateEndpoint = row.textOrNil(10)
        disclosedTo = row.textOrNil(11)
        failures = try row.int32(12)
        pausedUntil = try row.timestampOrNil(13)
        lastUsedAt = try row.timestampOrNil(14)
        lastFault = row.textOrNil(15)
        createdAt = try row.timestamp(16)
    }
}

/// A tenant's services for a purpose, in the order in which they are asked; those that are switched off too.
package struct ImageEndpointList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(ImageEndpoint.columns) from image_endpoint where tenant_id = $1 and purpose = $2 order by position, endpoint_id
        """
    )

    package let tenant: TenantID
    let purpose: ImagePurpose

    package init(for purpose: ImagePurpose, of tenant: TenantID) {
        self.tenant = tenant
        self.purpose = purpose
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(purpose.rawValue)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ImageEndpoint { try ImageEndpoint(row) }
}

/// That a service answered well, or did not: its circuit. One that is well already is not written more often than it has to be.
package struct ImageEndpointNote: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        update image_endpoint
           set failures = case when $4::text is null then 0 else failures + 1 end, last_fault = $4,
               paused_until = case when $4::text is not null then $3::timestamptz + $5::bigint * interval '1 millisecond' end,
               last_used_at = case when $4::text is null then $3 else last_used_at end
         where tenant_id = $1 and endpoint_id = $2
           and ($4::text is not null or failures > 0 or last_used_at is null or last_used_at < $3::timestamptz - interval '10 seconds')
        """
    )

    package let tenant: TenantID
    let endpoint: ImageEndpointID
    let fault: String?
    let pause: Duration
    let now: Timestamp

    /// - Parameters:
    ///   - fault: what was wrong; `nil`: nothing.
    ///   - pause: it is not asked for so long.
    package init(
        _ endpoint: ImageEndpointID,
        of tenant: TenantID,
        fault: String?,
        pausing pause: Duration = .zero,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.endpoint = endpoint
        self.fault = fault
        self.pause = pause
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(endpoint)
        values.append(now)
        values.append(fault)
        values.append(pause.wholeMicroseconds / 1_000)
    }
}
