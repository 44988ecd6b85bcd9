import ChilCore
import ChilCrypto
import ChilStore

/// Makes of a key and of what a request asks the two digests that PostgreSQL keeps. Under a key of the service's: neither can be guessed
/// from them.
struct OnceMarks {
    private let mac: HMACSHA256

    init(key: SecretBytes) {
        mac = HMACSHA256(key: key)
    }

    /// - Parameters:
    ///   - route: its pattern, with the method.
    ///   - asked: what the request means, however it was written: a client that retries may order members anew, or part a form by
    ///     another boundary.
    func mark(
        _ key: IdempotencyKey,
        _ route: Route,
        by principal: Principal,
        asking asked: OnceMeaning,
        at now: Timestamp
    )
        -> OnceMark
    {
        var place = OnceMeaning()
        place.append(principal.tenant.rawValue)
        place.append(principal.user.rawValue)
        place.append("\(route.pattern)")
        var whole = place
        place.append(key.bytes)
        whole.append("body")
        whole.append(asked.bytes)
        return OnceMark(key: mac.code(of: place.bytes).bytes, body: mac.code(of: whole.bytes).bytes, at: now)
    }

    /// 32 bytes for whoever sends the key, the same each time: a secret of which PostgreSQL has a digest alone can be told again so.
    func secret(_ key: IdempotencyKey, _ route: Route, by principal: Principal) -> [UInt8] {
        var place = OnceMeaning()
        place.append(principal.tenant.rawValue)
        place.append(principal.user.rawValue)
        place.append("\(route.pattern)")
        place.append("secret")
        place.append(key.bytes)
        return mac.code(of: place.bytes).bytes
    }
}

/// Values one after another, each with its length, so that no two lists of values have the same bytes.
struct OnceMeaning {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: [UInt8]) {
        withUnsafeBytes(of: UInt32(value.count).bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: value)
    }

    mutating func append(_ number: Int64) {
        append(withUnsafeBytes(of: number.bigEndian) { Array($0) })
    }

    mutating func append(_ text: String) {
        append(Array(text.utf8))
    }

    /// A value that is not there differs from one that is empty.
    mutating func append(_ text: String?) {
        append(text == nil ? 0 : 1 as Int64)
        append(text ?? "")
    }
}
