package import ChilAuth
import ChilCore
import ChilHTTP

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
    /// How often a fresh key begins to sign; the one before stays published. nil: never by itself.
    package var rotation: Duration?
    /// It serves a network of its own (containers) and not this machine alone, so it may send to hosts beyond it.
    package var isOnNetwork = false

    package init(issuer: String, teams: [DeveloperTeam] = []) {
        self.issuer = issuer
        self.teams = teams
    }

    /// What the `aud` of a client secret may be.
    var audiences: [String] { [issuer] + (otherIssuer.map { [$0] } ?? []) }

    /// Whether it is asked by its own name, or by this machine's: one that somebody else points at this machine opens nothing (DNS
    /// rebinding).
    func answers(to authority: String) -> Bool {
        guard let host = HTTPURL("http://\(authority)/")?.host else { return false }
        return LoopbackHost.contains(host)
            || [issuer, otherIssuer].contains { $0.flatMap { HTTPURL($0)?.host } == host }
    }

    /// Whether it sends notifications to a host.
    func reaches(_ host: String) -> Bool { isOnNetwork || LoopbackHost.contains(host) }

    /// Until a code is exchanged ("Generate and validate tokens").
    package static let codeLifetime = Duration.seconds(300)
    /// What `expires_in` says of an access token.
    package static let accessLifetime = Duration.seconds(3_600)
    /// How long an identity token carries `transfer_sub` after a team transfer.
    package static let transferLifetime = Duration.seconds(60 * 86_400)
}
