package import ChilDatabase

/// The tenants that have a client id, by their slugs. A production client id of an issuer belongs to one; development ones are shared.
/// Reference tables: no tenant needs to be entered.
package struct ClientOwners: Statement {
    /// More are not asked: so many share a client id for development only.
    package static let countMax = 16

    package static let sql = SQL(
        """
        select t.slug from tenant t
         where t.tenant_id in (select c.tenant_id from provider_client c where c.client_id = $1 order by c.is_development, c.tenant_id limit $2)
         order by t.slug
        """
    )

    let clientID: String

    package init(of clientID: String) {
        self.clientID = clientID
    }

    package func bind(_ values: inout BoundValues) {
        values.append(clientID)
        values.append(Int64(Self.countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
