package import ChilCore
package import ChilDatabase

/// A printer of a tenant.
package struct PrinterRecord: Sendable {
    package enum State: String, Sendable {
        case enabled
        /// Prints nothing; what waits for it says so.
        case disabled
        /// Takes no more, and prints what waits.
        case draining
        case removed
    }

    /// What is spoken with it.
    package enum Kind: String, Sendable, CaseIterable {
        /// IPP, over TLS too: the printer itself, or a print server.
        case ipp
        /// Epson Connect, by the printer's address there.
        case epsonV1 = "epson-v1"
        /// Epson Connect, by its owner's permission (OAuth).
        case epsonV2 = "epson-v2"
    }

    package let id: PrinterID
    package let name: String
    package let kind: Kind
    package let uri: String
    package let isDefault: Bool
    package let state: State
    /// The party that pages for it are handed to; `nil`: nobody but the tenant.
    package let disclosedTo: String?

    static let columns = "printer_id, name, kind, uri, is_default, state, disclosed_to"

    init(_ row: ResultRow, from first: Int = 0) throws(DatabaseError) {
        id = try row.id(first)
        name = row.text(first + 1)
        kind = try row.word(first + 2)
        uri = row.text(first + 3)
        isDefault = try row.bool(first + 4)
        state = try row.word(first + 5)
        disclosedTo = row.textOrNil(first + 6)
    }
}

/// The printers of a tenant that are not removed, the default first.
package struct PrinterList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(PrinterRecord.columns) from printer
         where tenant_id = $1 and state <> 'removed' order by is_default desc, name
        """
    )

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterRecord { try PrinterRecord(row) }
}
