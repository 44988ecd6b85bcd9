import ChilCore
import ChilCrypto
import ChilStore

/// An address's key, and its site's.
struct AddressKeys {
    let own: RateKey
    let site: RateKey?
}

/// Makes keys by SipHash-2-4 with 128 bits (Aumasson, Bernstein: "SipHash: a fast short-input PRF"), under a key that all services of
/// one key file have: their loops share buckets. 30 ns, where HMAC-SHA-256 takes 600.
struct RateKeys: Sendable {
    private let key: (UInt64, UInt64)

    init(_ secret: SecretBytes) {
        key = secret.withUnsafeBytes { bytes in
            (
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// For tests with known keys.
    init(_ key: (UInt64, UInt64)) {
        self.key = key
    }

    func address(_ address: NetworkAddress, of tenant: TenantID?, _ kind: RateClass) -> RateKey {
        digest(word(.address, kind, tenant == nil ? .ofNobody : []), tenant, address.network)
    }

    /// `nil`: the address is by itself.
    func site(_ address: NetworkAddress, of tenant: TenantID?, _ kind: RateClass) -> RateKey? {
        address.site.map { digest(word(.address, kind, tenant == nil ? [.ofNobody, .site] : .site), tenant, $0) }
    }

    func addresses(_ address: NetworkAddress, of tenant: TenantID?, _ kind: RateClass) -> AddressKeys {
        AddressKeys(own: self.address(address, of: tenant, kind), site: site(address, of: tenant, kind))
    }

    /// What guests print from one address.
    func guestPrints(from address: NetworkAddress, of tenant: TenantID) -> AddressKeys {
        AddressKeys(
            own: digest(Self.guestPrintWord, tenant, address.network),
            site: address.site.map { digest(Self.guestPrintWord | Mark.site.rawValue, tenant, $0) }
        )
    }

    /// - Parameter isForAnybody: what those have together who need not show anything.
    func tenant(_ tenant: TenantID, _ kind: RateClass, isForAnybody: Bool = false) -> RateKey {
        digest(word(.tenant, kind, isForAnybody ? .anybody : []), tenant.rawValueBits, 0, 0)
    }

    /// Whoever signs in.
    func person(_ subject: String, of provider: ProviderID, in tenant: TenantID) -> RateKey {
        let name = SHA256.digest(of: Array("\(provider.rawValue) \(subject)".utf8)).bytes
        let bits = name.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return digest(word(.user, .auth, .person), tenant.rawValueBits, bits, 0)
    }

    /// Those who look at a user's pictures by their signed addresses.
    func viewers(of user: UserID, in tenant: TenantID) -> RateKey {
        digest(word(.user, .read, .viewers), tenant.rawValueBits, UInt64(bitPattern: user.rawValue), 0)
    }

    func user(_ user: UserID, of tenant: TenantID, _ kind: RateClass) -> RateKey {
        digest(word(.user, kind), tenant.rawValueBits, UInt64(bitPattern: user.rawValue), 0)
    }

    /// Tells apart what has the same scope and class.
    private struct Mark: OptionSet {
        let rawValue: UInt64

        /// Of no tenant.
        static let ofNobody = Mark(rawValue: 1)
        static let site = Mark(rawValue: 2)
        static let anybody = Mark(rawValue: 4)
        static let person = Mark(rawValue: 8)
        static let viewers = Mark(rawValue: 16)
    }

    private func digest(_ word: UInt64, _ tenant: TenantID?, _ network: NetworkAddress) -> RateKey {
        digest(word, tenant?.rawValueBits ?? 0, network.high, network.low)
    }

    private func word(_ scope: RateScope, _ kind: RateClass, _ marks: Mark = []) -> UInt64 {
        let scope: UInt64 =
            switch scope {
            case .address: 1
            case .tenant: 2
            case .user: 3
            }
        let kind: UInt64 =
            switch kind {
            case .auth: 1
            case .read: 2
            case .write: 3
            case .print: 4
            }
        return scope << 16 | kind << 8 | marks.rawValue
    }

    /// Beside the scopes and classes of `word`.
    private static let guestPrintWord: UInt64 = 4 << 16

    /// Of exactly four words, each as eight bytes little endian.
    func digest(_ one: UInt64, _ two: UInt64, _ three: UInt64, _ four: UInt64) -> RateKey {
        var state = SipState(key)
        state.take(one)
        state.take(two)
        state.take(three)
        state.take(four)
        // The last block has what is left, nothing, and the length in its top byte.
        state.take(32 << 56)
        return state.finish()
    }
}

extension TenantID {
    fileprivate var rawValueBits: UInt64 { UInt64(bitPattern: rawValue) }
}

private struct SipState {
    private var v0, v1, v2, v3: UInt64

    init(_ key: (UInt64, UInt64)) {
        v0 = key.0 ^ 0x736f_6d65_7073_6575
        v1 = key.1 ^ 0x646f_7261_6e64_6f6d ^ 0xee
        v2 = key.0 ^ 0x6c79_6765_6e65_7261
        v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    mutating func take(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    mutating func finish() -> RateKey {
        v2 ^= 0xee
        for _ in 0..<4 { round() }
        let first = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xdd
        for _ in 0..<4 { round() }
        return RateKey(first: first, second: v0 ^ v1 ^ v2 ^ v3)
    }

    @inline(__always)
    private mutating func round() {
        v0 &+= v1
        v1 = Self.turned(v1, 13) ^ v0
        v0 = Self.turned(v0, 32)
        v2 &+= v3
        v3 = Self.turned(v3, 16) ^ v2
        v0 &+= v3
        v3 = Self.turned(v3, 21) ^ v0
        v2 &+= v1
        v1 = Self.turned(v1, 17) ^ v2
        v2 = Self.turned(v2, 32)
    }

    @inline(__always)
    private static func turned(_ word: UInt64, _ by: UInt64) -> UInt64 { word << by | word >> (64 - by) }
}
