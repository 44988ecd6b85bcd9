import ChilCore
import ChilDatabase
import ChilStore

/// A user's identity as it is stored: for what no operation of the service shows.
struct IdentityLook: Statement {
    struct Row: Equatable, Sendable {
        var subject: String
        var clientID: String?
        var token: [UInt8]?
        var tokenState: String
        var tokenFault: String?
        var transferredFrom: String?
    }

    static let sql = SQL(
        """
        select subject, client_id, sealed_token, token_state, token_fault, transferred_from from identity where tenant_id = $1 order by subject
        """
    )

    let tenant: TenantID

    func bind(_ values: inout BoundValues) { values.append(tenant) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            subject: row.text(0),
            clientID: row.textOrNil(1),
            token: row.bytesOrNil(2),
            tokenState: row.text(3),
            tokenFault: row.textOrNil(4),
            transferredFrom: row.textOrNil(5)
        )
    }
}

/// The sessions of a tenant, oldest first: `id reason`, or `id live`.
struct SessionEnds: Statement {
    static let sql = SQL(
        "select session_id || ' ' || coalesce(end_reason, 'live') from session where tenant_id = $1 order by session_id"
    )

    let tenant: TenantID

    func bind(_ values: inout BoundValues) { values.append(tenant) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

/// What of a sign-in with a code is left: code_use, code_exchange, work of kinds exchange and revoke, token_revocation.
struct CodeRows: Statement {
    static let sql = SQL(
        """
        select (select count(*) from code_use where tenant_id = $1), (select count(*) from code_exchange where tenant_id = $1),
               (select count(*) from work where tenant_id = $1 and kind = 'exchange'),
               (select count(*) from work where tenant_id = $1 and kind = 'revoke'),
               (select count(*) from token_revocation where tenant_id = $1)
        """
    )

    let tenant: TenantID

    func bind(_ values: inout BoundValues) { values.append(tenant) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> [Int64] {
        [try row.int64(0), try row.int64(1), try row.int64(2), try row.int64(3), try row.int64(4)]
    }
}

/// A change that only another part of the house makes.
enum Change {
    struct Ban: Statement {
        typealias Row = Void
        static let sql = SQL("update app_user set state = 'banned' where tenant_id = $1 and user_id = $2")
        let tenant: TenantID
        let user: UserID
        func bind(_ values: inout BoundValues) {
            values.append(tenant)
            values.append(user)
        }
    }

    struct Forget: Statement {
        typealias Row = Void
        static let sql = SQL("delete from app_user where tenant_id = $1 and user_id = $2")
        let tenant: TenantID
        let user: UserID
        func bind(_ values: inout BoundValues) {
            values.append(tenant)
            values.append(user)
        }
    }

    struct Transfer: Statement {
        typealias Row = Void
        static let sql = SQL(
            """
            insert into subject_transfer (tenant_id, provider_id, transfer_subject, subject, created_at) values ($1, $2, $3, $4, now())
            """
        )
        let tenant: TestTenant
        let transferSubject: String
        let subject: String
        func bind(_ values: inout BoundValues) {
            values.append(tenant.id)
            values.append(tenant.provider)
            values.append(transferSubject)
            values.append(subject)
        }
    }
}
