package import ChilCore
package import ChilDatabase

package enum ConsentKind {}

/// The number of what was said at once.
package typealias ConsentID = Identifier<ConsentKind>

/// What a guardian said of one scope. Rows are only added: the newest one of a scope holds.
package struct ConsentRecord: Sendable, Equatable {
    package let id: ConsentID
    package let scope: ConsentScope
    /// False: taken back.
    package let isGiven: Bool
    package let method: ConsentMethod?
    /// The version of the notice that was shown.
    package let notice: Int32?
    /// The app's own reference for who said it.
    package let guardian: String?
    package let at: Timestamp

    init(_ row: ResultRow) throws(DatabaseError) {
        id = try row.id(0)
        guard let scope = ConsentScope(row.text(1)) else { throw .unknownWord(row.text(1)) }
        self.scope = scope
        isGiven = try row.bool(2)
        method = row.isNull(3) ? nil : try row.word(3)
        notice = try row.int32OrNil(4)
        guardian = row.textOrNil(5)
        at = try row.timestamp(6)
    }
}

/// What was said of a user, the newest first.
package struct ConsentList: TenantStatement {
    /// An export has all of them.
    package static let countMax = 100

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select c.consent_id, c.scope, c.is_given, c.method, c.notice, g.guardian, c.at
          from consent c
          left join consent_guardian g on g.tenant_id = $1 and g.consent_id = c.consent_id
         where c.tenant_id = $1 and c.user_id = $2
         order by c.at desc, c.scope, c.sequence desc limit \(countMax)
        """
    )

    package let tenant: TenantID
    let user: UserID

    package init(of user: UserID, in tenant: TenantID) {
        self.tenant = tenant
        self.user = user
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ConsentRecord { try ConsentRecord(row) }
}
