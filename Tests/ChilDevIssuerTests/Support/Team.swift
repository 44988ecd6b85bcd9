import ChilAuth
import ChilCore
import ChilCrypto
import ChilDevIssuer

/// A developer's account with its key, and the client secrets that it signs.
struct Team {
    let id: String
    let keyID: String
    let key: ES256PrivateKey

    init(_ id: String, keyID: String = "KEY0000001") throws {
        self.id = id
        self.keyID = keyID
        key = try ES256PrivateKey()
    }

    var known: DeveloperTeam { DeveloperTeam(teamID: id, keyID: keyID, publicKey: key.publicKey) }

    /// Claims in JSON by name; nil leaves one out.
    func secret(_ clientID: String, at now: Timestamp, changing: [String: String?] = [:], keyID: String? = nil) throws
        -> String
    {
        var claims: [String: String] = [
            "iss": "\"\(id)\"", "iat": "\(now.seconds)", "exp": "\(now.seconds + 300)",
            "aud": "\"https://issuer.test\"",
            "sub": "\"\(clientID)\"",
        ]
        for (name, value) in changing { claims[name] = value }
        let json = "{\(claims.map { "\"\($0)\":\($1)" }.sorted().joined(separator: ","))}"
        let token = try CompactJWS.make(
            payload: Array(json.utf8),
            type: nil,
            keyID: keyID ?? self.keyID,
            key: .es256(key)
        )
        return String(decoding: token, as: UTF8.self)
    }
}
