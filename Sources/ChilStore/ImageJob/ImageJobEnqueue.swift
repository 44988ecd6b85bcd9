package import ChilCore
package import ChilDatabase

/// Accepts a job: drawing, work, quotas and audit in one batch (`chil_enqueue_image_job` in `sql/`).
package struct ImageJobEnqueue: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        case created
        /// The owner was deleted.
        case noOwner
        /// No such drawing of this owner.
        case noDrawing
        /// The drawing that shall move has no picture yet.
        case noImage
        /// The tenant has no service for this, or has switched them off.
        case noEndpoint
        /// The limit that refused; nothing was taken.
        case overQuota(QuotaRefusal)
        /// The guardian has not agreed to it.
        case noConsent(ConsentLack)
    }

    /// What is asked for.
    package struct Draft: Sendable {
        package let id: DrawingID
        package let purpose: ImagePurpose
        package let source: DrawingID?
        package let title: String?
        package let prompt: String?
        package let parameters: String

        /// - Parameters:
        ///   - id: of the drawing that will come of it, and of the job.
        ///   - source: the drawing that shall move.
        ///   - parameters: JSON, for the worker alone.
        package init(
            id: DrawingID,
            purpose: ImagePurpose,
            source: DrawingID? = nil,
            title: String? = nil,
            prompt: String? = nil,
            parameters: String = "{}"
        ) {
            self.id = id
            self.purpose = purpose
            self.source = source
            self.title = title
            self.prompt = prompt
            self.parameters = parameters
        }
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(
        entering: "select chil_enqueue_image_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
    )

    package let tenant: TenantID
    let owner: UserID
    let draft: Draft
    let requestID: String?
    let now: Timestamp
    let isLimited: Bool

    /// - Parameter isLimited: whether the tenant has a limit on drawings or on what the job takes: such batches go in turn.
    package init(
        _ draft: Draft,
        of owner: UserID,
        in tenant: TenantID,
        requestID: String?,
        at now: Timestamp,
        isLimited: Bool
    ) {
        self.tenant = tenant
        self.owner = owner
        self.draft = draft
        self.requestID = requestID
        self.now = now
        self.isLimited = isLimited
    }

    package var contention: Batch.ContentionKey? { QuotaMetric.drawings.contention(of: tenant, isLimited: isLimited) }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(draft.id)
        values.append(draft.purpose.rawValue)
        values.append(draft.source)
        values.append(draft.title)
        values.append(draft.prompt)
        values.append(draft.parameters)
        values.append(requestID)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        let verdict = row.text(0)
        if let lack = ConsentLack(verdict: verdict) { return .noConsent(lack) }
        return switch verdict {
        case "created": .created
        case "owner": .noOwner
        case "drawing": .noDrawing
        case "image": .noImage
        case "endpoint": .noEndpoint
        case let word:
            if let refusal = QuotaRefusal(verdict: word) { .overQuota(refusal) } else { throw .unknownWord(word) }
        }
    }
}

/// `ImageJobEnqueue` of a request with a key (`chil_once_enqueue_image_job` in `sql/`).
package struct ImageJobEnqueueOnce: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        "select * from chil_once_enqueue_image_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
    )

    let enqueue: ImageJobEnqueue
    let mark: OnceMark

    package init(_ enqueue: ImageJobEnqueue, _ mark: OnceMark) {
        self.enqueue = enqueue
        self.mark = mark
    }

    package var tenant: TenantID { enqueue.tenant }
    package var contention: Batch.ContentionKey? { enqueue.contention ?? mark.contention(of: tenant) }

    package func bind(_ values: inout BoundValues) {
        enqueue.bind(&values)
        mark.bind(&values)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Once<ImageJobEnqueue.Outcome> {
        if let earlier = try Once<ImageJobEnqueue.Outcome>(row, subject: 1) { return earlier }
        return .first(try ImageJobEnqueue.row(row))
    }
}
