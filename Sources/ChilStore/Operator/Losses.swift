package import ChilCore
package import ChilDatabase

/// How many of a kind an act ends: what an operator sees before it.
package struct Loss: Sendable, Equatable {
    /// In the plural: `drawings`.
    package let kind: String
    package let count: Int64

    package init(_ kind: String, _ count: Int64) {
        self.kind = kind
        self.count = count
    }
}

/// All of a tenant.
package struct TenantLosses: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select (select count(*) from app_user u where u.tenant_id = $1),
               (select count(*) from session s where s.tenant_id = $1),
               (select count(*) from drawing d where d.tenant_id = $1),
               (select count(*) from image i where i.tenant_id = $1),
               (select count(*) from print_job j where j.tenant_id = $1),
               (select count(*) from printer p where p.tenant_id = $1 and p.state <> 'removed'),
               (select count(*) from scanner s where s.tenant_id = $1),
               (select count(*) from webhook_endpoint w where w.tenant_id = $1)
        """
    )

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> [Loss] {
        [
            Loss("users", try row.int64(0)), Loss("sessions", try row.int64(1)), Loss("drawings", try row.int64(2)),
            Loss("images", try row.int64(3)), Loss("prints", try row.int64(4)), Loss("printers", try row.int64(5)),
            Loss("scanners", try row.int64(6)), Loss("webhook endpoints", try row.int64(7)),
        ]
    }
}

/// All of a person.
package struct UserLosses: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select (select count(*) from session s where s.tenant_id = $1 and s.user_id = $2),
               (select count(*) from drawing d where d.tenant_id = $1 and d.owner_id = $2),
               (select count(*) from image i where i.tenant_id = $1 and i.owner_id = $2),
               (select count(*) from print_job j where j.tenant_id = $1 and j.owner_id = $2)
        """
    )

    package let tenant: TenantID
    let user: UserID

    package init(of user: UserID, in tenant: TenantID) {
        self.user = user
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> [Loss] {
        [
            Loss("sessions", try row.int64(0)), Loss("drawings", try row.int64(1)), Loss("images", try row.int64(2)),
            Loss("prints", try row.int64(3)),
        ]
    }
}

/// Where the statements go.
package struct DatabasePlace: Statement {
    package static let sql = SQL(
        "select current_database()::text || coalesce(' at ' || host(inet_server_addr()) || ':' || inet_server_port(), '')"
    )

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
