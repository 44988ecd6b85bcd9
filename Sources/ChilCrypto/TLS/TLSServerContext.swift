internal import COpenSSL

/// What all inbound TLS connections have in common (SSL_CTX_new(3)): TLS 1.2 or later, forward secrecy, ALPN `http/1.1`, one of several
/// certificates by the name that the client asks for (SNI), resumption by tickets that the server does not have to remember.
///
/// `@unchecked Sendable`: the pointers never change, nothing is set after `init`, and OpenSSL locks what `SSL_new` touches.
package final class TLSServerContext: @unchecked Sendable {
    /// An `SSL_CTX *`, of the first identity.
    let pointer: OpaquePointer
    private let identities: [TLSIdentity]
    /// As `identities`; the first is `pointer`.
    private var pointers: [OpaquePointer] = []

    package static let identitiesMax = 64

    /// - Parameter identities: at least one; the first is for clients that name no host, or one that no certificate has.
    /// - Throws: `badIdentity`, or `unavailable`.
    package init(_ identities: [TLSIdentity]) throws(TLSFault) {
        guard let first = identities.first, identities.count <= Self.identitiesMax else {
            throw TLSFault(code: .badIdentity, detail: "1 to \(Self.identitiesMax) certificates are wanted")
        }
        self.identities = identities
        pointer = try Self.context(of: first)
        pointers = [pointer]
        for identity in identities.dropFirst() { pointers.append(try Self.context(of: identity)) }
        // Every session keeps this object for as long as it lives.
        _ = chil_set_server_name_callback(
            pointer,
            { session, _, argument in
                guard let session, let argument else { return SSL_TLSEXT_ERR_NOACK }
                return Unmanaged<TLSServerContext>.fromOpaque(argument).takeUnretainedValue().choose(for: session)
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    deinit {
        for pointer in pointers { SSL_CTX_free(pointer) }
    }

    private func choose(for session: OpaquePointer) -> Int32 {
        guard let name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name),
            let index = identities.firstIndex(where: { $0.isFor(name) })
        else { return SSL_TLSEXT_ERR_NOACK }
        if index > 0 { SSL_set_SSL_CTX(session, pointers[index]) }
        return SSL_TLSEXT_ERR_OK
    }

    private static func context(of identity: TLSIdentity) throws(TLSFault) -> OpaquePointer {
        ErrorQueue.clear()
        guard let pointer = SSL_CTX_new(TLS_server_method()) else { throw .drained(.unavailable, "SSL_CTX_new") }
        SSL_CTX_set_security_level(pointer, TLSClientContext.securityLevel)
        SSL_CTX_set_options(pointer, TLSClientContext.noRenegotiation | TLSClientContext.noCompression)
        SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, TLSClientContext.mode, nil)
        SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        SSL_CTX_set_alpn_select_cb(pointer, selectProtocol, nil)
        guard
            SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1,
            SSL_CTX_set_cipher_list(pointer, suites) == 1,
            SSL_CTX_set_session_id_context(pointer, sessionContext, UInt32(sessionContext.count)) == 1
        else {
            SSL_CTX_free(pointer)
            throw .drained(.unavailable, "SSL_CTX")
        }
        let isWhole =
            SSL_CTX_use_certificate(pointer, identity.certificate) == 1
            && SSL_CTX_use_PrivateKey(pointer, identity.key) == 1
            && identity.chain.allSatisfy {
                SSL_CTX_ctrl(pointer, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer($0)) == 1
            }
        guard isWhole else {
            SSL_CTX_free(pointer)
            throw .drained(.badIdentity, "it is not taken for a server's")
        }
        return pointer
    }

    /// Whoever offers other protocols alone is refused (RFC 7301 §3.2), not answered in one that it did not offer.
    private static let selectProtocol:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
            UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
        ) -> Int32 = { _, chosen, chosenCount, offered, offeredCount, _ in
            guard let chosen, let chosenCount, let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
            var at = 0
            let wanted = TLSServerContext.protocolName
            while at < Int(offeredCount) {
                let count = Int(offered[at])
                guard at + 1 + count <= Int(offeredCount) else { break }
                let name = UnsafeBufferPointer(start: offered + at + 1, count: count)
                if name.elementsEqual(wanted) {
                    chosen.pointee = offered + at + 1
                    chosenCount.pointee = UInt8(count)
                    return SSL_TLSEXT_ERR_OK
                }
                at += 1 + count
            }
            return SSL_TLSEXT_ERR_ALERT_FATAL
        }

    private static let protocolName = Array("http/1.1".utf8)
    /// Of TLS 1.2; those of 1.3 are all good. Forward secret and authenticated (RFC 9325 §4.2).
    private static let suites = "ECDHE+AESGCM:ECDHE+CHACHA20"
    private static let sessionContext = Array("chilapi".utf8)
}
