import ChilCore
import ChilStore

/// One endpoint.
struct WebhookRow: ListingRow, Equatable {
    let id: Int64
    let url: String
    let state: String
    let events: [String]
    /// Failed attempts in a row.
    let failures: Int64
    let lastDeliveredAt: String?
    let lastFault: String?
    let disabledBecause: String?
    let pausedUntil: String?
    let privateEndpoint: String?
    /// Until then the old secret signs too.
    let oldSecretUntil: String?
    let createdAt: String

    static let columns: [Column<Self>] = [
        Column("id") { .number($0.id) },
        Column("url") { .text($0.url) },
        Column("state") { .text($0.state) },
        Column("events") { .list($0.events) },
        Column("failures") { .number($0.failures) },
        Column("lastDeliveredAt") { .optional($0.lastDeliveredAt) },
        Column("lastFault", listed: false) { .optional($0.lastFault) },
        Column("disabledBecause", listed: false) { .optional($0.disabledBecause) },
        Column("pausedUntil", listed: false) { .optional($0.pausedUntil) },
        Column("allowPrivate", listed: false) { .optional($0.privateEndpoint) },
        Column("oldSecretUntil", listed: false) { .optional($0.oldSecretUntil) },
        Column("createdAt", listed: false) { .text($0.createdAt) },
    ]
}

extension WebhookRow {
    init(_ endpoint: WebhookEndpoint) {
        id = endpoint.id.rawValue
        url = endpoint.url
        state = endpoint.state.rawValue
        events = endpoint.types
        failures = Int64(endpoint.failures)
        lastDeliveredAt = endpoint.lastDeliveredAt?.description
        lastFault = endpoint.lastFault
        disabledBecause = endpoint.disabledBecause
        pausedUntil = endpoint.pausedUntil?.description
        privateEndpoint = endpoint.allowedPrivateEndpoint
        oldSecretUntil = endpoint.oldSecretUntil?.description
        createdAt = endpoint.createdAt.description
    }
}

/// A secret, shown once.
struct WebhookSecretRow: ListingRow, Equatable {
    let id: Int64
    let secret: String

    static let columns: [Column<Self>] = [
        Column("id") { .number($0.id) },
        Column("secret") { .text($0.secret) },
    ]
}

/// What came of a test.
struct WebhookTestRow: ListingRow, Equatable {
    let id: Int64
    let url: String
    let status: Int64

    static let columns: [Column<Self>] = [
        Column("id") { .number($0.id) },
        Column("url") { .text($0.url) },
        Column("status") { .number($0.status) },
    ]
}

/// One event on its way to one endpoint.
struct WebhookDeliveryRow: ListingRow, Equatable {
    let event: String
    let endpoint: Int64
    let type: String
    let subject: String
    let state: String
    let attempts: Int64
    let status: Int64?
    let fault: String?
    let at: String
    let nextAt: String?
    let endedAt: String?

    static let columns: [Column<Self>] = [
        Column("at") { .text($0.at) },
        Column("event") { .text($0.event) },
        Column("endpoint") { .number($0.endpoint) },
        Column("state") { .text($0.state) },
        Column("attempts") { .number($0.attempts) },
        Column("status") { $0.status.map { .number($0) } ?? .none },
        Column("fault") { .optional($0.fault) },
        Column("nextAt") { .optional($0.nextAt) },
        Column("type", listed: false) { .text($0.type) },
        Column("subject", listed: false) { .text($0.subject) },
        Column("endedAt", listed: false) { .optional($0.endedAt) },
    ]
}

/// How many are sent again.
struct WebhookReplayRow: ListingRow, Equatable {
    let replayed: Int64

    static let columns: [Column<Self>] = [Column("replayed") { .number($0.replayed) }]
}
