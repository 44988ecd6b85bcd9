package import ChilCore
package import ChilDatabase

/// An image becomes a drawing: quotas taken, image published, row written, all or nothing (`chil_create_drawing` in `sql/`).
package struct DrawingCreate: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        case created
        /// The limit that refused; nothing was taken or stored, the refusal is audited.
        case overQuota(QuotaRefusal)
        /// Staged chunks are missing, or their lease is over: stage them again.
        case unstaged
        /// The owner was deleted.
        case noOwner
        /// The child's guardian has not agreed to it.
        case noConsent(ConsentLack)
    }

    /// What the row says.
    package struct Draft: Sendable {
        package let id: DrawingID
        package let type: DrawingType
        package let title: String?
        package let prompt: String?

        package init(id: DrawingID, type: DrawingType, title: String?, prompt: String?) {
            self.id = id
            self.type = type
            self.title = title
            self.prompt = prompt
        }
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(
        entering: "select chil_create_drawing($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"
    )
    package static let gathered: SQL? = SQL(
        gatheringCallsOf: "chil_create_drawing",
        [
            .bigint, .bigint, .bigint, .text, .text, .text, .bytea, .bigint, .text, .integer, .integer, .bytea, .text,
            .timestamptz, .boolean,
        ]
    )

    package let tenant: TenantID
    let owner: UserID
    let draft: Draft
    let image: ImageFacts
    let bytes: [UInt8]?
    let requestID: String?
    let now: Timestamp
    let isLimited: Bool
    let asksConsent: Bool

    /// - Parameters:
    ///   - bytes: the whole image if `ImageFacts.isInOneRow`, else `nil` after `ImageStage` and its chunks.
    ///   - isLimited: whether the tenant has a limit on drawings or storage (`TenantEntry.limitedMetrics`): such batches go in turn.
    ///   - asksConsent: whether the tenant asks for consent to `collect`: it is looked for in the same transaction.
    package init(
        _ draft: Draft,
        of owner: UserID,
        in tenant: TenantID,
        showing image: ImageFacts,
        bytes: [UInt8]?,
        requestID: String?,
        at now: Timestamp,
        isLimited: Bool,
        asksConsent: Bool = false
    ) {
        self.tenant = tenant
        self.owner = owner
        self.draft = draft
        self.image = image
        self.bytes = bytes
        self.requestID = requestID
        self.now = now
        self.isLimited = isLimited
        self.asksConsent = asksConsent
    }

    package var contention: Batch.ContentionKey? { QuotaMetric.drawings.contention(of: tenant, isLimited: isLimited) }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(draft.id)
        values.append(draft.type.rawValue)
        values.append(draft.title)
        values.append(draft.prompt)
        values.append(image.hash)
        values.append(image.byteCount)
        values.append(image.mediaType)
        values.append(int32: image.width)
        values.append(int32: image.height)
        values.append(bytes)
        values.append(requestID)
        values.append(now)
        values.append(asksConsent)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        let verdict = row.text(0)
        if verdict == "created" { return .created }
        if let lack = ConsentLack(verdict: verdict) { return .noConsent(lack) }
        switch verdict {
        case "unstaged": return .unstaged
        case "owner": return .noOwner
        case let word:
            guard let refusal = QuotaRefusal(verdict: word) else { throw .unknownWord(word) }
            return .overQuota(refusal)
        }
    }
}

/// After `.outcomeUnknown`: whether a create happened. The id was made for it alone, so a row is proof.
package struct DrawingExists: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select exists (select from drawing where tenant_id = $1 and owner_id = $2 and drawing_id = $3)"
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
        values.append(owner)
        values.append(drawing)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
