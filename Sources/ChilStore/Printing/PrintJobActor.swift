package import ChilCore
package import ChilDatabase

/// Who wants something of a print job that is not theirs to work on: its person, or an operator; with what the audit says of it.
package enum PrintJobActor: Sendable {
    /// - Parameter audit: a fresh number, used once.
    case person(UserID, UserNote)
    case `operator`(OperatorNote)

    /// Whose jobs there are for them; `nil`: all of the tenant's.
    var owner: UserID? {
        switch self {
        case .person(let user, _): user
        case .operator: nil
        }
    }

    var now: Timestamp {
        switch self {
        case .person(_, let note): note.now
        case .operator(let note): note.now
        }
    }

    var audit: AuditID {
        switch self {
        case .person(_, let note): note.audit
        case .operator(let note): note.audit
        }
    }

    /// Kind, name, audit number, request, time.
    func bind(_ values: inout BoundValues) {
        switch self {
        case .person(let user, let note):
            values.append("user")
            values.append("\(user.rawValue)")
            values.append(note.audit)
            values.append(note.requestID)
        case .operator(let note):
            values.append("operator")
            values.append(note.operatorName)
            values.append(note.audit)
            values.appendNull()
        }
        values.append(now)
    }
}

/// Wants a job that is under way canceled (`chil_cancel_print_job` in `sql/`): whoever works on it reads it with the next step.
package struct PrintJobCancel: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        case wanted
        /// It has ended.
        case over(PrintJobState)
        /// There is none of theirs.
        case missing
    }

    package static let access = Batch.Access.write
    package static let sql = SQL("select * from chil_cancel_print_job($1, $2, $3, $4, $5, $6, $7, $8)")

    package let tenant: TenantID
    let job: PrintJobID
    let actor: PrintJobActor

    package init(_ job: PrintJobID, in tenant: TenantID, by actor: PrintJobActor) {
        self.tenant = tenant
        self.job = job
        self.actor = actor
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(actor.owner)
        values.append(job)
        actor.bind(&values)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        switch row.text(0) {
        case "wanted": .wanted
        case "over": .over(try row.word(1))
        case "missing": .missing
        case let word: throw .unknownWord(word)
        }
    }
}

/// The job machine of a job that has ended, as it was read and as it is to be: it is written only over the one that was read.
package struct PrintMachineChange: Sendable {
    let was: String?
    let becomes: String

    package init(from was: String?, to becomes: String) {
        self.was = was
        self.becomes = becomes
    }
}

/// A person's word on a job of which nobody knows whether it was printed.
package struct PrintJobResolve: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        case resolved
        /// It is not in that doubt.
        case state(PrintJobState)
        /// The machine is another by now: read it again.
        case changed
        case missing
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(
        "select * from chil_resolve_print_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
    )

    package let tenant: TenantID
    let job: PrintJobID
    let change: PrintMachineChange
    let state: PrintJobState
    let reason: String?
    let actor: PrintJobActor

    package init(
        _ job: PrintJobID,
        in tenant: TenantID,
        _ change: PrintMachineChange,
        as state: PrintJobState,
        reason: String?,
        by actor: PrintJobActor
    ) {
        self.tenant = tenant
        self.job = job
        self.change = change
        self.state = state
        self.reason = reason
        self.actor = actor
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(actor.owner)
        values.append(job)
        values.append(change.was)
        values.append(change.becomes)
        values.append(state.rawValue)
        values.append(reason)
        actor.bind(&values)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        switch row.text(0) {
        case "resolved": .resolved
        case "state": .state(try row.word(1))
        case "changed": .changed
        case "missing": .missing
        case let word: throw .unknownWord(word)
        }
    }
}
