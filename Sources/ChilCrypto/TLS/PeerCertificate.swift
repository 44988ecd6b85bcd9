internal import COpenSSL
package import ChilCore
internal import Glibc

/// What a host's own certificate says of it, and what the authorities of this machine say to that.
package struct PeerCertificate: Hashable, Sendable {
    /// SHA-256 of the public key (SubjectPublicKeyInfo, RFC 7469 §2.4): it stays when a certificate is renewed with its key.
    package let keyDigest: [UInt8]
    package let notBefore: Timestamp
    package let notAfter: Timestamp
    /// `nil`: an authority vouches for the host by the name that it was asked for.
    package let objection: TLSFault.Code?

    package init(keyDigest: [UInt8], notBefore: Timestamp, notAfter: Timestamp, objection: TLSFault.Code?) {
        (self.keyDigest, self.notBefore, self.notAfter) = (keyDigest, notBefore, notAfter)
        self.objection = objection
    }

    /// - Parameter session: an `SSL *` whose handshake is done.
    init?(of session: OpaquePointer) {
        guard let certificate = SSL_get1_peer_certificate(session) else { return nil }
        defer { X509_free(certificate) }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &encoded)
        guard count > 0, let encoded else { return nil }
        defer { CRYPTO_free(encoded, #fileID, #line) }
        let key = UnsafeRawBufferPointer(start: encoded, count: Int(count))
        guard let from = Self.moment(X509_get0_notBefore(certificate)),
            let until = Self.moment(X509_get0_notAfter(certificate))
        else { return nil }
        let verdict = SSL_get_verify_result(session)
        self.init(
            keyDigest: SHA256.digest(of: key).bytes,
            notBefore: from,
            notAfter: until,
            objection: verdict == Int(X509_V_OK) ? nil : TLSFault.certificateCode(Int32(truncatingIfNeeded: verdict))
        )
    }

    private static func moment(_ time: UnsafePointer<ASN1_TIME>?) -> Timestamp? {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return Timestamp(seconds: Int64(timegm(&parts)))
    }
}
