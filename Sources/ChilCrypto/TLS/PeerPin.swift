package import ChilCore

/// The key that a host was once trusted with, where no authority vouches for it: printers make their own certificates.
package struct PeerPin: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case trusted
        /// The host is met for the first time: the caller decides whether it keeps the key.
        case unknown
        case changed
        case expired
    }

    package let keyDigest: [UInt8]
    package let at: Timestamp

    package init(keyDigest: [UInt8], at: Timestamp) {
        self.keyDigest = keyDigest
        self.at = at
    }

    /// An authority's word is enough: whoever has its certificate renewed may change its key. A certificate that was past its time when it
    /// was trusted, was trusted all the same: by a person, since nothing else pins such a one.
    package static func verdict(on certificate: PeerCertificate, pinned pin: PeerPin?, at now: Timestamp) -> Verdict {
        if certificate.objection == nil { return .trusted }
        let isExpired = now >= certificate.notAfter
        guard let pin else { return isExpired ? .expired : .unknown }
        guard pin.keyDigest == certificate.keyDigest else { return .changed }
        return isExpired && pin.at < certificate.notAfter ? .expired : .trusted
    }

    /// As an operator reads and writes it: `sha256:` and 64 hexadecimal digits.
    package static func text(of keyDigest: [UInt8]) -> String {
        prefix + Hex.text(of: keyDigest)
    }

    /// `nil`: it is no such text.
    package static func keyDigest(in text: String) -> [UInt8]? {
        guard text.hasPrefix(prefix) else { return nil }
        let digits = Array(text.lowercased().utf8.dropFirst(prefix.utf8.count))
        guard digits.count == 2 * Digest256.byteCount else { return nil }
        return digits.withUnsafeBytes { Hex.decode($0) }
    }

    private static let prefix = "sha256:"
}
