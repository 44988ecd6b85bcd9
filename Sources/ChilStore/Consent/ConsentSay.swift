package import ChilCore
package import ChilDatabase

/// Writes down what a child's guardian said (`chil_record_consent` in `sql/`). What holds already is not written again.
package struct ConsentSay: TenantStatement {
    package enum Outcome: String, Sendable {
        case recorded
        /// It held already.
        case unchanged
        /// No such user.
        case missing
        /// The tenant has no notice of that version yet.
        case noSuchNotice = "notice"
    }

    /// What was said.
    package struct Saying: Sendable {
        package let scopes: [ConsentScope]
        /// False: consent is taken back.
        package let isGiven: Bool
        package let guardian: String?
        package let method: ConsentMethod?
        package let notice: Int32?

        package init(
            _ scopes: [ConsentScope],
            isGiven: Bool,
            guardian: String?,
            method: ConsentMethod?,
            notice: Int32?
        ) {
            self.scopes = scopes
            self.isGiven = isGiven
            self.guardian = guardian
            self.method = method
            self.notice = notice
        }
    }

    /// Who wrote it down, for the audit.
    package enum Writer: Sendable {
        case user(requestID: String)
        case `operator`(name: String)
    }

    /// Bytes of UTF-8.
    package static let guardianBytesMax = 128

    package static let access = Batch.Access.write
    package static let sql = SQL("select chil_record_consent($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)")

    package let tenant: TenantID
    let user: UserID
    let id: ConsentID
    let saying: Saying
    let writer: Writer
    let audit: AuditID
    let now: Timestamp

    package init(
        _ saying: Saying,
        of user: UserID,
        in tenant: TenantID,
        as id: ConsentID,
        by writer: Writer,
        audit: AuditID,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.user = user
        self.id = id
        self.saying = saying
        self.writer = writer
        self.audit = audit
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(id)
        values.append(ConsentPolicy.lines(saying.scopes))
        values.append(saying.isGiven)
        values.append(saying.guardian)
        values.append(saying.method?.rawValue)
        values.append(int32: saying.notice)
        switch writer {
        case .user(let requestID):
            values.append("user")
            values.append(String(user.rawValue))
            values.append(audit)
            values.append(requestID)
        case .operator(let name):
            values.append("operator")
            values.append(name)
            values.append(audit)
            values.appendNull()
        }
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome { try row.word(0) }
}
