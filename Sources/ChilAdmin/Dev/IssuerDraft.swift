import ChilDevIssuer

/// A development issuer to be served.
struct IssuerDraft: Equatable, Sendable {
    let keysFolder: String
    let listen: HostPort
    /// What tokens will name as `iss`.
    let issuer: WebAddress?
    var otherIssuer: WebAddress?
    var algorithm = TokenAlgorithm.es256
    /// None: all clients are known.
    var clients: [KnownClient] = []
    var teamKeys: [TeamKey] = []
    var quirks: Set<Quirk> = []
    var rotation: Seconds?
    /// Only then may it listen where others reach it.
    var isInContainer = false

    var issuerText: String { issuer?.text ?? "http://\(listen.text)" }

    /// Redirect URIs by client id.
    var redirects: [String: [String]] {
        clients.reduce(into: [:]) { known, client in
            known[client.clientID.text, default: []] += client.redirect.map { [$0.text] } ?? []
        }
    }
}

/// `ID` or `ID=REDIRECT_URI`: a client that the issuer knows.
struct KnownClient: ArgumentValue, Equatable, Sendable {
    static let expectation = "ID or ID=URL"

    let clientID: ClientID
    let redirect: WebAddress?

    init?(argument: String) {
        let (name, value) = SortedWords.split(argument)
        guard let clientID = ClientID(argument: name) else { return nil }
        self.clientID = clientID
        redirect = value.flatMap(WebAddress.init(argument:))
        guard value == nil || redirect != nil else { return nil }
    }
}

/// `TEAM:KEY:FILE`: a key that client secrets may be signed with.
struct TeamKey: ArgumentValue, Equatable, Sendable {
    static let expectation = "TEAM:KEY:FILE"

    let teamID: String
    let keyID: String
    let path: String

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts.contains("") else { return nil }
        (teamID, keyID, path) = (parts[0], parts[1], parts[2])
    }
}
