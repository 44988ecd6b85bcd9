import ChilCore
import ChilCrypto
import ChilHTTP
import ChilTestSupport
import ChilWebhook
import Foundation
import Testing

@testable import ChilAPI

/// From a request of an app to a request at the tenant's server.
@Suite(.testBed(), .ownThread) struct WebhookTests {
    /// A tenant with a server that is told of everything.
    private struct Hooked {
        let tenant: Tenant
        let receiver: WebhookReceiver
        let endpoint: String
        let secret: WebhookSecret

        init(_ name: String, _ answer: WebhookReceiver.Answer = .status(.noContent), events: String = "all") throws {
            let bed = try TestBed.required
            tenant = Tenant(slug: name)
            receiver = try WebhookReceiver(answer)
            try bed.administration.add(tenant, bed.issuer)
            let said = try bed.administration.run(
                "webhook add \(name) --url \(receiver.url) --events \(events) --allow-private \(receiver.authority) -o json"
            )
            let json = try #require(said.range(of: "(?s)\\{.*\\}", options: .regularExpression).map { said[$0] })
            let row = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            endpoint = "\(try #require(row["id"] as? Int))"
            let text = try #require(row["secret"] as? String)
            secret = try #require(WebhookSecret(parsing: text))
        }

        func app() throws -> App {
            let bed = try TestBed.required
            return try App(try bed.service(), tenant, bed.issuer)
        }

        /// What came, in any order, as `type data`.
        func told(_ count: Int) -> [String] {
            _ = waitUntil(.seconds(15)) { receiver.letters.count >= count }
            return receiver.letters.map(\.text).sorted()
        }

        func isGenuine(_ letter: WebhookReceiver.Letter, by secret: WebhookSecret) -> Bool {
            let code = HMACSHA256(key: secret.bytes).code(of: letter.signed)
            return letter.signature.split(separator: " ")
                .contains("v1,\(String(decoding: Base64.encode(code.bytes), as: UTF8.self))")
        }
    }

    @Test func whatHappensIsToldWithASignatureAndWithoutPersons() async throws {
        let bed = try TestBed.required
        let hooked = try Hooked("hooked"), other = try Hooked("otherhooked")
        defer {
            hooked.receiver.stop()
            other.receiver.stop()
        }
        let app = try hooked.app()
        let drawing = try app.makeDrawing()
        #expect(try app.send("DELETE", "drawings/\(drawing)").status == 204)
        #expect(try app.send("DELETE", "drawings/\(drawing)").status == 404)
        let next = try app.refreshed().refreshed()
        #expect(try app.service.send(App.refresh(app.tenant, app.refreshToken)).status == 401)
        _ = next
        let person = try App(try bed.service(), hooked.tenant, bed.issuer)
        #expect(try person.send("DELETE", "me").status == 202)

        let told = hooked.told(6)
        let types = try hooked.receiver.letters.map { letter in
            let json = try #require(try StrictJSON.parse(letter.body).object)
            let data = try #require(json["data"]?.object)
            #expect(data["tenant"]?.string == "hooked")
            #expect(json["timestamp"]?.string.flatMap { Timestamp(rfc3339: $0) } != nil)
            #expect(hooked.isGenuine(letter, by: hooked.secret))
            #expect(!hooked.isGenuine(letter, by: other.secret))
            #expect(letter.contentType == "application/json")
            return try #require(json["type"]?.string)
        }
        #expect(
            types.sorted() == [
                "drawing.created", "drawing.deleted", "session.reuse", "user.created", "user.created", "user.deleted",
            ]
        )
        #expect(told.contains { $0.contains("\"drawingId\":\(drawing),\"userId\":\(app.userID)") })
        #expect(!told.joined().contains(Planted.mark) && !told.joined().contains("@"))
        #expect(Set(hooked.receiver.letters.map(\.id)).count == 6)
        // The other tenant's server has heard nothing of it.
        #expect(other.receiver.letters.isEmpty)
    }

    /// Again with the same id, and signed by both secrets while they overlap.
    @Test func whatFailsIsSentAgain() async throws {
        let bed = try TestBed.required
        let hooked = try Hooked("failing", .status(.internalServerError), events: "drawing.created")
        defer { hooked.receiver.stop() }
        let app = try hooked.app()
        _ = try app.makeDrawing()
        #expect(hooked.told(1).count == 1)
        let said = try bed.administration.run("webhook rotate failing \(hooked.endpoint) -o json")
        let range = try #require(said.range(of: "whsec_[A-Za-z0-9+/=]+", options: .regularExpression))
        let fresh = try #require(WebhookSecret(parsing: String(said[range])))
        hooked.receiver.set(.status(.ok))
        #expect(hooked.told(2).count == 2)
        let letters = hooked.receiver.letters
        #expect(letters[0].id == letters[1].id && letters[0].body == letters[1].body)
        #expect(hooked.isGenuine(letters[1], by: fresh) && hooked.isGenuine(letters[1], by: hooked.secret))
        #expect(!hooked.isGenuine(letters[0], by: fresh))
        let isDelivered = try waitUntil(.seconds(5)) {
            try bed.administration.run("webhook deliveries failing --state delivered").contains("evt_")
        }
        #expect(isDelivered)
    }

    /// A server that hangs holds nobody else up, however much there is for it.
    @Test func aServerThatHangsHoldsNobodyElseUp() async throws {
        let hanging = try Hooked("hanging", .silence, events: "drawing.created")
        let lively = try Hooked("lively", events: "drawing.created")
        defer {
            hanging.receiver.stop()
            lively.receiver.stop()
        }
        let (stuck, free) = (try hanging.app(), try lively.app())
        for _ in 0..<20 { _ = try stuck.makeDrawing() }
        #expect(waitUntil(.seconds(5)) { hanging.receiver.letters.count >= 1 })
        let start = ContinuousClock.now
        for _ in 0..<5 { _ = try free.makeDrawing() }
        #expect(lively.told(5).count == 5)
        #expect(ContinuousClock.now - start < Duration.seconds(10).patient)
        #expect(hanging.receiver.letters.count <= 4)
    }

    @Test func goneIsGone() async throws {
        let bed = try TestBed.required
        let hooked = try Hooked("gone", .status(.gone), events: "drawing.created")
        defer { hooked.receiver.stop() }
        let app = try hooked.app()
        _ = try app.makeDrawing()
        let isDisabled = try waitUntil(.seconds(10)) {
            try bed.administration.run("webhook show gone \(hooked.endpoint)").contains("it answered 410 Gone")
        }
        #expect(isDisabled)
        _ = try app.makeDrawing()
        // Nothing is kept for it: the first alone is there.
        let kept = try bed.query("select count(*) from webhook_delivery where endpoint_id = \(hooked.endpoint)")
        #expect(kept == ["1"])
        #expect(hooked.receiver.letters.count == 1)
        hooked.receiver.set(.status(.ok))
        try bed.administration.run("webhook enable gone \(hooked.endpoint)")
        try bed.administration.run("webhook replay gone --dead")
        #expect(hooked.told(2).count == 2)
    }

    /// An exception that was taken away, a name that leads inside by now.
    @Test("A-14 and nothing is sent to anybody inside") func nothingIsSentToAPrivateAddress() async throws {
        let bed = try TestBed.required
        let hooked = try Hooked("inside", events: "drawing.created")
        defer { hooked.receiver.stop() }
        let app = try hooked.app()
        try bed.query(
            "update webhook_endpoint set allowed_private_endpoint = null, url = 'https://localhost:\(hooked.receiver.authority.split(separator: ":")[1])/' where endpoint_id = \(hooked.endpoint)"
        )
        _ = try app.makeDrawing()
        let isRefused = try waitUntil(.seconds(10)) {
            try bed.query("select last_fault from webhook_delivery where endpoint_id = \(hooked.endpoint)")
                .contains { $0.hasPrefix("address refused: ") }
        }
        #expect(isRefused)
        #expect(hooked.receiver.letters.isEmpty)
    }
}
