internal import COpenSSL

extension TLSFault {
    /// Empties the error queue into a fault of the given code.
    static func drained(_ code: Code, _ what: String) -> Self {
        let reasons = ErrorQueue.drain()
        return Self(code: code, detail: reasons.isEmpty ? what : "\(what): \(reasons)")
    }

    /// What ended a handshake or a transfer, from the queue and the result of the certificate's verification.
    static func drained(verifyResult: Int) -> Self {
        let reasons = drainReasons()
        let numbers = reasons.map { ERR_GET_REASON($0) }
        if verifyResult != Int(X509_V_OK), numbers.contains(SSL_R_CERTIFICATE_VERIFY_FAILED) {
            return Self(
                code: certificateCode(Int32(truncatingIfNeeded: verifyResult)),
                detail: String(cString: X509_verify_cert_error_string(verifyResult))
            )
        }
        return Self(code: numbers.lazy.compactMap(protocolCode).first ?? .protocolBroken, detail: text(reasons))
    }

    private static func drainReasons() -> [UInt] {
        var reasons: [UInt] = []
        while case let reason = ERR_get_error(), reason != 0 { reasons.append(reason) }
        return reasons
    }

    private static func text(_ reasons: [UInt]) -> String {
        guard !reasons.isEmpty else { return "no reason given" }
        return reasons.map { reason in
            ERR_reason_error_string(reason).map { String(cString: $0) } ?? "error \(reason)"
        }
        .joined(separator: ", ")
    }

    static func certificateCode(_ result: Int32) -> Code {
        switch result {
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .wrongName
        case X509_V_ERR_CERT_HAS_EXPIRED: .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED:
            .unknownIssuer
        default: .badCertificate
        }
    }

    private static func protocolCode(_ reason: Int32) -> Code? {
        switch reason {
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION: .oldVersion
        case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST: .notTLS
        // Reasons made of alerts are 1000 plus the alert's number.
        case SSL_AD_REASON_OFFSET...(SSL_AD_REASON_OFFSET + 255): .refusedByPeer
        default: nil
        }
    }
}
