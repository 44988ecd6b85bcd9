package import ChilCore
package import ChilDatabase

package enum ErasureRequestKind {}

/// The number of a request for erasure.
package typealias ErasureRequestID = Identifier<ErasureRequestKind>

/// What a guardian has asked the operator to erase, and what became of it.
package struct ErasureRequest: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable { case open, done, refused }

    /// In so many days it is to be answered (PIPA Enforcement Decree Art. 43(3)).
    package static let days: Int64 = 10
    /// Bytes of UTF-8 of a reference or a reason.
    package static let textBytesMax = 400

    package let id: ErasureRequestID
    package let user: UserID
    package let state: State
    /// The operator's own; wiped when the request is over.
    package let reference: String?
    package let openedAt: Timestamp
    package let dueAt: Timestamp
    package let closedAt: Timestamp?
    /// Of a refusal.
    package let reason: String?

    package func isOverdue(at now: Timestamp) -> Bool {
        state == .open && dueAt < now
    }

    static let columns = "request_id, user_id, state, reference, opened_at, due_at, closed_at, reason"

    init(_ row: ResultRow) throws(DatabaseError) {
        id = try row.id(0)
        user = try row.id(1)
        state = try row.word(2)
        reference = row.textOrNil(3)
        openedAt = try row.timestamp(4)
        dueAt = try row.timestamp(5)
        closedAt = try row.timestampOrNil(6)
        reason = row.textOrNil(7)
    }
}

/// A tenant's requests: the open ones, the one that is due first before the others; then, if they are asked for, those that are over.
package struct ErasureRequestList: TenantStatement {
    package static let countMax = 1_000

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(ErasureRequest.columns) from erasure_request
         where tenant_id = $1 and (state = 'open' or $2)
         order by state <> 'open', coalesce(closed_at, due_at), request_id limit \(countMax)
        """
    )

    package let tenant: TenantID
    let includesClosed: Bool

    package init(of tenant: TenantID, includesClosed: Bool) {
        self.tenant = tenant
        self.includesClosed = includesClosed
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(includesClosed)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ErasureRequest { try ErasureRequest(row) }
}

/// No row: there is none of that number.
package struct ErasureRequestOne: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select \(ErasureRequest.columns) from erasure_request where tenant_id = $1 and request_id = $2"
    )

    package let tenant: TenantID
    let id: ErasureRequestID

    package init(_ id: ErasureRequestID, of tenant: TenantID) {
        self.tenant = tenant
        self.id = id
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(id)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ErasureRequest { try ErasureRequest(row) }
}
