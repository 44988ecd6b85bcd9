package import ChilCore
package import ChilDatabase

package enum ImageEndpointKind {}
package typealias ImageEndpointID = Identifier<ImageEndpointKind>

/// What services are asked for: a drawing of a wish, or motion of a drawing.
package enum ImagePurpose: String, Sendable, CaseIterable {
    case generation, motion

    /// The quota that a job takes.
    package var metric: QuotaMetric {
        switch self {
        case .generation: .generations
        case .motion: .motions
        }
    }
}

/// How far a job is, as others see it.
package enum ImageJobState: String, Sendable {
    case queued, running, ready, failed
}

/// What a person who waits for a job is told; no row: it is another's, or the drawing is gone.
package struct ImageJobLook: TenantStatement {
    package struct Row: Sendable, Equatable {
        package let state: ImageJobState
        /// The code of a failure.
        package let fault: String?

        package init(state: ImageJobState, fault: String?) {
            self.state = state
            self.fault = fault
        }
    }

    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select state, fault from image_job where tenant_id = $1 and job_id = $2 and owner_id = $3"
    )

    package let tenant: TenantID
    let owner: UserID
    let drawing: DrawingID

    package init(_ drawing: DrawingID, of owner: UserID, in tenant: TenantID) {
        self.tenant = tenant
        self.owner = owner
        self.drawing = drawing
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(drawing)
        values.append(owner)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(state: try row.word(0), fault: row.textOrNil(1))
    }
}

/// All that a worker needs to go on with a job.
package struct ImageJobTask: Sendable {
    package struct Source: Sendable {
        package let id: DrawingID
        package let hash: [UInt8]
        package let mediaType: String
        package let byteCount: Int64
    }

    package let job: DrawingID
    package let purpose: ImagePurpose
    package let owner: UserID
    /// JSON, as the route wrote it.
    package let parameters: String
    package let prompt: String?
    /// The state machine's own text; `nil` before its first step.
    package let machine: String?
    package let createdAt: Timestamp
    /// The drawing that shall move; `nil`: there is none, or it was deleted.
    package let source: Source?
}

package struct ImageJobLoad: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select j.job_id, j.kind, j.owner_id, j.parameters, d.prompt, j.machine, j.created_at,
               s.drawing_id, s.image_hash, s.media_type, s.byte_count
          from image_job j
          join drawing d on d.tenant_id = $1 and d.drawing_id = j.job_id
          left join drawing s on s.tenant_id = $1 and s.owner_id = j.owner_id and s.drawing_id = j.source_id and s.image_hash is not null
         where j.tenant_id = $1 and j.job_id = $2
        """
    )

    let item: WorkItem

    package init(_ item: WorkItem) {
        self.item = item
    }

    package var tenant: TenantID { item.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(item.tenant)
        values.append(item.subject)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ImageJobTask {
        var source: ImageJobTask.Source?
        if let hash = row.bytesOrNil(8) {
            source = ImageJobTask.Source(
                id: try row.id(7),
                hash: hash,
                mediaType: row.text(9),
                byteCount: try row.int64(10)
            )
        }
        return ImageJobTask(
            job: try row.id(0),
            purpose: try row.word(1),
            owner: try row.id(2),
            parameters: row.text(3),
            prompt: row.textOrNil(4),
            machine: row.textOrNil(5),
            createdAt: try row.timestamp(6),
            source: source
        )
    }
}
