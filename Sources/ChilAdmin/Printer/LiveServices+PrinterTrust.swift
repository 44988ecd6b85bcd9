import ChilCore
import ChilCrypto
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilPrint
import ChilStore

extension LiveServices {
    func trustPrinter(named name: String, of slug: Slug, key: PrinterKey?) async throws(AdminFault) -> PrinterKeyRow {
        let real = try await realPrinter(named: name, of: slug)
        let (printer, certificate) = (real.row, real.certificate)
        let uri = try address(of: printer)
        guard uri.isSecure else {
            throw AdminFault(
                .dataRefused,
                "printer '\(name)' is spoken with in the clear: there is no certificate to trust",
                remedy: "Give it an address that begins with ipps://."
            )
        }
        let digest: [UInt8]
        if let key { digest = key.digest } else { digest = try await shownKey(of: printer, at: uri) }
        if key == nil, let seen = certificate?.seen, seen != digest {
            throw AdminFault(
                .dataRefused,
                "this machine meets the key \(PeerPin.text(of: digest)), and chilapi met \(PeerPin.text(of: seen))",
                remedy: "Look the key up at the printer, and name it: --key sha256:…"
            )
        }
        let change = ChilStore.PrinterTrust(digest, ofPrinter: printer.name, in: real.place.tenant, note: try note())
        let changed = try await ask { database throws(DatabaseError) in try await change.first(from: database) }
        guard changed != nil else { throw .noSuchPrinter(name, tenant: slug.text) }
        return PrinterKeyRow(
            name: printer.name,
            uri: printer.uri,
            key: PeerPin.text(of: digest),
            former: certificate?.key.map { PeerPin.text(of: $0) }
        )
    }

    func address(of printer: PrinterRow) throws(AdminFault) -> PrinterURI {
        do {
            return try PrinterURI(printer.uri)
        } catch {
            throw AdminFault(.dataRefused, "'\(printer.uri)' is no printer's address", remedy: error.sentence)
        }
    }

    /// The key that the printer shows to this machine, whatever was trusted before.
    private func shownKey(of printer: PrinterRow, at uri: PrinterURI) async throws(AdminFault) -> [UInt8] {
        let answer = await LoopHome(try loop()).run { loop in
            // Even a certificate past its time is looked at: a pin from after its end accepts it.
            let identity = PrinterIdentity.passing(at: loop.wallClock)
            var asked = IPPPrinter(
                uri: uri,
                userName: "chiladmin",
                transport: .http(to: uri, on: loop, patience: Self.printerPatience, identity: identity)
            )
            do throws(PrintFailure) {
                _ = try await asked.getPrinterCondition()
                return Result<[UInt8]?, PrintFailure>.success(identity.seen?.keyDigest)
            } catch {
                return identity.seen.map { .success($0.keyDigest) } ?? .failure(error)
            }
        }
        switch answer {
        case .success(.some(let digest)): return digest
        case .success(.none):
            throw AdminFault(.failed, "printer '\(printer.name)' shows no certificate", remedy: "Look at its settings.")
        case .failure(let failure): throw .noAnswer(of: printer, uri, failure)
        }
    }

    static let printerPatience = Duration.seconds(40)
}

extension AdminFault {
    static func noAnswer(of printer: PrinterRow, _ uri: PrinterURI, _ failure: PrintFailure) -> Self {
        AdminFault(
            .failed,
            "printer '\(printer.name)' at \(uri) did not answer as it should",
            remedy: failure.sentence
        )
    }
}
