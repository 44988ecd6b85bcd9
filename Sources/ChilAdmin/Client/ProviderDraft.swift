import ChilCore
package import ChilStore

/// Which algorithms a provider's keys may have.
enum TokenAlgorithm: String, ArgumentChoice, Sendable {
    case es256 = "ES256"
    case rs256 = "RS256"
}

/// `ES256,RS256`
struct TokenAlgorithmList: ArgumentValue, Equatable, Sendable {
    static let expectation = "ES256, RS256 or ES256,RS256"

    let algorithms: [TokenAlgorithm]

    static let both = Self(algorithms: [.es256, .rs256])

    init(algorithms: [TokenAlgorithm]) { self.algorithms = algorithms }

    init?(argument: String) {
        var read: [TokenAlgorithm] = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let algorithm = TokenAlgorithm(rawValue: String(word)), !read.contains(algorithm) else { return nil }
            read.append(algorithm)
        }
        algorithms = read
    }
}

extension ProviderRecord.NoncePolicy: ArgumentChoice {
    package static var allCases: [Self] { [.server, .client, .optional] }
}

/// What a tenant shall accept: one provider and its client ids.
struct ProviderDraft: Equatable, Sendable {
    /// Apple's: tokens name the first; discovery named the second for a while in 2025. Both are the same people.
    static let appleIssuers = ["https://appleid.apple.com", "https://account.apple.com"]
    static let appleKeysURL = "https://appleid.apple.com/auth/keys"
    static let appleREST = ProviderREST(
        authorizeURL: "https://appleid.apple.com/auth/authorize",
        tokenURL: "https://appleid.apple.com/auth/token",
        revokeURL: "https://appleid.apple.com/auth/revoke",
        migrationURL: "https://appleid.apple.com/auth/usermigrationinfo"
    )

    let clientIDs: [ClientID]
    let issuers: [String]
    let keysURL: String
    let algorithms: [TokenAlgorithm]
    let noncePolicy: ProviderRecord.NoncePolicy
    /// A private or loopback address that the key set may be fetched from; otherwise only public ones.
    let privateEndpoint: HostPort?
    let isDevelopment: Bool
}

extension ProviderDraft {
    /// Tokens may be this old when they are spent (contract, "Sign in").
    static let tokenAgeMax = Duration.seconds(600)

    func record(id: ProviderID) -> ProviderRecord {
        ProviderRecord(
            id: id,
            issuers: issuers,
            jwksURL: keysURL,
            algorithms: algorithms.map(\.rawValue),
            noncePolicy: noncePolicy,
            iatAgeMax: Self.tokenAgeMax,
            allowedPrivateEndpoint: privateEndpoint?.text,
            isDevelopment: isDevelopment,
            rest: keysURL == Self.appleKeysURL ? Self.appleREST : ProviderREST()
        )
    }

    /// The flags that say something else than the record.
    func differences(from record: ProviderRecord) -> [String] {
        var flags: [String] = []
        if record.jwksURL != keysURL { flags.append("--jwks-url") }
        if Set(record.algorithms) != Set(algorithms.map(\.rawValue)) { flags.append("--algorithms") }
        if record.noncePolicy != noncePolicy { flags.append("--nonce-policy") }
        if record.allowedPrivateEndpoint != privateEndpoint?.text { flags.append("--allow-private") }
        if record.isDevelopment != isDevelopment { flags.append("--development") }
        return flags
    }
}
