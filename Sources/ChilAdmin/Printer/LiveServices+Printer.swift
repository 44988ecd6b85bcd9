import ChilCore
import ChilDatabase
import ChilPrint
import ChilStore

extension LiveServices: PrinterServices {
    func addPrinter(_ draft: PrinterDraft, to slug: Slug) async throws(AdminFault) -> PrinterRow {
        let tenant = try await record(of: slug)
        let change = ChilStore.PrinterAdd(
            try fresh(),
            to: tenant.id,
            name: draft.name.text,
            uri: draft.uri.description,
            isDefault: draft.isDefault,
            disclosedTo: draft.disclosedTo?.text,
            note: try note()
        )
        switch try await ask({ database throws(DatabaseError) in try await change.run(on: database) }) {
        case .added(let record): return PrinterRow(record)
        case .overQuota: throw .tooManyPrinters(slug)
        }
    }

    func printers(of slug: Slug) async throws(AdminFault) -> [PrinterRow] {
        let tenant = try await record(of: slug)
        let certificates = try await certificates(of: tenant.id)
        var rows: [PrinterRow] = []
        for view in try await views(of: tenant.id) {
            var row = try await row(of: view)
            row.certificate = certificates.first { $0.printer == view.record.id }?.state
            rows.append(row)
        }
        return rows
    }

    func testPrinter(named name: String, of slug: Slug) async throws(AdminFault) -> PrinterReport {
        let printer = try await realPrinter(named: name, of: slug)
        if printer.row.kind != .ipp { return try await epsonReport(on: printer.row, of: printer.place.tenant) }
        return try await report(on: printer.row, printer.certificate)
    }

    /// Where it is: what is borrowed is its lender's.
    func realPrinter(named name: String, of slug: Slug) async throws(AdminFault) -> RealPrinter {
        let tenant = try await record(of: slug)
        let view = try await view(named: name, of: slug, tenant.id)
        guard let lender = view.lender else {
            let place = PrintPlace(tenant: tenant.id, printer: view.record.id)
            return RealPrinter(
                row: PrinterRow(view.record),
                place: place,
                certificate: try await certificate(at: place)
            )
        }
        let lent = try await ask { database throws(DatabaseError) in
            try await PrinterOne(lender).first(from: database)
        }
        guard let lent, lent.state != .removed else {
            throw AdminFault(
                .dataRefused,
                "printer '\(name)' is its lender's no more",
                remedy: "Remove it here as well."
            )
        }
        return RealPrinter(row: PrinterRow(lent), place: lender, certificate: try await certificate(at: lender))
    }

    private func certificate(at place: PrintPlace) async throws(AdminFault) -> PrinterCertificate? {
        try await certificates(of: place.tenant).first { $0.printer == place.printer }
    }

    private func certificates(of tenant: TenantID) async throws(AdminFault) -> [PrinterCertificate] {
        try await ask { database throws(DatabaseError) in
            try await PrinterCertificates(of: tenant).rows(from: database)
        }
    }
}

/// A printer's row, whoever's it is, and what is known of its certificate.
struct RealPrinter {
    let row: PrinterRow
    let place: PrintPlace
    let certificate: PrinterCertificate?
}
