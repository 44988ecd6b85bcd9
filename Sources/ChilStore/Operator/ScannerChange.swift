package import ChilCore
package import ChilDatabase

/// A new scanner of a tenant. A taken name is `.conflict` with `scanner_name_key`, an owner who is not there one with
/// `scanner_owner_fkey`. Only the digest of its token is kept.
package struct ScannerAdd: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        with change as (
            insert into scanner (tenant_id, scanner_id, name, owner_id, token_digest, serial, created_at, updated_at)
            values ($1, $5, $6, $7, $8, $9, $3, $3)
            returning \(ScannerRecord.columns)
        ), \(OperatorNote.insert("scanner.add", target: "name", detail: "'user ' || owner_id"))
        select * from change
        """
    )

    package let tenant: TenantID
    let id: ScannerID
    let name: String
    let owner: UserID
    let tokenDigest: [UInt8]
    let serial: String?
    let note: OperatorNote

    package init(
        _ id: ScannerID,
        to tenant: TenantID,
        name: String,
        owner: UserID,
        tokenDigest: [UInt8],
        serial: String?,
        note: OperatorNote
    ) {
        self.tenant = tenant
        self.id = id
        self.name = name
        self.owner = owner
        self.tokenDigest = tokenDigest
        self.serial = serial
        self.note = note
    }

    package func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(id)
        values.append(name)
        values.append(owner)
        values.append(tokenDigest)
        values.append(serial)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ScannerRecord { try ScannerRecord(row) }
}

/// A new address for a scanner; the one before leads nowhere at once. No row: there is none of that name.
package struct ScannerRotate: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        with change as (
            update scanner set token_digest = $6, updated_at = $3 where tenant_id = $1 and name = $5
            returning \(ScannerRecord.columns)
        ), \(OperatorNote.insert("scanner.rotate", target: "name"))
        select * from change
        """
    )

    package let tenant: TenantID
    let name: String
    let tokenDigest: [UInt8]
    let note: OperatorNote

    package init(named name: String, of tenant: TenantID, tokenDigest: [UInt8], note: OperatorNote) {
        self.tenant = tenant
        self.name = name
        self.tokenDigest = tokenDigest
        self.note = note
    }

    package func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(name)
        values.append(tokenDigest)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ScannerRecord { try ScannerRecord(row) }
}

/// Removes a scanner: its address leads nowhere at once; what it has pushed stays. No row: there is none of that name.
package struct ScannerRemove: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        with change as (
            delete from scanner where tenant_id = $1 and name = $5
            returning \(ScannerRecord.columns)
        ), \(OperatorNote.insert("scanner.remove", target: "name", detail: "'user ' || owner_id"))
        select * from change
        """
    )

    package let tenant: TenantID
    let name: String
    let note: OperatorNote

    package init(named name: String, of tenant: TenantID, note: OperatorNote) {
        self.tenant = tenant
        self.name = name
        self.note = note
    }

    package func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(name)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ScannerRecord { try ScannerRecord(row) }
}

/// Where a scanner's address is registered at Epson Connect; `nil`: nowhere. No row: there is none of that name.
package struct ScannerSetDestination: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        with change as (
            update scanner set printer_id = $6, destination_id = $7, updated_at = $3 where tenant_id = $1 and name = $5
            returning \(ScannerRecord.columns)
        ), \(OperatorNote.insert("scanner.register", target: "name", detail: "'printer ' || printer_id"))
        select * from change
        """
    )

    package let tenant: TenantID
    let name: String
    let printer: PrinterID?
    let destinationID: String?
    let note: OperatorNote

    package init(
        named name: String,
        of tenant: TenantID,
        at printer: PrinterID?,
        as destinationID: String?,
        note: OperatorNote
    ) {
        self.tenant = tenant
        self.name = name
        self.printer = printer
        self.destinationID = destinationID
        self.note = note
    }

    package func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(name)
        values.append(printer)
        values.append(destinationID)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> ScannerRecord { try ScannerRecord(row) }
}
