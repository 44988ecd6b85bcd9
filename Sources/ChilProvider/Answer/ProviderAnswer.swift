import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP

/// Reads what a provider answered: strict JSON within limits, or it means nothing.
struct ProviderAnswer {
    /// An answer with an identity token has about 2 KiB.
    static let bytesMax = 65_536
    private static let limits = JSONLimits(bytesMax: bytesMax, depthMax: 8, valuesMax: 256)
    /// Apple's refresh tokens have about 100 bytes.
    static let tokenBytesMax = 4_096
    private static let saidBytesMax = 200
    private static let secretBytesMin = 8

    private let response: ClientResponse
    /// What must not come back in a text.
    private let secrets: [SecretBytes]

    init(_ response: ClientResponse, secrets: [SecretBytes]) {
        self.response = response
        self.secrets = secrets
    }

    /// Whether it was done; a body is not looked at.
    private func success() throws(ProviderFault) {
        guard response.statusCode != 200 else { return }
        throw refusal()
    }

    /// Whether it was done, where nothing is answered. What a body says does not count (RFC 7009 §2.2), but a page is from something
    /// else that stands on the way.
    func emptySuccess() throws(ProviderFault) {
        try success()
        let isBlank = response.body.allSatisfy { $0 == 0x20 || 0x09...0x0D ~= $0 }
        if isBlank || (try? StrictJSON.parse(response.body, limits: Self.limits)) != nil { return }
        throw .away("its answer is neither empty nor JSON")
    }

    /// The members of the answer to what was done.
    func members() throws(ProviderFault) -> JSONObject {
        try success()
        guard let members = try? StrictJSON.parse(response.body, limits: Self.limits).object else {
            throw .away("its answer is no JSON object")
        }
        return members
    }

    func tokens() throws(ProviderFault) -> TokenAnswer {
        let members = try members()
        let identity = members["id_token"]?.string.map { Array($0.utf8) }
        if let identity, identity.count > CompactJWS.bytesMax { throw .away("its identity token is too long") }
        return TokenAnswer(
            refreshToken: try Self.token("refresh_token", of: members),
            identityToken: identity,
            accessToken: try Self.token("access_token", of: members)
        )
    }

    /// Neither an empty token nor one that no header and no column could take is kept.
    static func token(_ name: String, of members: JSONObject) throws(ProviderFault) -> SecretBytes? {
        guard let value = members[name], !value.isNull else { return nil }
        guard let text = value.string, 1...tokenBytesMax ~= text.utf8.count,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw .away("its \(name) is no token") }
        return SecretBytes(copying: Array(text.utf8))
    }

    /// RFC 6749 §5.2, which is all that is believed of a refusal: a status alone may be some box's on the way.
    private func refusal() -> ProviderFault {
        let status = response.statusCode
        guard 400...499 ~= status, status != 429, status != 408,
            let members = try? StrictJSON.parse(response.body, limits: Self.limits).object,
            let code = members["error"]?.string, !code.isEmpty
        else { return .away("status \(status)") }
        let said = said(code, members["error_description"]?.string)
        switch code {
        case "invalid_grant": return .refusedGrant
        case "invalid_client", "unauthorized_client": return .refusedCredentials(said)
        case "server_error", "temporarily_unavailable": return .away(said)
        default: return .refusedRequest(said)
        }
    }

    private func said(_ code: String, _ detail: String?) -> String {
        let text = detail.map { "\(code): \($0)" } ?? code
        let bytes = Array(text.utf8)
        // A provider that repeats what it refuses must not bring it into the log.
        let repeats = secrets.contains { secret in
            secret.withUnsafeBytes { secret in
                secret.count >= Self.secretBytesMin && bytes.count >= secret.count
                    && (0...(bytes.count - secret.count)).contains { at in
                        bytes[at..<(at + secret.count)].elementsEqual(secret)
                    }
            }
        }
        if repeats { return "an error that repeats the request" }
        let clean = bytes.prefix(Self.saidBytesMax).map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") }
        return String(decoding: clean, as: UTF8.self)
    }
}
