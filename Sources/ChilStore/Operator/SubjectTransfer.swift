package import ChilCore
package import ChilDatabase

/// One line of a team transfer: who a user was with the other team, by the identifier that leads to who the user is now.
package struct SubjectTransfer: Sendable, Equatable {
    package let subject: String
    package let transferSubject: String

    package init(subject: String, transferSubject: String) {
        self.subject = subject
        self.transferSubject = transferSubject
    }
}

/// Where a page of what a provider record has begins, and how long it is.
private struct PagePlace {
    let tenant: TenantID
    let provider: ProviderID
    let after: String
    let countMax: Int

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(provider)
        values.append(after)
        values.append(Int64(countMax))
    }
}

/// The subjects of a provider record in order, a page at a time.
package struct SubjectPage: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select subject from identity
         where tenant_id = $1 and provider_id = $2 and subject > $3
         order by subject
         limit $4
        """
    )

    private let place: PagePlace

    package var tenant: TenantID { place.tenant }

    /// - Parameter after: the last one of the page before; empty for the first page.
    package init(of provider: ProviderID, in tenant: TenantID, after: String, countMax: Int) {
        place = PagePlace(tenant: tenant, provider: provider, after: after, countMax: countMax)
    }

    package func bind(_ values: inout BoundValues) { place.bind(&values) }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

/// Stores lines of a team transfer. A line that is there already is no error; another subject for the same identifier is not taken.
package struct SubjectTransfersAdd: TenantStatement {
    package static let access = Batch.Access.write
    /// Lines of one batch.
    package static let countMax = 1_000
    package static let sql = SQL(
        """
        with change as (
            insert into subject_transfer (tenant_id, provider_id, transfer_subject, subject, created_at)
            select $1, $5, line.transfer_subject, line.subject, $3
              from unnest(string_to_array($6, E'\\n'), string_to_array($7, E'\\n')) as line (transfer_subject, subject)
            on conflict on constraint subject_transfer_pkey do nothing
            returning transfer_subject
        ), note as (
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target, detail)
            select $1, $2, $3, 'operator', $4, 'transfer.import', $5::text, count(*)::text from change having count(*) > 0
        )
        select count(*) from change
        """
    )

    package let tenant: TenantID
    let provider: ProviderID
    let lines: [SubjectTransfer]
    let note: OperatorNote

    /// - Parameter lines: at most `countMax`, without line ends in them.
    package init(_ lines: [SubjectTransfer], to provider: ProviderID, in tenant: TenantID, note: OperatorNote) {
        self.tenant = tenant
        self.provider = provider
        self.lines = lines
        self.note = note
    }

    package func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(provider)
        values.append(lines.map(\.transferSubject).joined(separator: "\n"))
        values.append(lines.map(\.subject).joined(separator: "\n"))
    }

    /// How many are new.
    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int { Int(try row.int64(0)) }
}

/// The stored lines in order of their identifiers, a page at a time.
package struct SubjectTransferPage: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select transfer_subject, subject from subject_transfer
         where tenant_id = $1 and provider_id = $2 and transfer_subject > $3
         order by transfer_subject
         limit $4
        """
    )

    private let place: PagePlace

    package var tenant: TenantID { place.tenant }

    /// - Parameter after: the last identifier of the page before; empty for the first page.
    package init(of provider: ProviderID, in tenant: TenantID, after: String, countMax: Int) {
        place = PagePlace(tenant: tenant, provider: provider, after: after, countMax: countMax)
    }

    package func bind(_ values: inout BoundValues) { place.bind(&values) }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> SubjectTransfer {
        SubjectTransfer(subject: row.text(1), transferSubject: row.text(0))
    }
}

/// A user gets the subject that the provider says now (`chil_move_subject` in `sql/`).
package struct SubjectMove: TenantStatement {
    package enum Outcome: String, Sendable {
        case moved
        /// Somebody has that subject already: an account made before the lines were imported. The line stays.
        case taken
        /// The user is no more; the line is gone.
        case nobody
        /// There was no such line: moved already, by a sign-in.
        case missing
    }

    package static let access = Batch.Access.write
    package static let sql = SQL("select chil_move_subject($1, $5, $6, $7, $8, $2, $4, $3)")

    package let tenant: TenantID
    let provider: ProviderID
    let transferSubject: String
    let subject: String
    let email: String?
    let note: OperatorNote

    /// - Parameter email: the relay address with the new team, if there is one.
    package init(
        byTransferSubject transferSubject: String,
        to subject: String,
        email: String?,
        of provider: ProviderID,
        in tenant: TenantID,
        note: OperatorNote
    ) {
        self.tenant = tenant
        self.provider = provider
        self.transferSubject = transferSubject
        self.subject = subject
        self.email = email
        self.note = note
    }

    package func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(provider)
        values.append(transferSubject)
        values.append(subject)
        values.append(email)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome { try row.word(0) }
}
