internal import COpenSSL

/// What all outbound TLS connections have in common (SSL_CTX_new(3)): TLS 1.2 or later, the peer verified against the system's trust
/// store unless the caller judges it, ALPN `http/1.1`. Made once per process: the store is read when first needed and then kept.
///
/// `@unchecked Sendable`: the pointer never changes, nothing is set after `init`, and OpenSSL locks what `SSL_new` and
/// verification touch.
package final class TLSClientContext: @unchecked Sendable {
    /// An `SSL_CTX *`.
    let pointer: OpaquePointer

    /// - Parameters:
    ///   - extraAuthorities: certificates in PEM form that are trusted beside the system's, such as a private CA's.
    ///   - callerJudges: the handshake ends well whoever the peer is, with whatever certificate: nothing may be sent before the caller
    ///     has judged `TLSSession.peerCertificate` (`PeerPin`).
    /// - Throws: `badAuthorities`, or `unavailable`.
    package init(extraAuthorities: [UInt8]? = nil, callerJudges: Bool = false) throws(TLSFault) {
        ErrorQueue.clear()
        guard let pointer = SSL_CTX_new(TLS_client_method()) else { throw .drained(.unavailable, "SSL_CTX_new") }
        self.pointer = pointer
        SSL_CTX_set_verify(pointer, callerJudges ? SSL_VERIFY_NONE : SSL_VERIFY_PEER, nil)
        SSL_CTX_set_verify_depth(pointer, Self.chainDepthMax)
        SSL_CTX_set_security_level(pointer, Self.securityLevel)
        SSL_CTX_set_options(pointer, Self.noRenegotiation | Self.noCompression)
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MAX_CERT_LIST, Self.chainBytesMax, nil)
        SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, Self.mode, nil)
        guard
            SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1,
            SSL_CTX_set_alpn_protos(pointer, Self.protocols, UInt32(Self.protocols.count)) == 0,
            SSL_CTX_set_default_verify_paths(pointer) == 1
        else { throw .drained(.unavailable, "SSL_CTX") }
        if let extraAuthorities { try trust(extraAuthorities) }
    }

    deinit {
        SSL_CTX_free(pointer)
    }

    private func trust(_ pem: [UInt8]) throws(TLSFault) {
        guard let bio = BIO_new_mem_buf(pem, Int32(clamping: pem.count)) else {
            throw .drained(.unavailable, "BIO_new_mem_buf")
        }
        defer { BIO_free(bio) }
        let store = SSL_CTX_get_cert_store(pointer)
        var count = 0
        while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) {
            defer { X509_free(certificate) }
            guard X509_STORE_add_cert(store, certificate) == 1 else { throw .drained(.badAuthorities, "trust store") }
            count += 1
            guard count <= Self.authoritiesMax else {
                throw TLSFault(code: .badAuthorities, detail: "more than \(Self.authoritiesMax) certificates")
            }
        }
        // The end of the text is told as "no start line"; anything else is a certificate that could not be read.
        let isAtEnd = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE
        guard count > 0, isAtEnd else { throw .drained(.badAuthorities, "certificate \(count + 1)") }
        ErrorQueue.clear()
    }

    private static let protocols: [UInt8] = [8] + Array("http/1.1".utf8)
    // Macros with casts, which Swift doesn't import; the names are those of SSL_CTX_set_options(3).
    static let noRenegotiation: UInt64 = 1 << 30
    static let noCompression: UInt64 = 1 << 17
    /// A send may take less than all and be repeated from another place; idle connections give their buffers back.
    static let mode =
        Int(SSL_MODE_ENABLE_PARTIAL_WRITE) | Int(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER) | Int(SSL_MODE_RELEASE_BUFFERS)
    /// 112 bits: RSA keys of 2,048 bits on, no SHA-1 (SSL_CTX_set_security_level(3)).
    static let securityLevel: Int32 = 2
    /// Certificates between the host's and the trusted one.
    private static let chainDepthMax: Int32 = 8
    private static let chainBytesMax = 64 << 10
    private static let authoritiesMax = 256
}
