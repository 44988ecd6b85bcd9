internal import COpenSSL

/// AES-256-GCM (NIST SP 800-38D) with 96-bit IVs and 128-bit tags, and nothing else.
package struct AESGCM256: Sendable {
    private let key: SecretBytes

    package static let keyBytes = 32
    package static let ivBytes = 12
    package static let tagBytes = 16

    package init(key: SecretBytes) throws(CryptoError) {
        guard key.count == Self.keyBytes else {
            throw CryptoError(.badKey, "AES-256 takes 32 bytes of key, not \(key.count): give 32")
        }
        self.key = key
    }

    /// Ciphertext and tag. An IV must never be used twice under one key.
    package func seal(_ plain: [UInt8], iv: [UInt8], associatedData: [UInt8]) throws(CryptoError) -> [UInt8] {
        let context = try Context(sealing: true, key: key, iv: iv)
        var sealed = [UInt8](repeating: 0, count: plain.count + Self.tagBytes)
        let done = sealed.withUnsafeMutableBufferPointer { out in
            context.addAssociatedData(associatedData) && context.update(plain[...], into: out.baseAddress!)
                && context.finish(at: out.baseAddress! + plain.count)
                && context.tag(into: out.baseAddress! + plain.count)
        }
        guard done else { throw CryptoError(.library, "nothing was sealed: check OpenSSL's installation") }
        return sealed
    }

    /// The plain bytes; nil if key, IV, associated data or any bit of `sealed` is not that of the sealing.
    package func open(_ sealed: [UInt8], iv: [UInt8], associatedData: [UInt8]) throws(CryptoError) -> [UInt8]? {
        guard sealed.count >= Self.tagBytes else { return nil }
        let context = try Context(sealing: false, key: key, iv: iv)
        let count = sealed.count - Self.tagBytes
        // One byte more, so that there is an address even for nothing.
        var plain = [UInt8](repeating: 0, count: count + 1)
        let done = plain.withUnsafeMutableBufferPointer { out in
            context.expect(tag: Array(sealed[count...])) && context.addAssociatedData(associatedData)
                && context.update(sealed[..<count], into: out.baseAddress!)
                && context.finish(at: out.baseAddress! + count)
        }
        guard done else {
            ErrorQueue.clear()
            ConstantTime.cleanse(&plain)
            return nil
        }
        plain.removeLast()
        return plain
    }

    /// Owns one `EVP_CIPHER_CTX` for one sealing or opening (EVP_EncryptInit(3), "AEAD Interface").
    private struct Context: ~Copyable {
        private let pointer: OpaquePointer

        init(sealing: Bool, key: SecretBytes, iv: [UInt8]) throws(CryptoError) {
            guard iv.count == ivBytes else {
                throw CryptoError(.badParameter, "AES-GCM takes 12 bytes of IV here, not \(iv.count): give 12")
            }
            ErrorQueue.clear()
            let pointer = key.withUnsafeBytes { key -> OpaquePointer? in
                let context = EVP_CIPHER_CTX_new()
                let cipher = FetchedCipher.aes256GCM.pointer
                let start = key.baseAddress?.assumingMemoryBound(to: UInt8.self)
                if EVP_CipherInit_ex2(context, cipher, start, iv, sealing ? 1 : 0, nil) == 1 { return context }
                EVP_CIPHER_CTX_free(context)
                return nil
            }
            guard let pointer else {
                throw CryptoError(.library, "AES-256-GCM was not ready: check OpenSSL's installation")
            }
            self.pointer = pointer
        }

        deinit { EVP_CIPHER_CTX_free(pointer) }

        func addAssociatedData(_ bytes: [UInt8]) -> Bool {
            var count: Int32 = 0
            return bytes.isEmpty || EVP_CipherUpdate(pointer, nil, &count, bytes, Int32(bytes.count)) == 1
        }

        func update(_ bytes: ArraySlice<UInt8>, into out: UnsafeMutablePointer<UInt8>) -> Bool {
            bytes.withUnsafeBufferPointer { bytes in
                var count: Int32 = 0
                return bytes.isEmpty
                    || EVP_CipherUpdate(pointer, out, &count, bytes.baseAddress, Int32(bytes.count)) == 1
                        && count == Int32(bytes.count)
            }
        }

        func finish(at out: UnsafeMutablePointer<UInt8>) -> Bool {
            var count: Int32 = 0
            return EVP_CipherFinal_ex(pointer, out, &count) == 1 && count == 0
        }

        func tag(into out: UnsafeMutablePointer<UInt8>) -> Bool {
            EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tagBytes), out) == 1
        }

        func expect(tag: [UInt8]) -> Bool {
            var tag = tag
            return EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tagBytes), &tag) == 1
        }
    }
}
