package import ChilCore
package import ChilHTTP
package import ChilLoop

/// Sends one message to one endpoint, once. Not `Sendable`: it works on its loop.
///
/// One connection, fifteen seconds at most, 64 KiB of answer at most; a redirect is an answer like any other that is no success.
package struct WebhookSender {
    /// From the first system call to the answer's last byte.
    package static let patience = Duration.seconds(15)
    private static let connectPatience = Duration.seconds(5)
    /// Of an answer's body, which is thrown away.
    package static let answerBytesMax = 64 << 10

    /// What came of it.
    package enum Outcome: Sendable, Equatable {
        case delivered(status: Int)
        /// 410: it wants no more, ever.
        case gone
        /// Any other answer.
        case refused(status: Int)
        /// No answer.
        case away(String)

        /// Whether it took long, or nothing was there: what else is to be sent had better wait.
        package var isOutage: Bool {
            switch self {
            case .delivered, .gone: false
            case .refused(let status): status >= 500 || status == 429 || status == 408
            case .away: true
            }
        }
    }

    private let loop: EventLoop
    private let addressGuard: AddressGuard
    private let patience: Duration

    /// - Parameter exception: what the operator allowed for this endpoint.
    package init(
        on loop: EventLoop,
        allowing exception: AddressGuard.Exception?,
        patience: Duration = Self.patience
    ) {
        self.loop = loop
        addressGuard = AddressGuard(allowing: exception.map { [$0] } ?? [])
        self.patience = patience
    }

    /// - Parameters:
    ///   - url: as `WebhookAddress` lets it be.
    ///   - secrets: those that are good now, the newest first.
    ///   - now: the wall clock, for the signature.
    package func send(
        _ message: WebhookMessage,
        to url: HTTPURL,
        signedBy secrets: [WebhookSecret],
        at now: Timestamp
    ) async -> Outcome {
        guard url.isSecure || addressGuard.makesException(for: url) else {
            return .away("\(url) is not https, and no private endpoint was allowed for it")
        }
        var request = ClientRequest(
            .post,
            url,
            fields: [
                ("Content-Type", "application/json"), ("Accept", "*/*"), ("webhook-id", message.id),
                ("webhook-timestamp", "\(now.seconds)"),
                ("webhook-signature", message.signature(at: now.seconds, by: secrets)),
            ],
            body: [message.body]
        )
        request.responseBytesMax = Self.answerBytesMax
        request.patience = patience
        request.connectPatience = min(patience, Self.connectPatience)
        do throws(ClientFailure) {
            let response = try await HTTPClient(on: loop, addressGuard).send(request)
            switch response.statusCode {
            case 200...299: return .delivered(status: response.statusCode)
            case 410: return .gone
            case let status: return .refused(status: status)
            }
        } catch {
            return .away(error.description)
        }
    }
}
