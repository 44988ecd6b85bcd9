internal import COpenSSL

/// A server's certificate, those between it and an authority, and its key. Read whole before anything is changed.
package final class TLSIdentity: @unchecked Sendable {
    // `@unchecked Sendable`: the pointers never change, and OpenSSL counts references to what they lead to under a lock.

    /// An `X509 *`.
    let certificate: OpaquePointer
    let chain: [OpaquePointer]
    /// An `EVP_PKEY *`.
    let key: OpaquePointer

    /// - Parameters:
    ///   - certificates: PEM, the server's own first ("fullchain.pem").
    ///   - key: PEM, without a password.
    /// - Throws: `badIdentity`.
    package init(certificates: [UInt8], key: [UInt8]) throws(TLSFault) {
        var read: [OpaquePointer] = []
        var readKey: OpaquePointer?
        do throws(TLSFault) {
            try Self.read(certificates, into: &read)
            readKey = try Self.privateKey(key)
            guard let own = read.first, let readKey else {
                throw TLSFault(code: .badIdentity, detail: "no certificate")
            }
            guard X509_check_private_key(own, readKey) == 1 else {
                throw .drained(.badIdentity, "the key is not the certificate's")
            }
            (certificate, chain, self.key) = (own, Array(read.dropFirst()), readKey)
        } catch {
            for pointer in read { X509_free(pointer) }
            EVP_PKEY_free(readKey)
            throw error
        }
    }

    deinit {
        X509_free(certificate)
        for pointer in chain { X509_free(pointer) }
        EVP_PKEY_free(key)
    }

    /// - Parameter name: as a client asked for it.
    func isFor(_ name: UnsafePointer<CChar>) -> Bool {
        X509_check_host(certificate, name, 0, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS), nil) == 1
    }

    private static func read(_ pem: [UInt8], into read: inout [OpaquePointer]) throws(TLSFault) {
        ErrorQueue.clear()
        guard let bio = BIO_new_mem_buf(pem, Int32(clamping: pem.count)) else {
            throw .drained(.unavailable, "BIO_new_mem_buf")
        }
        defer { BIO_free(bio) }
        while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) {
            read.append(certificate)
            guard read.count <= chainMax else {
                throw TLSFault(code: .badIdentity, detail: "more than \(chainMax) certificates")
            }
        }
        // The end of the text is told as "no start line"; anything else is a certificate that could not be read.
        let isAtEnd = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE
        guard isAtEnd, !read.isEmpty else { throw .drained(.badIdentity, "certificate \(read.count + 1)") }
        ErrorQueue.clear()
    }

    private static func privateKey(_ pem: [UInt8]) throws(TLSFault) -> OpaquePointer {
        ErrorQueue.clear()
        guard let bio = BIO_new_mem_buf(pem, Int32(clamping: pem.count)) else {
            throw .drained(.unavailable, "BIO_new_mem_buf")
        }
        defer { BIO_free(bio) }
        // Nobody is there to be asked for a password.
        guard let key = PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in 0 }, nil) else {
            throw .drained(.badIdentity, "the key is not PEM, or has a password")
        }
        return key
    }

    private static let chainMax = 10
}
