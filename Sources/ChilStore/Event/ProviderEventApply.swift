package import ChilCore
package import ChilDatabase

/// Acts on an event and ends its work: sessions end and the provider's token goes, the account is deleted, or what became of the relay
/// address is noted. `chil_apply_event` in `sql/` decides.
package struct ProviderEventApply: TenantStatement {
    package enum Outcome: String, Sendable {
        case applied
        /// No user of this tenant has that subject.
        case nobody
        /// It came late: what it would undo was made after it.
        case stale
        /// The tenant's guest, who is nobody's account.
        case guest
        /// It was acted on before.
        case over
        /// The lease is another's now; nothing was done.
        case lost
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(
        entering: "select verdict, o_user_id from chil_apply_event($1, $2, $3, $4, $5, $6, $7)"
    )

    package struct Row: Sendable {
        package let outcome: Outcome
        package let user: UserID?
    }

    package let tenant: TenantID
    let item: WorkItem
    let receipt: [UInt8]
    let pepper: [UInt8]
    let now: Timestamp

    /// - Parameters:
    ///   - receipt: SHA-256 of a random receipt: an account that the provider deletes has one as any other, but nobody asks by it.
    ///   - pepper: as `AccountDelete` has it.
    package init(_ item: WorkItem, receipt: [UInt8], pepper: [UInt8], at now: Timestamp) {
        self.pepper = pepper
        tenant = item.tenant
        self.item = item
        self.receipt = receipt
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.id)
        values.append(item.fence)
        values.append(item.subject)
        values.append(receipt)
        values.append(now)
        values.append(pepper)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(outcome: try row.word(0), user: try row.int64OrNil(1).map(UserID.init(rawValue:)))
    }
}
