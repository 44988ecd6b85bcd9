package import ChilCore
package import ChilDatabase

/// To whom a printer is lent, and what it is there.
package struct PrinterLoan: Sendable, Equatable {
    package let borrower: PrintPlace
}

package struct PrinterLoans: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select borrower_tenant_id, borrower_printer_id from printer_loan
         where tenant_id = $1 and printer_id = $2 order by borrower_tenant_id
        """
    )

    let place: PrintPlace

    package init(of place: PrintPlace) {
        self.place = place
    }

    package var tenant: TenantID { place.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(place.tenant)
        values.append(place.printer)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterLoan {
        PrinterLoan(borrower: PrintPlace(tenant: try row.id(0), printer: try row.id(1)))
    }
}

/// Notes that a printer is lent, before the borrower has it: so there is none that nobody can switch off. No row: it is lent there.
package struct PrinterLoanAdd: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        with change as (
            insert into printer_loan (tenant_id, printer_id, borrower_tenant_id, borrower_printer_id, created_at)
            values ($1, $5, $6, $7, $3) on conflict do nothing
            returning printer_id, borrower_tenant_id
        ), \(OperatorNote.insert("printer.share", target: "printer_id::text", detail: "'tenant ' || borrower_tenant_id"))
        select printer_id from change
        """
    )

    let place: PrintPlace
    let borrower: PrintPlace
    let note: OperatorNote

    package init(of place: PrintPlace, to borrower: PrintPlace, note: OperatorNote) {
        self.place = place
        self.borrower = borrower
        self.note = note
    }

    package var tenant: TenantID { place.tenant }

    package func bind(_ values: inout BoundValues) {
        note.bind(&values, of: place.tenant)
        values.append(place.printer)
        values.append(borrower.tenant)
        values.append(borrower.printer)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterID { try row.id(0) }
}

/// It is lent there no more.
package struct PrinterLoanEnd: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        with change as (
            delete from printer_loan where tenant_id = $1 and printer_id = $5 and borrower_tenant_id = $6
            returning printer_id, borrower_tenant_id
        ), \(OperatorNote.insert("printer.unshare", target: "printer_id::text", detail: "'tenant ' || borrower_tenant_id"))
        select printer_id from change
        """
    )

    let place: PrintPlace
    let borrower: TenantID
    let note: OperatorNote

    package init(of place: PrintPlace, to borrower: TenantID, note: OperatorNote) {
        self.place = place
        self.borrower = borrower
        self.note = note
    }

    package var tenant: TenantID { place.tenant }

    package func bind(_ values: inout BoundValues) {
        note.bind(&values, of: place.tenant)
        values.append(place.printer)
        values.append(borrower)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterID { try row.id(0) }
}

/// What a borrowed printer is at its lender's, told to the borrower's row, which takes no print then.
package struct PrinterLenderState: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        update printer set lender_state = $3, updated_at = $4
         where tenant_id = $1 and printer_id = $2 and lender_tenant_id is not null
        """
    )

    let borrower: PrintPlace
    let state: PrinterRecord.State
    let now: Timestamp

    package init(_ state: PrinterRecord.State, at borrower: PrintPlace, at now: Timestamp) {
        self.borrower = borrower
        self.state = state
        self.now = now
    }

    package var tenant: TenantID { borrower.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(borrower.tenant)
        values.append(borrower.printer)
        values.append(state.rawValue)
        values.append(now)
    }
}

/// Gives a tenant a printer of another's, within its limit. The loan is noted before (`PrinterLoanAdd`). A taken name is `.conflict` with
/// `printer_name_key`.
package struct PrinterLend: Sendable {
    let printer: PrintPlace
    let name: String
    let lender: PrinterView
    let place: PrintPlace
    let note: OperatorNote

    /// - Parameters:
    ///   - printer: what it is at the borrower's; a fresh number.
    ///   - place: where it is.
    package init(
        _ lender: PrinterView,
        at place: PrintPlace,
        as printer: PrintPlace,
        named name: String,
        note: OperatorNote
    ) {
        self.printer = printer
        self.name = name
        self.lender = lender
        self.place = place
        self.note = note
    }

    package func run(on database: some Database) async throws(DatabaseError) -> PrinterAdd.Outcome {
        let add = PrinterAdd(
            printer.printer,
            to: printer.tenant,
            name: name,
            uri: "",
            isDefault: false,
            disclosedTo: lender.record.disclosedTo,
            note: note
        )
        return try await add.run(on: database, with: PrinterBorrow(lend: self))
    }
}

/// Makes a printer that was just added one that is borrowed: its address and credentials stay at its lender's.
struct PrinterBorrow: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        update printer
           set kind = $3, lender_tenant_id = $4, lender_printer_id = $5, lender_state = $6
         where tenant_id = $1 and printer_id = $2
        """
    )

    let lend: PrinterLend

    func bind(_ values: inout BoundValues) {
        values.append(lend.printer.tenant)
        values.append(lend.printer.printer)
        values.append(lend.lender.record.kind.rawValue)
        values.append(lend.place.tenant)
        values.append(lend.place.printer)
        values.append(lend.lender.record.state.rawValue)
    }
}
