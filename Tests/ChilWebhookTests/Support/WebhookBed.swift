import ChilCore
import ChilHTTP
import ChilLoop
import Testing

@testable import ChilWebhook

enum WebhookBed {
    static let message = WebhookMessage(
        event: 5,
        type: "user.created",
        at: Timestamp(seconds: 1_780_315_200),
        tenant: "chillin",
        data: "\"userId\":5"
    )
    static let secret = WebhookSecret(parsing: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")!

    /// Sends the message from a loop of its own.
    static func send(
        to text: String,
        allowing exception: AddressGuard.Exception?,
        patience: Duration = .seconds(5),
        at now: Timestamp = Timestamp(seconds: 1_780_315_300)
    ) async throws -> WebhookSender.Outcome {
        let url = try #require(HTTPURL(text))
        let thread = try LoopThread()
        defer { thread.loop.stop() }
        return await LoopHome(thread.loop).run { loop in
            await WebhookSender(on: loop, allowing: exception, patience: patience)
                .send(message, to: url, signedBy: [secret], at: now)
        }
    }
}
