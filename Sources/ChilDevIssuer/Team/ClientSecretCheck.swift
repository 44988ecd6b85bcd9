import ChilAuth
import ChilCore

/// Checks a client secret as the provider does ("Creating a client secret"): ES256 by a team's key, `iss` the team, `sub` the client,
/// `aud` the provider, and a life of at most six months.
struct ClientSecretCheck: Sendable {
    let teams: [DeveloperTeam]
    let audiences: [String]

    /// From `iat` to `exp`.
    static let lifetimeMax = Duration.seconds(15_777_000)
    /// Between two clocks.
    static let leeway = Duration.seconds(60)

    /// The team that signed for the client.
    ///
    /// - Throws: `invalid_client`, with what is wrong as its description: the provider itself leaves its callers guessing.
    func team(of secret: String, for clientID: String, at now: Timestamp) throws(OAuthError) -> DeveloperTeam {
        guard let token = try? CompactJWS(parsing: Array(secret.utf8)) else {
            throw .invalidClient("client_secret is no compact JWS.")
        }
        guard let claims = (try? StrictJSON.parse(token.payload))?.object else {
            throw .invalidClient("The claims of client_secret are no JSON object.")
        }
        guard let keyID = token.header.keyID else { throw .invalidClient("client_secret names no kid.") }
        let signers = teams.filter { $0.keyID.isExactly(keyID) }
        guard !signers.isEmpty else { throw .invalidClient("The kid of client_secret is no key of a known team.") }
        guard let team = signers.first(where: { token.isSigned(by: .es256($0.publicKey)) }) else {
            throw .invalidClient("client_secret is not signed with ES256 by the key that its kid names.")
        }
        guard claims["iss"]?.string?.isExactly(team.teamID) == true else {
            throw .invalidClient("The iss of client_secret is not the team of its key.")
        }
        guard claims["sub"]?.string?.isExactly(clientID) == true else {
            throw .invalidClient("The sub of client_secret is not client_id.")
        }
        guard let audience = claims["aud"]?.string, audiences.contains(where: { $0.isExactly(audience) }) else {
            throw .invalidClient("The aud of client_secret is not \(audiences.joined(separator: " or ")).")
        }
        try checkTimes(of: claims, at: now)
        return team
    }

    private func checkTimes(of claims: JSONObject, at now: Timestamp) throws(OAuthError) {
        guard let issued = NumericDate.moment(claims["iat"]), let expires = NumericDate.moment(claims["exp"]) else {
            throw .invalidClient("client_secret has no iat or no exp.")
        }
        guard issued <= now + Self.leeway else { throw .invalidClient("The iat of client_secret is in the future.") }
        guard now < expires + Self.leeway else { throw .invalidClient("client_secret has expired.") }
        guard expires > issued, expires - issued <= Self.lifetimeMax else {
            throw .invalidClient("client_secret lives longer than 15777000 seconds, or ends before it begins.")
        }
    }
}
