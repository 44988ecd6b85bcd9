package import ChilCore
package import ChilDatabase

/// Leases requests from all limits of a tenant, or of one of its users, and gives back what is left of the lease before.
package struct RequestLease: TenantStatement {
    /// What is asked.
    package struct Ask: Sendable, Equatable {
        /// Granted only while that is a small part of what is left.
        package var wanted: Int64
        /// As many wait now: granted if so many are left.
        package var needed: Int64
        /// Into how many parts what is left is divided: a lease beyond `needed` is one of them at most.
        package var parts: Int64
        /// Not used of a lease.
        package var back: Int64
        /// When that was leased.
        package var backOf: Timestamp

        package init(wanted: Int64, needed: Int64, parts: Int64, back: Int64 = 0, of backOf: Timestamp) {
            self.wanted = wanted
            self.needed = needed
            self.parts = parts
            self.back = back
            self.backOf = backOf
        }
    }

    package struct Grant: Sendable, Equatable {
        package let count: Int64
        /// The lease ends with the first window that it was taken from.
        package let until: Timestamp
        /// Why it is less than was needed.
        package let refusal: QuotaRefusal?

        package init(count: Int64, until: Timestamp, refusal: QuotaRefusal?) {
            self.count = count
            self.until = until
            self.refusal = refusal
        }
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(
        "select o_granted, o_until, o_refusal from chil_lease_requests($1, $2, $3, $4, $5, $6, $7, $8)"
    )

    package let tenant: TenantID
    let user: UserID?
    let ask: Ask
    let now: Timestamp

    /// - Parameter user: whose limits; `nil`: those of all of the tenant together.
    package init(_ ask: Ask, in tenant: TenantID, by user: UserID?, at now: Timestamp) {
        self.tenant = tenant
        self.user = user
        self.ask = ask
        self.now = now
    }

    /// The rows of one user are nobody else's.
    package var contention: Batch.ContentionKey? {
        QuotaMetric.requests.contention(of: tenant, isLimited: user == nil)
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(ask.wanted)
        values.append(ask.needed)
        values.append(ask.parts)
        values.append(ask.back)
        values.append(ask.backOf)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Grant {
        var refusal: QuotaRefusal?
        if let text = row.textOrNil(2) {
            refusal = QuotaRefusal(text: text)
            if refusal == nil { throw .unknownWord(text) }
        }
        return Grant(count: try row.int64(0), until: try row.timestamp(1), refusal: refusal)
    }
}
