package import ChilCore

/// A JWK set as an issuer publishes it (RFC 7517 §5).
package struct JWKSet: Sendable {
    package enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        case tooLong
        case badJSON(JSONFault)
        case noKeys
        case tooManyKeys

        package var description: String {
            switch self {
            case .tooLong: "the key set is longer than \(bytesMax) bytes: check that the URL is the issuer's key set"
            case .badJSON(let fault): "the key set is no strict JSON: \(fault)"
            case .noKeys: "the key set has no array of objects `keys`: check that the URL is the issuer's key set"
            case .tooManyKeys: "the key set has more than \(keysMax) keys: check that the URL is the issuer's key set"
            }
        }
    }

    /// A key that is not used, for the log.
    package struct Skipped: Equatable, Sendable {
        package let keyID: String?
        package let reason: JWK.Skip
    }

    package let keys: KeySet
    package let skipped: [Skipped]

    package static let bytesMax = 65_536
    /// How long others may keep a set of ours: so long a key is published before it signs.
    package static let maxAge = Duration.seconds(300)
    package static let keysMax = 32
    private static let limits = JSONLimits(bytesMax: bytesMax, depthMax: 8, valuesMax: 2_048)

    /// Reads a set: what cannot verify a signature here is skipped with its reason, what is no set at all is a fault.
    package init(parsing bytes: [UInt8]) throws(Fault) {
        guard bytes.count <= Self.bytesMax else { throw .tooLong }
        let value: JSONValue
        do throws(JSONFault) {
            value = try StrictJSON.parse(bytes, limits: Self.limits)
        } catch {
            throw .badJSON(error)
        }
        guard let elements = value.object?["keys"]?.array else { throw .noKeys }
        guard elements.count <= Self.keysMax else { throw .tooManyKeys }
        var usable: [JWK] = []
        var skipped: [Skipped] = []
        for element in elements {
            guard let members = element.object else { throw .noKeys }
            do throws(JWK.Skip) {
                usable.append(try JWK(members))
            } catch {
                skipped.append(Skipped(keyID: members["kid"]?.string, reason: error))
            }
        }
        let unique = usable.filter { key in usable.count { $0.keyID.isExactly(key.keyID) } == 1 }
        for key in usable where !unique.contains(where: { $0.keyID.isExactly(key.keyID) }) {
            skipped.append(Skipped(keyID: key.keyID, reason: .repeatedKeyID))
        }
        keys = KeySet(unique)
        self.skipped = skipped
    }

    /// The JSON of a set, for `/.well-known/jwks.json`.
    package static func json(of keys: [JWK]) -> [UInt8] {
        var writer = ByteWriter(capacity: 64 + keys.count * 512)
        writer.append("{\"keys\":[")
        for (index, key) in keys.enumerated() {
            if index > 0 { writer.append(",") }
            key.write(to: &writer)
        }
        writer.append("]}")
        return writer.finish()
    }
}
