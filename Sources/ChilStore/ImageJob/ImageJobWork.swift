package import ChilCore
package import ChilDatabase

/// Leases jobs that are due: a service that takes minutes takes nobody else's turn.
package struct ImageJobClaim: SharedClaim {
    package static let sql = SQL(ShareClaim.text(of: .image))

    package let share: ShareClaim

    package init(_ share: ShareClaim) {
        self.share = share
    }
}

/// One step of a job by the worker that holds its lease. False: the lease is another's now, nothing was written.
package struct ImageJobAdvance: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(entering: "select chil_advance_image_job($1, $2, $3, $4, $5, $6, $7)")

    let item: WorkItem
    let state: ImageJobState
    let machine: String
    let again: Duration
    let now: Timestamp

    /// - Parameters:
    ///   - machine: the state machine's own text, from which the next holder goes on.
    ///   - again: for how long the work is this worker's, or rests.
    package init(_ item: WorkItem, to state: ImageJobState, machine: String, again: Duration, at now: Timestamp) {
        self.item = item
        self.state = state
        self.machine = machine
        self.again = again
        self.now = now
    }

    package var tenant: TenantID { item.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.subject)
        values.append(item.fence)
        values.append(state.rawValue)
        values.append(machine)
        values.append(again.wholeMicroseconds / 1_000)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}

/// Publishes the picture of a job (`chil_settle_image_job` in `sql/`): all or nothing.
package struct ImageJobSettle: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        case ready
        /// The lease is another's now.
        case lost
        /// The drawing was deleted meanwhile; its work is done.
        case gone
        /// Staged chunks are missing, or their lease is over: stage them again.
        case unstaged
        /// There is no room to keep it: the job is to be failed.
        case overQuota(QuotaRefusal)
    }

    /// What a service made.
    package struct Made: Sendable {
        package let image: ImageFacts
        package let bytes: [UInt8]?
        package let endpoint: ImageEndpointID?
        package let revisedPrompt: String?

        /// - Parameters:
        ///   - bytes: the whole image, else `nil` after `ImageStore.stage`.
        ///   - revisedPrompt: what the service says that it drew.
        package init(image: ImageFacts, bytes: [UInt8]?, endpoint: ImageEndpointID?, revisedPrompt: String?) {
            self.image = image
            self.bytes = bytes
            self.endpoint = endpoint
            self.revisedPrompt = revisedPrompt
        }
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(
        entering: "select chil_settle_image_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
    )

    let item: WorkItem
    let made: Made
    let machine: String
    let now: Timestamp

    package init(_ item: WorkItem, _ made: Made, machine: String, at now: Timestamp) {
        self.item = item
        self.made = made
        self.machine = machine
        self.now = now
    }

    package var tenant: TenantID { item.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.subject)
        values.append(item.fence)
        values.append(made.image.hash)
        values.append(made.image.byteCount)
        values.append(made.image.mediaType)
        values.append(int32: made.image.width)
        values.append(int32: made.image.height)
        values.append(made.bytes)
        values.append(made.endpoint)
        values.append(made.revisedPrompt)
        values.append(machine)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        switch row.text(0) {
        case "ready": return .ready
        case "lost": return .lost
        case "gone": return .gone
        case "unstaged": return .unstaged
        case let word:
            guard let refusal = QuotaRefusal(verdict: word) else { throw .unknownWord(word) }
            return .overQuota(refusal)
        }
    }
}

/// Ends a job that came to nothing; what was reserved goes back. False: the lease is another's now, nothing was written.
package struct ImageJobFail: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(entering: "select chil_fail_image_job($1, $2, $3, $4, $5, $6)")

    let item: WorkItem
    let fault: String
    let machine: String
    let now: Timestamp

    /// - Parameter fault: a code that is told to the person.
    package init(_ item: WorkItem, for fault: String, machine: String, at now: Timestamp) {
        self.item = item
        self.fault = fault
        self.machine = machine
        self.now = now
    }

    package var tenant: TenantID { item.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.subject)
        values.append(item.fence)
        values.append(fault)
        values.append(machine)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}

/// Ends the work of a job whose drawing is gone; what was reserved goes back. False: the lease is another's now.
package struct ImageJobDrop: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(entering: "select chil_drop_image_job($1, $2, $3)")

    let item: WorkItem

    package init(_ item: WorkItem) {
        self.item = item
    }

    package var tenant: TenantID { item.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.subject)
        values.append(item.fence)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
