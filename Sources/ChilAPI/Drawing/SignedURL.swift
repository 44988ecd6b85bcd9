import ChilCore
import ChilCrypto

/// URLs of images that load without a header: image loaders send none.
///
/// The MAC covers purpose, key version, tenant, drawing, variant, content hash and expiry. The expiry is the next full hour plus one, so
/// that lists repeat the same URL within an hour and caches work.
struct SignedURL {
    /// Bytes of the MAC that are kept: 128 bit.
    private static let macBytes = 16
    private let keyVersion: UInt8
    private let mac: HMACSHA256
    private let others: [UInt8: HMACSHA256]
    private let cache = SignatureCache()

    /// - Parameter keys: of purpose "chil/url", by version; the highest signs, all are accepted.
    init(keys: [UInt8: SecretBytes]) {
        let newest = keys.keys.max() ?? 0
        keyVersion = newest
        mac = keys[newest].map { HMACSHA256(key: $0) } ?? HMACSHA256(key: [])
        others = keys.mapValues { HMACSHA256(key: $0) }
    }

    /// Seconds since 1970.
    static func expiry(at now: Timestamp) -> Int64 {
        (now.seconds / 3_600 + 2) * 3_600
    }

    /// Letters of a signature: the MAC in base64url.
    static let signatureBytes = SignatureCache.textBytes

    /// Appends `?e=…&k=…&s=`; the signature of a drawing is what is missing.
    func appendQueryStart(to bytes: inout ByteWriter, expiry: Int64) {
        bytes.append("?e=")
        bytes.append(decimal: expiry)
        bytes.append("&k=")
        bytes.append(decimal: Int64(keyVersion))
        bytes.append("&s=")
    }

    /// Tells that a drawing's signature will be asked for soon.
    func expect(tenant: TenantID, drawing: DrawingID) {
        cache?.expect(tenant: tenant, drawing: drawing)
    }

    /// Appends what belongs behind `appendQueryStart` for this drawing: `signatureBytes`.
    func appendSignature(
        to bytes: inout ByteCursor,
        tenant: TenantID,
        drawing: DrawingID,
        hash: UnsafeRawBufferPointer,
        expiry: Int64
    ) {
        func signature() -> [UInt8] {
            Self.code(mac, keyVersion, tenant, drawing, .shown, hash, expiry).withUnsafeBytes {
                Base64URL.encode(UnsafeRawBufferPointer(rebasing: $0[..<Self.macBytes]))
            }
        }
        guard let cache else { return bytes.append(bytes: signature()) }
        cache.append(to: &bytes, tenant: tenant, drawing: drawing, hash: hash, expiry: expiry, signature)
    }

    /// The same for what the image was made of. Seldom asked for, so not remembered.
    func appendOriginalSignature(
        to bytes: inout ByteCursor,
        tenant: TenantID,
        drawing: DrawingID,
        hash: UnsafeRawBufferPointer,
        expiry: Int64
    ) {
        let code = Self.code(mac, keyVersion, tenant, drawing, .original, hash, expiry)
        bytes.append(
            bytes: code.withUnsafeBytes { Base64URL.encode(UnsafeRawBufferPointer(rebasing: $0[..<Self.macBytes])) }
        )
    }

    /// Whether the query was made here for this image and has not expired.
    func accepts(
        _ signature: [UInt8],
        keyVersion: UInt8,
        expiry: Int64,
        tenant: TenantID,
        drawing: DrawingID,
        variant: ImageVariant = .shown,
        hash: [UInt8],
        at now: Timestamp
    )
        -> Bool
    {
        guard let mac = others[keyVersion], signature.count == Self.macBytes else { return false }
        let code = hash.withUnsafeBytes { Self.code(mac, keyVersion, tenant, drawing, variant, $0, expiry) }
        let isRight = code.withUnsafeBytes { right in
            signature.withUnsafeBytes {
                ConstantTime.areEqual(UnsafeRawBufferPointer(rebasing: right[..<Self.macBytes]), $0)
            }
        }
        return isRight && now.seconds < expiry
    }

    private static func code(
        _ mac: HMACSHA256,
        _ keyVersion: UInt8,
        _ tenant: TenantID,
        _ drawing: DrawingID,
        _ variant: ImageVariant,
        _ hash: UnsafeRawBufferPointer,
        _ expiry: Int64
    ) -> Digest256 {
        withUnsafeTemporaryAllocation(byteCount: 96, alignment: 8) { message in
            message.copyBytes(from: "chil-image".utf8)
            message[10] = keyVersion
            message.storeBytes(of: tenant.rawValue.bigEndian, toByteOffset: 16, as: Int64.self)
            message[11] = variant.rawValue; message[12] = 0; message[13] = 0; message[14] = 0; message[15] = 0
            message.storeBytes(of: drawing.rawValue.bigEndian, toByteOffset: 24, as: Int64.self)
            message.storeBytes(of: expiry.bigEndian, toByteOffset: 32, as: Int64.self)
            let count = min(hash.count, 32)
            for index in 0..<count { message[40 + index] = hash[index] }
            return mac.code(of: UnsafeRawBufferPointer(rebasing: message[..<(40 + count)]))
        }
    }
}
