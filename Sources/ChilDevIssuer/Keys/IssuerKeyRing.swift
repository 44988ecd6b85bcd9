import ChilAuth
import ChilCore

/// The issuer's signing keys: one of each algorithm signs, those before it stay published for a while.
struct IssuerKeyRing: Sendable {
    /// All published keys, the oldest first.
    private(set) var published: [DevelopmentTokenMaker]
    private var made: [JWSAlgorithm: Int] = [:]

    /// Published keys of one algorithm: more would not be a key set that anybody reads.
    static let publishedMax = 8

    init(_ keys: [DevelopmentTokenMaker]) {
        precondition(!keys.isEmpty, "an issuer has a key from the start")
        published = keys
        for key in keys { made[key.key.algorithm, default: 0] += 1 }
    }

    /// The newest key of an algorithm; without one the newest of all.
    func signer(_ algorithm: JWSAlgorithm) -> DevelopmentTokenMaker {
        published.last { $0.key.algorithm == algorithm } ?? published[published.count - 1]
    }

    /// The public halves as a JWK set (RFC 7517 §5).
    var json: [UInt8] { JWKSet.json(of: published.map(\.jwk)) }

    /// Puts a fresh key into the place of the one that signs.
    mutating func rotate(to key: SigningKey, _ style: KeyRotation) {
        let algorithm = key.algorithm
        let current = signer(algorithm)
        let keyID: String
        if style == .sameKeyID, current.key.algorithm == algorithm {
            keyID = current.keyID
        } else {
            made[algorithm, default: 0] += 1
            keyID = "dev-\(algorithm.rawValue.lowercased())-\(made[algorithm, default: 1])"
        }
        switch style {
        case .keepOld: break
        case .withdrawOld: published.removeAll { $0.key.algorithm == algorithm }
        case .sameKeyID: published.removeAll { $0.keyID.isExactly(keyID) }
        }
        published.append(DevelopmentTokenMaker(keyID: keyID, key: key))
        let ofKind = published.filter { $0.key.algorithm == algorithm }
        // The first of them is the folder's, which `chiladmin dev token` signs with: it stays.
        if ofKind.count > Self.publishedMax { published.removeAll { $0.keyID.isExactly(ofKind[1].keyID) } }
    }
}

/// What becomes of the key that signed until now.
package enum KeyRotation: String, CaseIterable, Sendable {
    /// It stays published, as it should.
    case keepOld = "keep"
    /// It is gone at once, and its tokens with it.
    case withdrawOld = "withdraw"
    /// The new key takes over its `kid`.
    case sameKeyID = "same-kid"
}
