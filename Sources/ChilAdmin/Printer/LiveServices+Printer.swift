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
        case .overQuota:
            throw AdminFault(
                .dataRefused,
                "tenant '\(slug)' has as many printers as it may",
                remedy: "Remove one, or raise the limit: `chiladmin quota set \(slug) printers COUNT`."
            )
        }
    }

    func printers(of slug: Slug) async throws(AdminFault) -> [PrinterRow] {
        let tenant = try await record(of: slug)
        var rows: [PrinterRow] = []
        for view in try await views(of: tenant.id) { rows.append(try await row(of: view)) }
        return rows
    }

    func testPrinter(named name: String, of slug: Slug) async throws(AdminFault) -> PrinterReport {
        let tenant = try await record(of: slug)
        let view = try await view(named: name, of: slug, tenant.id)
        guard let lender = view.lender else { return try await report(on: PrinterRow(view.record)) }
        // It is asked where it is.
        let lent = try await ask { database throws(DatabaseError) in try await PrinterOne(lender).first(from: database)
        }
        guard let lent, lent.state != .removed else {
            throw AdminFault(
                .dataRefused,
                "printer '\(name)' is its lender's no more",
                remedy: "Remove it here as well."
            )
        }
        return try await report(on: PrinterRow(lent))
    }
}
