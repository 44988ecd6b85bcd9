package import ChilCore
package import ChilDatabase

/// A page is kept for the worker (`chil_receive_scan` in `sql/`).
package struct ScanReceive: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        case received
        /// Its owner has this very page.
        case repeated
        /// The address is nobody's any more.
        case noDoor
        case noOwner
        /// Staged chunks are missing, or their lease is over.
        case unstaged
        /// Too many pages wait.
        case full
        case noConsent(ConsentLack)
    }

    /// Pages of a tenant that wait for the worker.
    package static let waitingMax = 1_000
    /// How long they may.
    package static let waitMax = Duration.seconds(7 * 86_400)

    package static let access = Batch.Access.write
    package static let sql = SQL(
        entering:
            "select chil_receive_scan($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)"
    )

    package let tenant: TenantID
    let scan: ScanID
    let push: [UInt8]
    let door: ScanDoor
    let digest: [UInt8]
    let image: ImageFacts
    let bytes: [UInt8]?
    let requestID: String?
    let now: Timestamp

    /// - Parameters:
    ///   - push: SHA-256 of the hashes of all pages of the push: by this it is known when it comes again.
    ///   - digest: what the door was opened with.
    ///   - bytes: the whole page, else `nil` after `ImageStore.stage`.
    package init(
        _ scan: ScanID,
        push: [UInt8],
        through door: ScanDoor,
        _ digest: [UInt8],
        of tenant: TenantID,
        showing image: ImageFacts,
        bytes: [UInt8]?,
        requestID: String?,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.scan = scan
        self.push = push
        self.door = door
        self.digest = digest
        self.image = image
        self.bytes = bytes
        self.requestID = requestID
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(scan)
        values.append(push)
        values.append(door.owner)
        values.append(digest)
        values.append(door.scanner)
        values.append(door.source)
        values.append(image.hash)
        values.append(image.byteCount)
        values.append(image.mediaType)
        values.append(int32: image.width)
        values.append(int32: image.height)
        values.append(bytes)
        values.append(Int64(Self.waitingMax))
        values.append(now + Self.waitMax)
        values.append(requestID)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        let verdict = row.text(0)
        if let lack = ConsentLack(verdict: verdict) { return .noConsent(lack) }
        switch verdict {
        case "received": return .received
        case "repeated": return .repeated
        case "door": return .noDoor
        case "owner": return .noOwner
        case "unstaged": return .unstaged
        case "full": return .full
        default: throw .unknownWord(verdict)
        }
    }
}

/// Notes a page that is not kept, and why.
package struct ScanRefuse: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.write
    package static let sql = SQL(entering: "select chil_refuse_scan($1, $2, $3, $4, $5, $6)")

    package let tenant: TenantID
    let door: ScanDoor
    let detail: String
    let requestID: String?
    let now: Timestamp

    package init(
        through door: ScanDoor,
        of tenant: TenantID,
        because detail: String,
        requestID: String?,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.door = door
        self.detail = detail
        self.requestID = requestID
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(door.owner)
        values.append(door.scanner)
        values.append(detail)
        values.append(requestID)
        values.append(now)
    }
}
