package import ChilCore
package import ChilDatabase

/// Takes a code that came alone for its exchange. False: it is used, refused, or in someone's hands (`CodeUseLook`).
package struct CodeTake: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(entering: "select chil_take_code_2($1, $2, $3, $4, $5, $6)")

    package let tenant: TenantID
    let digest: [UInt8]
    let boundTo: [UInt8]
    let now: Timestamp
    let lease: Duration

    /// Until when the code is the caller's, which is what the code knows the caller by.
    package var leasedUntil: Timestamp { now + lease }

    /// - Parameters:
    ///   - boundTo: digest of what came with the code, and has to come again with it.
    ///   - lease: how long the exchange may take; after it another request may try.
    package init(_ digest: [UInt8], boundTo: [UInt8], of tenant: TenantID, for lease: Duration, at now: Timestamp) {
        self.tenant = tenant
        self.digest = digest
        self.boundTo = boundTo
        self.lease = lease
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(digest)
        values.append(boundTo)
        values.append(now)
        values.append(leasedUntil)
        values.append(now + SpentCode.lifetime)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}

/// Ends what `CodeTake` began, without a session: with a fault the code stays refused, without one it may be tried again. Nothing is done
/// once another request has taken it.
package struct CodeGiveUp: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        update code_use set fault = $3, leased_until = $4
         where tenant_id = $1 and digest = $2 and session_id is null and leased_until = $5 and bound_to = $6
        """
    )

    let take: CodeTake
    let fault: CodeUse.Fault?
    let now: Timestamp

    package var tenant: TenantID { take.tenant }

    package init(_ take: CodeTake, because fault: CodeUse.Fault?, at now: Timestamp) {
        self.take = take
        self.fault = fault
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(take.tenant)
        values.append(take.digest)
        values.append(fault?.rawValue)
        values.append(now)
        values.append(take.leasedUntil)
        values.append(take.boundTo)
    }
}
