import ChilCore

/// What of a JWS header is looked at. `jku`, `jwk`, `x5u`, `x5c` and the rest are ignored: no key comes from a token.
package struct JOSEHeader: Equatable, Sendable {
    package let algorithm: String
    package let keyID: String?
    package let type: String?

    /// A header is small and flat; `x5c` may be in it.
    private static let limits = JSONLimits(bytesMax: 8_192, depthMax: 8, valuesMax: 64)

    init(parsing bytes: [UInt8]) throws(JWSFault) {
        let value: JSONValue
        do throws(JSONFault) {
            value = try StrictJSON.parse(bytes, limits: Self.limits)
        } catch {
            throw .badHeader(error)
        }
        guard let members = value.object, let algorithm = members["alg"]?.string else { throw .badHeaderMember }
        guard members["crit"] == nil else { throw .criticalHeader }
        self.algorithm = algorithm
        keyID = try Self.text("kid", of: members)
        type = try Self.text("typ", of: members)
    }

    private static func text(_ name: String, of members: JSONObject) throws(JWSFault) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string else { throw .badHeaderMember }
        return text
    }
}
