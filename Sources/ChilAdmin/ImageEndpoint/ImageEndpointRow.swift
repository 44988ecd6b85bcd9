import ChilCore
import ChilStore

/// One service that makes pictures. Its key is never shown.
struct ImageEndpointRow: ListingRow, Equatable {
    let id: Int64
    let kind: String
    let url: String?
    let model: String?
    let options: String
    let position: Int64
    let state: String
    let timeoutSeconds: Int64
    let hasKey: Bool
    let privateEndpoint: String?
    let disclosedTo: String?
    /// Failed attempts in a row.
    let failures: Int64
    let pausedUntil: String?
    let lastUsedAt: String?
    let lastFault: String?
    let createdAt: String

    static let columns: [Column<Self>] = [
        Column("id") { .number($0.id) },
        Column("kind") { .text($0.kind) },
        Column("url") { .optional($0.url) },
        Column("model") { .optional($0.model) },
        Column("position") { .number($0.position) },
        Column("state") { .text($0.state) },
        Column("disclosesTo") { .optional($0.disclosedTo) },
        Column("failures") { .number($0.failures) },
        Column("lastUsedAt") { .optional($0.lastUsedAt) },
        Column("options", listed: false) { .text($0.options) },
        Column("timeoutSeconds", listed: false) { .number($0.timeoutSeconds) },
        Column("hasKey", listed: false) { .flag($0.hasKey) },
        Column("allowPrivate", listed: false) { .optional($0.privateEndpoint) },
        Column("pausedUntil", listed: false) { .optional($0.pausedUntil) },
        Column("lastFault", listed: false) { .optional($0.lastFault) },
        Column("createdAt", listed: false) { .text($0.createdAt) },
    ]
}

extension ImageEndpointRow {
    init(_ endpoint: ImageEndpoint) {
        id = endpoint.id.rawValue
        kind = endpoint.kind.rawValue
        url = endpoint.url.isEmpty ? nil : endpoint.url
        model = endpoint.model
        options = endpoint.options
        position = Int64(endpoint.position)
        state = endpoint.state.rawValue
        timeoutSeconds = endpoint.timeout.components.seconds
        hasKey = endpoint.sealedKey != nil
        privateEndpoint = endpoint.allowedPrivateEndpoint
        disclosedTo = endpoint.disclosedTo
        failures = Int64(endpoint.failures)
        pausedUntil = endpoint.pausedUntil?.description
        lastUsedAt = endpoint.lastUsedAt?.description
        lastFault = endpoint.lastFault
        createdAt = endpoint.createdAt.description
    }
}
