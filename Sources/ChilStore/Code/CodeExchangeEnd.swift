package import ChilCore
package import ChilDatabase

/// The end of a queued exchange: the provider's refresh token is kept, or why there is none.
package struct CodeExchangeEnd: TenantStatement {
    package enum Outcome: String, Sendable {
        case stored
        /// The account has gone meanwhile. A token that was got is queued for revocation; that there is none stands with the deletion.
        case orphan
        /// The lease is another's now; nothing was written.
        case lost
    }

    package enum Gain: Sendable {
        /// Sealed for `TokenRevocation.sealedColumn`.
        case token([UInt8])
        case nothing(because: String)
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(entering: "select chil_end_exchange($1, $2, $3, $4, $5, $6, $7, $8, $9)")

    let item: WorkItem
    let exchange: CodeExchange
    let gain: Gain
    let now: Timestamp

    package var tenant: TenantID { item.tenant }

    package init(_ item: WorkItem, of exchange: CodeExchange, with gain: Gain, at now: Timestamp) {
        self.item = item
        self.exchange = exchange
        self.gain = gain
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.id)
        values.append(item.fence)
        values.append(item.subject)
        values.append(exchange.provider)
        values.append(exchange.clientID)
        switch gain {
        case .token(let sealed):
            values.append(sealed)
            values.appendNull()
        case .nothing(let reason):
            values.appendNull()
            values.append(reason)
        }
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome { try row.word(0) }
}
