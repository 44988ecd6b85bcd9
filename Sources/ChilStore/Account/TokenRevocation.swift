package import ChilCore
package import ChilDatabase

package enum TokenRevocationKind {}

/// The number of a revocation, of its work, and of the audit row at its end.
package typealias TokenRevocationID = Identifier<TokenRevocationKind>

/// A provider's token that is to be revoked, as its worker needs it.
package struct TokenRevocation: Sendable {
    package enum State: String, Sendable { case pending, revoked, failed }

    /// The column's name as the token's sealing binds it: it was sealed for the identity, and moved here as it was.
    package static let sealedColumn = "identity.sealed_token"

    package let provider: ProviderID
    package let clientID: String
    package let state: State
    /// `nil` unless pending.
    package let sealedToken: [UInt8]?
    /// Attempts that failed so far.
    package let attempts: Int32
}

/// Queues the revocation of a token that the provider gave and that is nobody's here.
package struct TokenRevocationQueue: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL("select chil_queue_revocation($1, $2, null, $3, $4, $5, $6)")

    package let tenant: TenantID
    let revocation: TokenRevocationID
    let provider: ProviderID
    let clientID: String
    let sealedToken: [UInt8]
    let now: Timestamp

    /// - Parameter sealedToken: for `TokenRevocation.sealedColumn`.
    package init(
        _ sealedToken: [UInt8],
        as revocation: TokenRevocationID,
        of clientID: String,
        from provider: ProviderID,
        in tenant: TenantID,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.revocation = revocation
        self.provider = provider
        self.clientID = clientID
        self.sealedToken = sealedToken
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(revocation)
        values.append(provider)
        values.append(clientID)
        values.append(sealedToken)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) {}
}

/// No row: there is no such revocation.
package struct TokenRevocationLoad: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select provider_id, client_id, state, sealed_token, attempts
          from token_revocation where tenant_id = $1 and revocation_id = $2
        """
    )

    let item: WorkItem

    package init(_ item: WorkItem) {
        self.item = item
    }

    package var tenant: TenantID { item.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.subject)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> TokenRevocation {
        TokenRevocation(
            provider: try row.id(0),
            clientID: row.text(1),
            state: try row.word(2),
            sealedToken: row.bytesOrNil(3),
            attempts: try row.int32(4)
        )
    }
}

/// What came of an attempt, by the worker that holds its lease. The token is wiped unless it is tried again.
/// False: the lease is another's now, nothing was written.
package struct TokenRevocationEnd: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        case revoked
        /// Given up, and audited.
        case failed(String)
        case again(after: Duration, String)
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(entering: "select chil_end_revocation($1, $2, $3, $4, $5, $6, $7, $8)")

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
        values.append(item.tenant)
        values.append(item.id)
        values.append(item.fence)
        values.append(item.subject)
        switch outcome {
        case .revoked:
            values.append(TokenRevocation.State.revoked.rawValue)
            values.appendNull()
            values.appendNull()
        case .failed(let fault):
            values.append(TokenRevocation.State.failed.rawValue)
            values.append(fault)
            values.appendNull()
        case .again(let pause, let fault):
            values.append(TokenRevocation.State.pending.rawValue)
            values.append(fault)
            values.append(pause.wholeMicroseconds / 1_000)
        }
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
