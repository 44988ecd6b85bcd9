import ChilCore
import ChilCrypto
import ChilHTTP
import ChilTestSupport
import Testing

@testable import ChilWebhook

@Suite struct WebhookSenderTests {
    @Test func whatArrivesCanBeVerified() async throws {
        let receiver = try WebhookReceiver(.status(.noContent))
        defer { receiver.stop() }
        let outcome = try await WebhookBed.send(to: receiver.url, allowing: receiver.exception)
        #expect(outcome == .delivered(status: 204))
        let letter = try #require(receiver.letters.first)
        #expect(letter.id == "evt_5_user-created")
        #expect(letter.timestamp == "1780315300")
        #expect(letter.contentType == "application/json")
        #expect(letter.body == WebhookBed.message.body)
        let code = HMACSHA256(key: WebhookBed.secret.bytes).code(of: letter.signed)
        #expect(letter.signature == "v1," + String(decoding: Base64.encode(code.bytes), as: UTF8.self))
    }

    static let rows: [(name: String, answer: WebhookReceiver.Answer, outcome: WebhookSender.Outcome, isOutage: Bool)] =
        [
            ("200 with a body", .status(.ok, body: 100), .delivered(status: 200), false),
            ("410", .status(.gone), .gone, false),
            ("400", .status(.badRequest), .refused(status: 400), false),
            ("429", .status(.tooManyRequests), .refused(status: 429), true),
            ("500", .status(.internalServerError), .refused(status: 500), true),
            ("a redirect is not followed", .redirect("http://169.254.169.254/"), .refused(status: 302), false),
        ]

    @Test(arguments: rows)
    func anAnswerIsJudged(
        _ row: (name: String, answer: WebhookReceiver.Answer, outcome: WebhookSender.Outcome, isOutage: Bool)
    ) async throws {
        let receiver = try WebhookReceiver(row.answer)
        defer { receiver.stop() }
        let outcome = try await WebhookBed.send(to: receiver.url, allowing: receiver.exception)
        #expect(outcome == row.outcome, "\(row.name)")
        #expect(outcome.isOutage == row.isOutage, "\(row.name)")
        #expect(receiver.letters.count == 1)
    }

    @Test func aServerThatSaysNothingIsAwayInTime() async throws {
        let receiver = try WebhookReceiver(.silence)
        defer { receiver.stop() }
        let outcome = try await WebhookBed.send(
            to: receiver.url,
            allowing: receiver.exception,
            patience: .milliseconds(300)
        )
        guard case .away(let reason) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.hasPrefix("no answer in time: "))
        #expect(outcome.isOutage)
    }

    @Test func anAnswerWithoutEndIsNotRead() async throws {
        let receiver = try WebhookReceiver(.status(.ok, body: WebhookSender.answerBytesMax + 1))
        defer { receiver.stop() }
        let outcome = try await WebhookBed.send(to: receiver.url, allowing: receiver.exception)
        guard case .away(let reason) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason == "answer too large: more than \(WebhookSender.answerBytesMax) bytes")
    }

    @Test func aServerThatIsNotThereIsAway() async throws {
        let outcome = try await WebhookBed.send(
            to: "http://127.0.0.1:1/hook",
            allowing: AddressGuard.Exception("127.0.0.1:1")
        )
        guard case .away(let reason) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.hasPrefix("no connection: "))
    }
}
