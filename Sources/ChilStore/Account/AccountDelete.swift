package import ChilCore
package import ChilDatabase

package enum AccountDeletionKind {}

/// The number of a deletion, which outlives the account.
package typealias AccountDeletionID = Identifier<AccountDeletionKind>

/// Ends an account: the person and all that hangs on one, in one transaction (`chil_delete_account` in `sql/`).
package struct AccountDelete: Sendable {
    package enum Outcome: Sendable, Equatable {
        case deleted(drawings: Int64)
        /// No such user, or not any more.
        case missing
        /// Who callers without a token are: the tenant's, nobody's account.
        case isGuest
    }

    /// Who wants it, for the audit.
    package enum Origin: Sendable {
        case user(requestID: String)
        case `operator`(name: String)

        var word: String {
            switch self {
            case .user: "user"
            case .operator: "operator"
            }
        }
    }

    /// Up to so many bytes of images are gone well within the ordinary patience of a batch (a gigabyte takes PostgreSQL seconds).
    package static let ordinaryBytesMax: Int64 = 64 << 20
    /// For a larger account.
    package static let patience = Duration.seconds(300)

    let tenant: TenantID
    let user: UserID
    let deletion: AccountDeletionID
    let receiptDigest: [UInt8]
    let pepper: [UInt8]
    let origin: Origin
    let audit: AuditID
    let now: Timestamp

    /// - Parameters:
    ///   - receiptDigest: SHA-256 of the receipt: the receipt itself is the person's alone.
    ///   - pepper: what the digest of the subject is made with, by which tokens from before are known (`chil_subject_digest`).
    package init(
        _ user: UserID,
        of tenant: TenantID,
        as deletion: AccountDeletionID,
        receiptDigest: [UInt8],
        pepper: [UInt8],
        by origin: Origin,
        audit: AuditID,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.user = user
        self.deletion = deletion
        self.receiptDigest = receiptDigest
        self.pepper = pepper
        self.origin = origin
        self.audit = audit
        self.now = now
    }

    /// A large account needs `patience`, in PostgreSQL (set here) and of the client (`DatabaseConfiguration.patient`).
    package func run(on database: some Database) async throws(DatabaseError) -> Outcome {
        var batch = Batch(.write, of: tenant)
        batch.add(StatementPatience(length: Self.patience))
        let verdict = batch.add(AccountDeleteCall(delete: self))
        batch.add(AccountDeleteAudit(delete: self))
        guard let outcome = try await database.run(batch).first(verdict) else {
            throw .noRow(of: AccountDeleteCall.self)
        }
        return outcome
    }
}

private struct AccountDeleteCall: Statement {
    static let sql = SQL(entering: "select * from chil_delete_account($1, $2, $3, $4, $5, $6, $7)")

    let delete: AccountDelete

    func bind(_ values: inout BoundValues) {
        values.append(delete.tenant)
        values.append(delete.user)
        values.append(delete.deletion)
        values.append(delete.receiptDigest)
        values.append(delete.origin.word)
        values.append(delete.now)
        values.append(delete.pepper)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> AccountDelete.Outcome {
        switch row.text(0) {
        case "deleted": .deleted(drawings: try row.int64(1))
        case "missing": .missing
        case "guest": .isGuest
        case let word: throw .unknownWord(word)
        }
    }
}

/// Of a deletion that happened. The person is a number in it, which leads nowhere any more.
private struct AccountDeleteAudit: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail, request_id)
        select $1, $2, $3, $4, $5, 'account.delete', $6::text, d.drawings || ' drawings', $7
          from account_deletion d where d.tenant_id = $1 and d.deletion_id = $8
        """
    )

    let delete: AccountDelete

    func bind(_ values: inout BoundValues) {
        values.append(delete.tenant)
        values.append(delete.audit)
        values.append(delete.now)
        values.append(delete.origin.word)
        switch delete.origin {
        case .user: values.append(String(delete.user.rawValue))
        case .operator(let name): values.append(name)
        }
        values.append(String(delete.user.rawValue))
        if case .user(let requestID) = delete.origin { values.append(requestID) } else { values.appendNull() }
        values.append(delete.deletion)
    }
}
