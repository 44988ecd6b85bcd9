package import ChilCore
package import ChilDatabase

/// Which consent the first of a tenant's services waits for that may not be asked for a user without it (`chil_image_obstacle` in `sql/`).
/// `nil`: one of them may be asked now.
package struct ImageConsentLack: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL("select coalesce(chil_image_obstacle($1, $2, $3), '')")

    package let tenant: TenantID
    let purpose: ImagePurpose
    let user: UserID

    package init(for purpose: ImagePurpose, of user: UserID, in tenant: TenantID) {
        self.purpose = purpose
        self.user = user
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(purpose.rawValue)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ConsentLack? {
        ConsentLack(verdict: row.text(0))
    }
}
