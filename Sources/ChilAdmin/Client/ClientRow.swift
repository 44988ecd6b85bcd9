import ChilCore
import ChilStore

/// One client id with the provider record that it belongs to.
struct ClientRow: ListingRow, Equatable {
    let clientID: String
    let use: String
    let issuers: [String]
    let keysURL: String
    let algorithms: [String]
    let noncePolicy: String
    let privateEndpoint: String?
    let isDevelopment: Bool
    let providerID: Int64
    var tokenAgeMax: Int64 = 600
    var redirectURI: String?
    var returnURL: String?
    var rest = ProviderREST()

    static let columns: [Column<Self>] = [
        Column("clientId") { .text($0.clientID) },
        Column("use") { .text($0.use) },
        Column("issuers") { .list($0.issuers) },
        Column("jwksUrl", listed: false) { .text($0.keysURL) },
        Column("algorithms") { .list($0.algorithms) },
        Column("noncePolicy") { .text($0.noncePolicy) },
        Column("tokenAgeMax", listed: false) { .number($0.tokenAgeMax) },
        Column("development") { .flag($0.isDevelopment) },
        Column("credentials") { .text($0.credentials) },
        Column("credentialFault", listed: false) { .optional($0.rest.credentialFault) },
        Column("teamId", listed: false) { .optional($0.rest.credentials?.teamID) },
        Column("keyId", listed: false) { .optional($0.rest.credentials?.keyID) },
        Column("redirectUri", listed: false) { .optional($0.redirectURI) },
        Column("returnUrl", listed: false) { .optional($0.returnURL) },
        Column("authorizeUrl", listed: false) { .optional($0.rest.authorizeURL) },
        Column("tokenUrl", listed: false) { .optional($0.rest.tokenURL) },
        Column("revokeUrl", listed: false) { .optional($0.rest.revokeURL) },
        Column("migrationUrl", listed: false) { .optional($0.rest.migrationURL) },
        Column("allowPrivate", listed: false) { .optional($0.privateEndpoint) },
        Column("providerId", listed: false) { .number($0.providerID) },
    ]

    /// Whether codes can be exchanged, as far as is known.
    private var credentials: String {
        rest.credentials == nil ? "none" : rest.credentialFault == nil ? "set" : "refused"
    }
}

extension ClientRow {
    /// A row for each client id of the record.
    static func rows(of provider: ProviderRecord) -> [Self] {
        provider.clients.map { client in
            Self(
                clientID: client.id,
                use: client.use.rawValue,
                issuers: provider.issuers,
                keysURL: provider.jwksURL,
                algorithms: provider.algorithms,
                noncePolicy: provider.noncePolicy.rawValue,
                privateEndpoint: provider.allowedPrivateEndpoint,
                isDevelopment: provider.isDevelopment,
                providerID: provider.id.rawValue,
                tokenAgeMax: provider.iatAgeMax.components.seconds,
                redirectURI: client.redirectURI,
                returnURL: client.returnURL,
                rest: provider.rest
            )
        }
    }
}
