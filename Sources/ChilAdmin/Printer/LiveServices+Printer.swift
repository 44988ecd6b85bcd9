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
        let printers = try await ask { database throws(DatabaseError) in
            try await ChilStore.PrinterList(of: tenant.id).rows(from: database)
        }
        let certificates = try await ask { database throws(DatabaseError) in
            try await PrinterCertificates(of: tenant.id).rows(from: database)
        }
        return printers.map { record in
            var row = PrinterRow(record)
            row.certificate = certificates.first { $0.printer == record.id }?.state
            return row
        }
    }

    func testPrinter(named name: String, of slug: Slug) async throws(AdminFault) -> PrinterReport {
        let (printer, certificate) = try await printer(named: name, of: slug)
        if printer.kind != .ipp { return try await epsonReport(on: printer, of: try await record(of: slug).id) }
        return try await report(on: printer, certificate)
    }

    func removePrinter(named name: String, from slug: Slug) async throws(AdminFault) -> PrinterRow {
        let tenant = try await record(of: slug)
        let change = ChilStore.PrinterRemove(named: name, of: tenant.id, note: try note())
        let removed = try await ask { database throws(DatabaseError) in try await change.run(on: database) }
        guard let removed else { throw .noSuchPrinter(name, tenant: slug.text) }
        return PrinterRow(removed)
    }
}
