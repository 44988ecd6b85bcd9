import ChilCore
import ChilStore

/// One client id with the provider record that it belongs to.
struct ClientRow: ListingRow, Equatable {
    let clientID: String
    let issuers: [String]
    let keysURL: String
    let algorithms: [String]
    let noncePolicy: String
    let privateEndpoint: String?
    let isDevelopment: Bool
    let providerID: Int64

    static let columns: [Column<Self>] = [
        Column("clientId") { .text($0.clientID) },
        Column("issuers") { .list($0.issuers) },
        Column("jwksUrl", listed: false) { .text($0.keysURL) },
        Column("algorithms") { .list($0.algorithms) },
        Column("noncePolicy") { .text($0.noncePolicy) },
        Column("development") { .flag($0.isDevelopment) },
        Column("allowPrivate", listed: false) { .optional($0.privateEndpoint) },
        Column("providerId", listed: false) { .number($0.providerID) },
    ]
}

extension ClientRow {
    /// A row for each client id of the record.
    static func rows(of provider: ProviderRecord) -> [Self] {
        provider.clientIDs.map { clientID in
            Self(
                clientID: clientID,
                issuers: provider.issuers,
                keysURL: provider.jwksURL,
                algorithms: provider.algorithms,
                noncePolicy: provider.noncePolicy.rawValue,
                privateEndpoint: provider.allowedPrivateEndpoint,
                isDevelopment: provider.isDevelopment,
                providerID: provider.id.rawValue
            )
        }
    }
}
