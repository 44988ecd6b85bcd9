package import ChilCore
package import ChilDatabase

/// A code that waits for its exchange.
package struct CodeExchange: Sendable {
    /// The column's name as the sealing binds it.
    package static let sealedColumn = "code_exchange.sealed_code"

    package let provider: ProviderID
    /// Who signed in with it: what the provider gives must be for nobody else.
    package enum Owner: Sendable {
        case subject(String)
        /// Whose account has ended meanwhile, as `chil_subject_digest` knows the person.
        case ended(digest: [UInt8])
    }

    package let owner: Owner
    package let clientID: String
    package let sealedCode: [UInt8]
    /// When the provider forgets it.
    package let expires: Timestamp
}

/// `nil`: exchanged.
package struct CodeExchangeLoad: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select provider_id, subject, client_id, sealed_code, expires_at, subject_digest
          from code_exchange where tenant_id = $1 and exchange_id = $2
        """
    )

    package let tenant: TenantID
    let exchange: ExchangeID

    package init(_ exchange: ExchangeID, in tenant: TenantID) {
        self.tenant = tenant
        self.exchange = exchange
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(exchange)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> CodeExchange {
        CodeExchange(
            provider: try row.id(0),
            owner: row.bytesOrNil(5).map { .ended(digest: $0) } ?? .subject(row.text(1)),
            clientID: row.text(2),
            sealedCode: row.bytes(3),
            expires: try row.timestamp(4)
        )
    }
}
