package import ChilCore
package import ChilCrypto

/// Whom `ipps` is spoken with: the key that the printer was first met with, and what is done when it is met with another.
///
/// Not `Sendable`: one per printer that is spoken with, on its loop.
package final class PrinterIdentity {
    package enum Fault: String, Hashable, Sendable, CaseIterable { case changed, expired }

    package private(set) var pin: PeerPin?
    /// What the printer showed last.
    package private(set) var seen: PeerCertificate?
    private let keep: (PeerCertificate) async -> PeerPin?
    private let report: (Fault?, PeerCertificate) async -> Void

    /// - Parameters:
    ///   - keep: keeps the key of a printer that is met for the first time, before anything is sent to it, and answers what is kept, which
    ///     may be another's that was quicker; `nil`: it could not be kept, and nothing is sent.
    ///   - report: told each time what was wrong with the certificate; `nil`: nothing.
    package init(
        pin: PeerPin?,
        keep: @escaping (PeerCertificate) async -> PeerPin?,
        report: @escaping (Fault?, PeerCertificate) async -> Void = { _, _ in }
    ) {
        self.pin = pin
        self.keep = keep
        self.report = report
    }

    /// Keeps nothing beyond its own life: for whoever only looks.
    package static func passing(pin: PeerPin? = nil, at now: Timestamp) -> PrinterIdentity {
        PrinterIdentity(pin: pin) { PeerPin(keyDigest: $0.keyDigest, at: now) }
    }

    func met(_ certificate: PeerCertificate) async -> Bool {
        seen = certificate
        pin = await keep(certificate)
        return pin != nil
    }

    func saw(_ fault: Fault?, _ certificate: PeerCertificate) async {
        seen = certificate
        await report(fault, certificate)
    }
}
