import ChilCore
import ChilCrypto
import Testing

@testable import ChilWebhook

@Suite struct WebhookMessageTests {
    /// The example of the Standard Webhooks specification ("Example", and its libraries' tests).
    @Test func signsAsTheSpecificationShows() throws {
        let secret = try #require(WebhookSecret(parsing: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let body = #"{"test": 2432232314}"#
        var signed = Array("msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.".utf8)
        signed += Array(body.utf8)
        let code = HMACSHA256(key: secret.bytes).code(of: signed)
        #expect(
            String(decoding: Base64.encode(code.bytes), as: UTF8.self) == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        )
    }

    @Test func anEventIsTheSameBytesAndTheSameIDEachTime() throws {
        let message = WebhookMessage(
            event: 391_234_567_890_123,
            type: "drawing.created",
            at: Timestamp(seconds: 1_780_315_200),
            tenant: "chillin",
            data: "\"drawingId\":391234567890123,\"userId\":7"
        )
        #expect(message.id == "evt_391234567890123_drawing-created")
        #expect(
            String(decoding: message.body, as: UTF8.self)
                == "{\"type\":\"drawing.created\",\"timestamp\":\"2026-06-01T12:00:00.000Z\","
                + "\"data\":{\"tenant\":\"chillin\",\"drawingId\":391234567890123,\"userId\":7}}"
        )
        #expect(WebhookMessage.event(in: message.id) == 391_234_567_890_123)
        #expect(WebhookMessage.event(in: "17") == 17)
        #expect(WebhookMessage.event(in: "evt_x_y") == nil)
    }

    @Test func eachSecretSignsTheNewestFirst() throws {
        let (new, old) = (try WebhookSecret(), try WebhookSecret())
        let message = WebhookMessage(event: 1, type: "t", at: Timestamp(seconds: 0), tenant: "a", data: "")
        let both = message.signature(at: 1_000, by: [new, old])
        #expect(both == message.signature(at: 1_000, by: [new]) + " " + message.signature(at: 1_000, by: [old]))
        #expect(message.signature(at: 1_001, by: [new]) != message.signature(at: 1_000, by: [new]))
        #expect(both.hasPrefix("v1,"))
    }

    @Test func aSecretIsReadAsItIsWritten() throws {
        let secret = try WebhookSecret()
        #expect(WebhookSecret(parsing: secret.text)?.bytes == secret.bytes)
        #expect("\(secret)" == "[webhook secret]")
    }

    @Test(arguments: [
        "", "whsec_", "whsec_AAAA", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS?",
    ])
    func whatIsNoSecretIsRefused(_ text: String) {
        #expect(WebhookSecret(parsing: text) == nil)
    }

    @Test func retriesComeLaterAndLaterAndEnd() {
        let pauses = (1...9).map { WebhookSchedule.pause(after: $0, jitter: 0) }
        #expect(pauses.first == .seconds(5))
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { ($0 ?? .zero) < ($1 ?? .zero) })
        #expect(WebhookSchedule.pause(after: WebhookSchedule.attemptsMax, jitter: 0) == nil)
        #expect(WebhookSchedule.pause(after: 1, jitter: 1) == .seconds(6))
        #expect(WebhookSchedule.outagePause(after: 0) == .seconds(5))
        #expect(WebhookSchedule.outagePause(after: 1_000) == .seconds(300))
    }
}
