package import ChilCore
package import ChilDatabase

/// One step of a job by the worker that holds its lease: new state, history, remote job, and when to look again.
/// Says how the job stands in the printer's line, too.
package struct PrintJobAdvance: TenantStatement {
    /// What the job has to do with its printer until the next step.
    package enum Turn: String, Sendable {
        /// It is about to begin, and only with the printer's turn.
        case take
        /// It is at it; a worker holds it.
        case keep
        /// The printer has it, nobody looks at it for a while.
        case hold
        /// It waits in the queue: the turn is the next one's.
        case free
        /// It is over.
        case end
    }

    package struct Answer: Sendable, Equatable {
        /// False: the lease is another's now, nothing was written.
        package let isStored: Bool
        /// Of `.take`: whether it has the printer. If not, it waits in line, and its work was put off.
        package let hasTurn: Bool
        /// Somebody wants it canceled.
        package let isCancelWanted: Bool
        /// Another job's turn has come: its work is due.
        package let hasPassed: Bool
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        select * from chil_advance_print_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
        """
    )

    let item: WorkItem
    let state: PrintJobState
    let reason: String?
    let pages: Int32
    let remoteJobID: String?
    let remoteJobURI: String?
    let machine: String
    let again: Duration?
    let turn: Turn
    let rest: Duration
    let knowsCancel: Bool
    let place: PrintPlace?
    let now: Timestamp

    /// - Parameters:
    ///   - pages: that came out, as far as the printer has said; what is settled when the job ends.
    ///   - remoteJobID: the printer's name for the job; `nil` leaves what is stored.
    ///   - machine: the job machine's own text, from which the next holder goes on.
    ///   - again: when the job is due next, from now; `nil`: never, its work is done.
    ///   - turn: `nil`: it keeps what it has, or is over.
    ///   - rest: how long it waits if it is not its turn, or how long nobody is called after it.
    ///   - knowsCancel: the machine knows that the job is to be canceled; else whoever wants that has it looked at at once.
    ///   - place: the real printer; `nil`: in no line.
    package init(
        _ item: WorkItem,
        to state: PrintJobState,
        reason: String?,
        pages: Int32 = 0,
        remoteJobID: String? = nil,
        remoteJobURI: String? = nil,
        machine: String,
        again: Duration?,
        turn: Turn? = nil,
        rest: Duration = .zero,
        knowsCancel: Bool = false,
        place: PrintPlace? = nil,
        at now: Timestamp
    ) {
        self.item = item
        self.state = state
        self.reason = reason
        self.pages = pages
        self.remoteJobID = remoteJobID
        self.remoteJobURI = remoteJobURI
        self.machine = machine
        self.again = again
        self.turn = turn ?? (again == nil ? .end : .keep)
        self.rest = rest
        self.knowsCancel = knowsCancel
        self.place = place
        self.now = now
    }

    package var tenant: TenantID { item.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.id)
        values.append(item.fence)
        values.append(item.subject)
        values.append(state.rawValue)
        values.append(reason)
        values.append(int32: pages)
        values.append(remoteJobID)
        values.append(remoteJobURI)
        values.append(machine)
        values.append(again.map { $0.wholeMicroseconds / 1_000 })
        values.append(told?.rawValue)
        values.append(now)
        values.append(turn.rawValue)
        values.append(rest.wholeMicroseconds / 1_000)
        values.append(knowsCancel)
        values.append(place?.tenant)
        values.append(place?.printer)
    }

    private var told: WebhookType? {
        switch state {
        case .completed: .printCompleted
        case .blocked: .printBlocked
        case .failed, .expired, .outcomeUnknown: .printFailed
        case .queued, .submitting, .sent, .printing, .canceling, .canceled: nil
        }
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Answer {
        let verdict = row.text(0)
        return Answer(
            isStored: verdict != "lost",
            hasTurn: verdict == "stored",
            isCancelWanted: try row.bool(1),
            hasPassed: try row.bool(2)
        )
    }
}
