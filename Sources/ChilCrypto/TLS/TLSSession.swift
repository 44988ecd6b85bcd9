internal import COpenSSL
package import ChilCore

/// One side of one TLS connection, without I/O: bytes from the network go in by `received`, bytes for it come out by
/// `takeOutput` (an `SSL *` between two memory BIOs).
///
/// Not `Sendable`: it is used on one loop. After a `failed` every further call answers the same fault.
package final class TLSSession {
    package enum Step: Equatable, Sendable {
        case done
        /// More bytes from the peer are needed; first send what `takeOutput` gives.
        case wouldBlock
        case failed(TLSFault)
    }

    package enum Transfer: Equatable, Sendable {
        /// This many bytes, at least one.
        case done(Int)
        case wouldBlock
        /// The peer's `close_notify` (reading only): nothing was cut off.
        case ended
        case failed(TLSFault)
    }

    /// An `SSL *`.
    private let pointer: OpaquePointer
    /// `BIO *`s that `pointer` owns.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    /// OpenSSL's callbacks reach the server's context by a plain pointer.
    private let context: AnyObject
    private var fault: TLSFault?

    /// The client's side.
    ///
    /// - Parameters:
    ///   - host: the name (ASCII) or numeric address that the certificate must be for; a name is sent as SNI.
    ///   - now: the moment at which certificates must be valid.
    /// - Throws: `badHost`, or `unavailable`.
    package convenience init(_ context: TLSClientContext, host: String, at now: Timestamp) throws(TLSFault) {
        let host = try TLSHost(host)
        try self.init(context.pointer, context)
        SSL_set_connect_state(pointer)
        guard demand(host), let rules = SSL_get0_param(pointer) else { throw .drained(.unavailable, "host check") }
        X509_VERIFY_PARAM_set_time(rules, time_t(now.seconds))
    }

    /// The server's side: which certificate it shows is the context's choice.
    ///
    /// - Throws: `unavailable`.
    package convenience init(_ context: TLSServerContext) throws(TLSFault) {
        try self.init(context.pointer, context)
        SSL_set_accept_state(pointer)
    }

    private init(_ contextPointer: OpaquePointer, _ context: AnyObject) throws(TLSFault) {
        ErrorQueue.clear()
        guard let pointer = SSL_new(contextPointer) else { throw .drained(.unavailable, "SSL_new") }
        guard let incoming = BIO_new(BIO_s_mem()) else {
            SSL_free(pointer)
            throw .drained(.unavailable, "BIO_new")
        }
        SSL_set0_rbio(pointer, incoming)
        guard let outgoing = BIO_new(BIO_s_mem()) else {
            SSL_free(pointer)
            throw .drained(.unavailable, "BIO_new")
        }
        SSL_set0_wbio(pointer, outgoing)
        self.pointer = pointer
        self.incoming = incoming
        self.outgoing = outgoing
        self.context = context
    }

    deinit {
        SSL_free(pointer)
    }

    /// The certificate's subject is never looked at, wildcards stand for a whole label only (RFC 9525 §6.3).
    private func demand(_ host: TLSHost) -> Bool {
        switch host {
        case .name(let name):
            SSL_set_hostflags(
                pointer,
                UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS) | UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)
            )
            guard SSL_set1_host(pointer, name) == 1 else { return false }
            return name.withCString { text in
                SSL_ctrl(
                    pointer,
                    SSL_CTRL_SET_TLSEXT_HOSTNAME,
                    Int(TLSEXT_NAMETYPE_host_name),
                    UnsafeMutableRawPointer(mutating: text)
                ) == 1
            }
        case .address(let octets):
            return X509_VERIFY_PARAM_set1_ip(SSL_get0_param(pointer), octets, octets.count) == 1
        }
    }

    // MARK: Connecting

    /// Goes on with the handshake. `done` says to a client that the peer proved to be the host.
    package func handshake() -> Step {
        if let fault { return .failed(fault) }
        ErrorQueue.clear()
        let code = SSL_do_handshake(pointer)
        if code == 1 { return .done }
        switch SSL_get_error(pointer, code) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wouldBlock
        default: return .failed(fail())
        }
    }

    /// `TLSv1.2` or `TLSv1.3`, once the handshake is done.
    package var protocolVersion: String { String(cString: SSL_get_version(pointer)) }

    /// Whom the peer claims to be, once the handshake is done: it has proved that it has the certificate's key.
    package var peerCertificate: PeerCertificate? {
        guard SSL_is_init_finished(pointer) == 1 else { return nil }
        ErrorQueue.clear()
        defer { ErrorQueue.clear() }
        return PeerCertificate(of: pointer)
    }

    // MARK: The network's side

    /// Bytes that came from the peer.
    package func received(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        let count = BIO_write(incoming, bytes.baseAddress, Int32(clamping: bytes.count))
        if count != bytes.count, fault == nil { fault = .drained(.unavailable, "BIO_write") }
    }

    /// How many bytes wait for `takeOutput`.
    package var outputBytesWaiting: Int { BIO_ctrl_pending(outgoing) }

    /// Bytes to be sent to the peer; empty when there are none. A fault's alert is among them.
    package func takeOutput() -> [UInt8] {
        let waiting = outputBytesWaiting
        guard waiting > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: waiting) { buffer, count in
            count = max(0, Int(BIO_read(outgoing, buffer.baseAddress, Int32(clamping: waiting))))
        }
    }

    // MARK: The application's side

    /// Reads what the peer's application sent. It may leave output (an answer to a key update).
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        if let fault { return .failed(fault) }
        ErrorQueue.clear()
        var count = 0
        let code = SSL_read_ex(pointer, buffer.baseAddress, buffer.count, &count)
        return code == 1 ? .done(count) : transfer(code)
    }

    /// Seals at most one record's worth (16 KiB) of the application's bytes into the output.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        if let fault { return .failed(fault) }
        ErrorQueue.clear()
        var count = 0
        let code = SSL_write_ex(pointer, bytes.baseAddress, bytes.count, &count)
        return code == 1 ? .done(count) : transfer(code)
    }

    /// Leaves a `close_notify` in the output, if the connection is whole.
    package func close() {
        guard fault == nil, SSL_is_init_finished(pointer) == 1 else { return }
        ErrorQueue.clear()
        SSL_shutdown(pointer)
        ErrorQueue.clear()
    }

    private func transfer(_ code: Int32) -> Transfer {
        switch SSL_get_error(pointer, code) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: .wouldBlock
        case SSL_ERROR_ZERO_RETURN: .ended
        default: .failed(fail())
        }
    }

    /// After a fatal error OpenSSL allows nothing but `SSL_free` (SSL_get_error(3)).
    private func fail() -> TLSFault {
        let fault = TLSFault.drained(verifyResult: SSL_get_verify_result(pointer))
        self.fault = fault
        return fault
    }
}
