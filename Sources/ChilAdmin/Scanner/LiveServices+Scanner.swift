import ChilCore
import ChilCrypto
import ChilDatabase
import ChilStore

extension LiveServices: ScannerServices {
    func addScanner(_ draft: ScannerDraft, to slug: Slug) async throws(AdminFault) -> ScannerAddressRow {
        let tenant = try await record(of: slug)
        let printer = try await epsonPrinter(draft.printer, of: slug)
        let (token, url) = try freshAddress(of: slug)
        let change = ChilStore.ScannerAdd(
            try fresh(),
            to: tenant.id,
            name: draft.name.text,
            owner: draft.user.id,
            tokenDigest: token.digest,
            serial: draft.serial?.text,
            note: try note()
        )
        let record = try await ask { database throws(DatabaseError) in try await change.answer(from: database) }
        var row = ScannerAddressRow(id: record.id.rawValue, name: record.name, url: url)
        if let printer { row.destination = try await register(url, of: record, at: printer, in: tenant.id) }
        return row
    }

    /// Before anything is stored: a printer that has no account at Epson Connect registers nothing.
    private func epsonPrinter(_ name: String?, of slug: Slug) async throws(AdminFault) -> PrinterID? {
        guard let name else { return nil }
        guard let printer = try await printers(of: slug).first(where: { $0.name.isExactly(name) }) else {
            throw .noSuchPrinter(name, tenant: slug.text)
        }
        guard printer.kind != .ipp else {
            throw AdminFault(
                .dataRefused,
                "printer '\(name)' is not Epson Connect's",
                remedy: "Name one of the kind epson-v1 or epson-v2, or leave --printer out and register by hand."
            )
        }
        return PrinterID(rawValue: printer.id)
    }

    func scanners(of slug: Slug) async throws(AdminFault) -> [ScannerRow] {
        let tenant = try await record(of: slug)
        return try await ask { database throws(DatabaseError) in
            try await ChilStore.ScannerList(of: tenant.id).rows(from: database)
        }.map(ScannerRow.init)
    }

    func rotateScanner(named name: String, of slug: Slug) async throws(AdminFault) -> ScannerAddressRow {
        let tenant = try await record(of: slug)
        let (token, url) = try freshAddress(of: slug)
        let change = ChilStore.ScannerRotate(named: name, of: tenant.id, tokenDigest: token.digest, note: try note())
        let rotated = try await ask { database throws(DatabaseError) in try await change.first(from: database) }
        guard let rotated else { throw .noSuchScanner(name, tenant: slug.text) }
        var row = ScannerAddressRow(id: rotated.id.rawValue, name: rotated.name, url: url)
        if let printer = rotated.printer {
            row.destination = try await register(url, of: rotated, at: printer, in: tenant.id)
        }
        return row
    }

    func removeScanner(named name: String, from slug: Slug) async throws(AdminFault) -> (
        ScannerRow, destination: DestinationOutcome?
    ) {
        let tenant = try await record(of: slug)
        let change = ChilStore.ScannerRemove(named: name, of: tenant.id, note: try note())
        let removed = try await ask { database throws(DatabaseError) in try await change.first(from: database) }
        guard let removed else { throw .noSuchScanner(name, tenant: slug.text) }
        return (ScannerRow(removed), try await unregister(removed, in: tenant.id))
    }

    /// Before anything is stored: an address that cannot be registered is none.
    private func freshAddress(of slug: Slug) throws(AdminFault) -> (ScanToken, String) {
        let base = try settings.requirePublicURL()
        let token: ScanToken
        do {
            token = try ScanToken()
        } catch {
            throw AdminFault(.internalFault, "no random numbers: \(error)", remedy: "Try again.")
        }
        let url = token.url(under: "\(base)/\(slug.text)")
        guard url.utf8.count <= ScanToken.urlBytesMax else {
            throw AdminFault(
                .configuration,
                "the address has more than \(ScanToken.urlBytesMax) letters: Epson Connect takes no longer one",
                remedy: "Give the service a shorter CHIL_PUBLIC_URL."
            )
        }
        return (token, url)
    }
}
