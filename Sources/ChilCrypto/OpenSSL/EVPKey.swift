internal import COpenSSL

/// Owns one `EVP_PKEY`, which is costly to build and cheap to keep.
///
/// Sendable: the pointer never changes, the key behind it is not modified after it is built, and OpenSSL guards what it
/// caches inside with locks of its own (EVP_PKEY_new(3), openssl-threads(7)).
final class EVPKey: @unchecked Sendable {
    let pointer: OpaquePointer

    private init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    enum Kind {
        case ellipticCurveP256
        case rsa

        /// OpenSSL's name; parameters keep the pointer, hence static.
        var name: StaticString {
            switch self {
            case .ellipticCurveP256: "EC"
            case .rsa: "RSA"
            }
        }
    }

    /// A P-256 public key from its uncompressed point (EVP_PKEY-EC(7)); OpenSSL refuses a point that is not on the curve.
    convenience init(uncompressedPoint point: [UInt8]) throws(CryptoError) {
        var point = point
        var group = Array("prime256v1\0".utf8CString)
        let key = point.withUnsafeMutableBytes { point in
            group.withUnsafeMutableBufferPointer { group in
                var parameters = [
                    OSSL_PARAM_construct_utf8_string(Parameter.group.pointer, group.baseAddress, 0),
                    OSSL_PARAM_construct_octet_string(Parameter.point.pointer, point.baseAddress, point.count),
                    OSSL_PARAM_construct_end(),
                ]
                return Self.build(.ellipticCurveP256, from: &parameters)
            }
        }
        guard let key else { throw CryptoError(.badKey, "x and y are no point of P-256: use the issuer's own JWK") }
        self.init(takingOwnershipOf: key)
        guard check(EVP_PKEY_public_check) else {
            throw CryptoError(.badKey, "x and y are no sound point of P-256: use the issuer's own JWK")
        }
    }

    /// An RSA public key from its big-endian numbers (EVP_PKEY-RSA(7)).
    convenience init(modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) {
        // OSSL_PARAM_construct_BN(3) takes numbers in the machine's order.
        var modulus = [UInt8](modulus.reversed())
        var exponent = [UInt8](exponent.reversed())
        let key = modulus.withUnsafeMutableBufferPointer { modulus in
            exponent.withUnsafeMutableBufferPointer { exponent in
                var parameters = [
                    OSSL_PARAM_construct_BN(Parameter.modulus.pointer, modulus.baseAddress, modulus.count),
                    OSSL_PARAM_construct_BN(Parameter.exponent.pointer, exponent.baseAddress, exponent.count),
                    OSSL_PARAM_construct_end(),
                ]
                return Self.build(.rsa, from: &parameters)
            }
        }
        guard let key else { throw CryptoError(.badKey, "n and e are no RSA key: use the issuer's own JWK") }
        self.init(takingOwnershipOf: key)
    }

    /// A fresh private key (EVP_PKEY_keygen(3)); `bits` counts for RSA only.
    convenience init(generating kind: Kind, bits: Int = 0) throws(CryptoError) {
        ErrorQueue.clear()
        guard let context = EVP_PKEY_CTX_new_from_name(nil, kind.name.pointer, nil) else {
            throw CryptoError(.library, "no key generator: check OpenSSL's installation")
        }
        defer { EVP_PKEY_CTX_free(context) }
        var ready = EVP_PKEY_keygen_init(context) == 1
        switch kind {
        case .ellipticCurveP256: ready = ready && EVP_PKEY_CTX_set_group_name(context, "prime256v1") == 1
        case .rsa: ready = ready && EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)) == 1
        }
        var key: OpaquePointer?
        guard ready, EVP_PKEY_generate(context, &key) == 1, let key else {
            throw CryptoError(.library, "no key generated: check OpenSSL's installation and its random source")
        }
        self.init(takingOwnershipOf: key)
    }

    /// A private key from PKCS#8 in DER (RFC 5958), checked against its public half.
    convenience init(pkcs8 bytes: SecretBytes, kind: Kind) throws(CryptoError) {
        ErrorQueue.clear()
        let key = bytes.withUnsafeBytes { raw -> OpaquePointer? in
            var next = raw.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard let info = d2i_PKCS8_PRIV_KEY_INFO(nil, &next, raw.count) else { return nil }
            defer { PKCS8_PRIV_KEY_INFO_free(info) }
            guard next == raw.baseAddress?.assumingMemoryBound(to: UInt8.self).advanced(by: raw.count) else {
                return nil
            }
            return EVP_PKCS82PKEY(info)
        }
        guard let key else {
            throw CryptoError(.badKey, "not a PKCS#8 private key: give the bytes between the PEM lines of PRIVATE KEY")
        }
        self.init(takingOwnershipOf: key)
        guard EVP_PKEY_is_a(key, kind.name.pointer) == 1 else {
            throw CryptoError(.badKey, "the private key is not \(kind.name): give a key of that kind")
        }
        guard check(EVP_PKEY_pairwise_check) else {
            throw CryptoError(.badKey, "the private key does not fit its public key: restore it from its source")
        }
    }

    /// The private key as PKCS#8 in DER.
    func pkcs8() throws(CryptoError) -> SecretBytes {
        ErrorQueue.clear()
        guard let info = EVP_PKEY2PKCS8(pointer) else {
            throw CryptoError(.badKey, "the key has no private half to write: use the private key")
        }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_PKCS8_PRIV_KEY_INFO(info, &start)
        guard count > 0, let start else {
            throw CryptoError(.library, "the key was not written: check the memory left")
        }
        defer { CRYPTO_clear_free(start, Int(count), nil, 0) }
        return SecretBytes(copying: UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    /// A number of the key by OpenSSL's name for it.
    func number(_ name: StaticString) throws(CryptoError) -> BigNumber {
        ErrorQueue.clear()
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name.pointer, &number) == 1, let number else {
            throw CryptoError(.badKey, "the key has no \(name): use a key of the right kind")
        }
        return BigNumber(takingOwnershipOf: number)
    }

    /// The name of an EC key's curve, as OpenSSL says it.
    var groupName: String {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1 else { return "" }
        return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// EVP_PKEY_PUBLIC_KEY of evp.h, a macro that Swift cannot see: domain and other parameters, and the public key.
    private static let publicKeySelection: Int32 = 0x04 | 0x80 | 0x02

    private func check(_ question: (OpaquePointer?) -> Int32) -> Bool {
        ErrorQueue.clear()
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        return question(context) == 1
    }

    private static func build(_ kind: Kind, from parameters: inout [OSSL_PARAM]) -> OpaquePointer? {
        ErrorQueue.clear()
        guard let context = EVP_PKEY_CTX_new_from_name(nil, kind.name.pointer, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &key, publicKeySelection, &parameters) == 1
        else {
            EVP_PKEY_free(key)
            return nil
        }
        return key
    }
}
