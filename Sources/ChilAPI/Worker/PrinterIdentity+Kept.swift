import ChilCore
import ChilCrypto
import ChilDatabase
import ChilLoop
import ChilPrint
import ChilStore

extension PrinterIdentity {
    /// The identity that is kept with the printer's row: the first key that is met is stored before anything is sent to it, and what is wrong
    /// with a later one is noted there for the operator.
    static func kept(
        for printer: PrinterID,
        at uri: PrinterURI,
        in tenant: TenantID,
        _ database: DatabaseClient,
        on loop: EventLoop
    ) async throws -> PrinterIdentity {
        guard uri.isSecure else { return .passing(at: loop.wallClock) }
        let known = try await PrinterCertificateOne(of: printer, in: tenant).first(from: database)
        var noted = known?.fault
        return PrinterIdentity(
            pin: known?.pin,
            keep: { shown in
                let keep = PrinterCertificateKeep(shown.keyDigest, of: printer, in: tenant, at: loop.wallClock)
                return try? await keep.first(from: database)?.pin
            },
            report: { fault, shown in
                let fault = fault.flatMap { PrinterCertificate.Fault(rawValue: $0.rawValue) }
                guard fault != noted else { return }
                let note = PrinterCertificateNote(fault, seen: shown.keyDigest, of: printer, in: tenant)
                // The job says it too: a note that is lost is made again by the next one.
                if (try? await note.touched(on: database)) != nil { noted = fault }
            }
        )
    }
}

extension PrinterCertificate {
    fileprivate var pin: PeerPin? {
        guard let key, let keyAt else { return nil }
        return PeerPin(keyDigest: key, at: keyAt)
    }
}
