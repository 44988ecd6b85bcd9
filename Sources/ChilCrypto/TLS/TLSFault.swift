/// Why a TLS connection was not made, or broke.
///
/// What the certificate got wrong is told apart, because each has another remedy and another person who can apply it.
package struct TLSFault: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// What was asked for is no host name or address that a certificate could name.
        case badHost
        /// The extra authorities are not PEM certificates.
        case badAuthorities
        /// A server's own certificates or key cannot be used.
        case badIdentity
        /// OpenSSL could not be set up or ran out of memory.
        case unavailable

        case wrongName
        case expired
        case notYetValid
        /// No chain to an authority of the trust store; a self-signed certificate too.
        case unknownIssuer
        /// Any other error of verify(1): a forbidden use, a weak key, a bad signature.
        case badCertificate

        /// The peer speaks no version from TLS 1.2 on.
        case oldVersion
        /// The peer's first bytes are no TLS record.
        case notTLS
        /// The peer sent a fatal alert (RFC 8446 §6.2).
        case refusedByPeer
        /// The peer broke the protocol, or a record was altered on the way.
        case protocolBroken
    }

    package let code: Code
    /// For the log: OpenSSL's words. No secret, nothing that the peer chose.
    package let detail: String

    package init(code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }

    /// What to do about it.
    package var remedy: String {
        switch code {
        case .badHost: "write the host as an ASCII name (xn-- for others) or a numeric address without brackets"
        case .badAuthorities: "give certificates in PEM form, each between BEGIN and END CERTIFICATE"
        case .badIdentity:
            "give PEM files: the certificate before those that vouch for it, and its key without a password, mode 0600"
        case .unavailable: "see that OpenSSL 3 and openssl.cnf(5) are intact and that memory is left"
        case .wrongName: "use the name that the certificate has, or have one issued for this name"
        case .expired: "have the host renew its certificate; see that this machine's clock is right"
        case .notYetValid: "see that this machine's clock is right, and the host's when it made the certificate"
        case .unknownIssuer: "install ca-certificates, or give the authority's certificate as an extra one"
        case .badCertificate: "have the host get a certificate that openssl-verify(1) accepts for a server"
        case .oldVersion: "have the host enable TLS 1.2 or 1.3"
        case .notTLS: "see that the port is the host's HTTPS port"
        case .refusedByPeer: "see the host's log: it ended the handshake"
        case .protocolBroken: "try again; if it stays, look for a middle box that alters traffic"
        }
    }

    package var description: String { "TLS \(code.rawValue): \(detail); \(remedy)" }
}
