package import ChilAuth
import ChilCore

/// What a development issuer is told when it starts.
package struct IssuerSettings: Sendable {
    /// The `iss` of its tokens, and one of the audiences that a client secret may name.
    package var issuer: String
    /// A second `iss` for the same users and keys, as Apple once had (`https://account.apple.com`).
    package var otherIssuer: String?
    /// Whose client secrets are taken. None: nobody's.
    package var teams: [DeveloperTeam] = []
    /// Clients that are known, with the redirect URIs of each. None: any client of any team, any redirect URI.
    package var clients: [String: [String]] = [:]
    /// What signs unless a request says otherwise.
    package var algorithm = JWSAlgorithm.es256
    /// From `iat` to `exp` of an identity token; Apple's live a day.
    package var identityLifetime = Duration.seconds(86_400)
    package var quirks: Set<Quirk> = []

    package init(issuer: String, teams: [DeveloperTeam] = []) {
        self.issuer = issuer
        self.teams = teams
    }

    /// What the `aud` of a client secret may be.
    var audiences: [String] { [issuer] + (otherIssuer.map { [$0] } ?? []) }

    /// Until a code is exchanged ("Generate and validate tokens").
    package static let codeLifetime = Duration.seconds(300)
    /// What `expires_in` says of an access token.
    package static let accessLifetime = Duration.seconds(3_600)
    /// How long an identity token carries `transfer_sub` after a team transfer.
    package static let transferLifetime = Duration.seconds(60 * 86_400)
}
