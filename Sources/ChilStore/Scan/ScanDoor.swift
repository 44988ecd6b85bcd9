package import ChilCore
package import ChilDatabase

/// What an address that a scanner pushes to leads to.
package struct ScanDoor: Sendable, Equatable {
    /// Whose drawings the pages become.
    package let owner: UserID
    /// `nil`: the address is for one push.
    package let scanner: ScannerID?
    /// The drawing whose printed page is awaited.
    package let source: DrawingID?
    /// What the printer must call itself; `nil`: anything.
    package let serial: String?
}

/// No row: the address is nobody's, used or over.
package struct ScanDoorOpen: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL("select o_owner, o_scanner, o_source, o_serial from chil_scan_door($1, $2, $3)")

    package let tenant: TenantID
    let digest: [UInt8]
    let now: Timestamp

    /// - Parameter digest: SHA-256 of what stands in the address: no two addresses' comparison takes a time that tells of them.
    package init(_ digest: [UInt8], of tenant: TenantID, at now: Timestamp) {
        self.tenant = tenant
        self.digest = digest
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(digest)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ScanDoor {
        ScanDoor(
            owner: try row.id(0),
            scanner: try row.int64OrNil(1).map { ScannerID(rawValue: $0) },
            source: try row.int64OrNil(2).map { DrawingID(rawValue: $0) },
            serial: row.textOrNil(3)
        )
    }
}

/// Opens an address for one push, of the page that was printed of a drawing.
package struct ScanSessionCreate: TenantStatement {
    package enum Outcome: Sendable, Equatable {
        case opened(until: Timestamp)
        /// It is none of the owner's.
        case noDrawing
        /// The address was made for another drawing.
        case otherDrawing
    }

    /// Of one drawing, at once: the oldest end.
    package static let countMax = 8

    package static let access = Batch.Access.write
    package static let sql = SQL(
        "select verdict, o_expires_at from chil_open_scan_session($1, $2, $3, $4, $5, $6, $7)"
    )

    package let tenant: TenantID
    let digest: [UInt8]
    let owner: UserID
    let drawing: DrawingID
    let now: Timestamp
    let expires: Timestamp

    package init(
        _ digest: [UInt8],
        for drawing: DrawingID,
        of owner: UserID,
        in tenant: TenantID,
        at now: Timestamp,
        until expires: Timestamp
    ) {
        self.tenant = tenant
        self.digest = digest
        self.owner = owner
        self.drawing = drawing
        self.now = now
        self.expires = expires
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(digest)
        values.append(owner)
        values.append(drawing)
        values.append(int32: Int32(Self.countMax))
        values.append(now)
        values.append(expires)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        switch row.text(0) {
        case "opened": .opened(until: try row.timestamp(1))
        case "drawing": .noDrawing
        case "other": .otherDrawing
        case let word: throw .unknownWord(word)
        }
    }
}
