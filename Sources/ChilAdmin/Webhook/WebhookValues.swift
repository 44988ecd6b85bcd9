import ChilCore
import ChilHTTP
import ChilStore
import ChilWebhook

/// The number of an endpoint.
struct WebhookNumber: ArgumentValue, Hashable, Sendable {
    static let expectation = "an endpoint's number, as `webhook list` shows it"

    let id: WebhookEndpointID

    init?(argument: String) {
        guard let number = Int64(argument: argument), number > 0 else { return nil }
        id = WebhookEndpointID(rawValue: number)
    }
}

/// An event's number, alone or as the receiver was given it: `evt_391234567890123_drawing-created`.
struct WebhookEventNumber: ArgumentValue, Equatable, Sendable {
    static let expectation = "an event's number, or its webhook-id"

    let id: WebhookEventID

    init?(argument: String) {
        guard let number = WebhookMessage.event(in: argument) else { return nil }
        id = WebhookEventID(rawValue: number)
    }
}

/// Types of events with commas between, or `all`.
struct WebhookTypeWords: ArgumentValue, Equatable, Sendable {
    static let expectation =
        "`all`, or some of " + WebhookType.allCases.map(\.rawValue).joined(separator: ", ") + " with commas between"

    let types: [WebhookType]

    init?(argument: String) {
        if argument.isExactly("all") {
            types = WebhookType.allCases
            return
        }
        let words = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let known = words.compactMap { WebhookType(rawValue: $0) }
        guard !words.isEmpty, known.count == words.count, Set(known).count == known.count else { return nil }
        types = known
    }
}

extension WebhookDelivery.State: ArgumentChoice {}

/// What a new endpoint shall be.
struct WebhookDraft: Equatable, Sendable {
    let url: String
    let types: WebhookTypeWords
    let privateEndpoint: HostPort?

    /// Whether it may be called at all, as far as the address itself says.
    func checkedURL() throws(WebhookAddress.Fault) -> HTTPURL {
        try WebhookAddress.url(
            url,
            allowing: privateEndpoint.map { AddressGuard.Exception(host: $0.host, port: $0.port) }
        )
    }
}
