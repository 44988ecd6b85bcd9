import ChilTestSupport
import Foundation
import Testing

/// `GET auth/sessions` and `DELETE auth/sessions/{id}`.
@Suite(.testBed(ServiceForm.allCases), .ownThread)
struct SessionListTests {
    private func app(_ form: ServiceForm, _ subject: String, _ device: String?, _ agent: String? = nil) throws -> App {
        let bed = try TestBed.required
        let service = try bed.service(form)
        let nonce = try App.nonce(service, .north)
        let token = try IdentityToken(bed.issuer, .north, subject: subject, nonce: nonce).signed(bed.issuer.es256)
        let name = device.map { ",\"deviceName\":\"\($0)\"" } ?? ""
        var request = Request(
            "POST",
            "/north/auth/apple",
            json: "{\"identityToken\":\"\(token)\",\"nonce\":\"\(nonce)\"\(name)}"
        )
        if let agent { request = request.adding("User-Agent", agent) }
        return try App(service, .north, try service.send(request))
    }

    @Test(arguments: ServiceForm.allCases)
    func aPersonSeesTheirDevices(_ form: ServiceForm) throws {
        let subject = "devices-\(form.rawValue)"
        let phone = try app(form, subject, "지우의 아이폰", "Chilhada/2 (iPhone)")
        let tablet = try app(form, subject, nil)
        _ = try app(form, subject + " another", "Foreign")
        _ = try phone.refreshed()
        let answer = try tablet.send("GET", "auth/sessions")
        #expect(answer.status == 200 && answer["Cache-Control"] == "no-store")
        let sessions = try answer.array("data")
        // A refresh is a use; an access token that is an hour old at most does not move it again.
        #expect(try sessions.map { $0["id"] as? Int } == [phone, tablet].map { Int(try $0.sessionID) })
        #expect(sessions.map { $0["current"] as? Bool } == [false, true])
        #expect(Set(sessions[0].keys) == ["id", "deviceName", "createdAt", "lastUsedAt", "ip", "userAgent", "current"])
        #expect(sessions[0]["deviceName"] as? String == "지우의 아이폰" && sessions[1]["deviceName"] == nil)
        #expect(sessions[0]["userAgent"] as? String == "Chilhada/2 (iPhone)")
        #expect(sessions[0]["ip"] as? String == "127.0.0.1")
        let used = try #require(sessions[0]["lastUsedAt"] as? String)
        let created = try #require(sessions[0]["createdAt"] as? String)
        #expect(used > created && used.hasSuffix("Z"))
    }

    @Test(arguments: ServiceForm.allCases)
    func aPersonEndsADevice(_ form: ServiceForm) throws {
        let subject = "ending-\(form.rawValue)"
        let phone = try app(form, subject, "Phone"), tablet = try app(form, subject, "Tablet")
        let stranger = try app(form, subject + " another", nil)
        let south = try App(phone.service, .south, try TestBed.required.issuer)
        for app in [phone, tablet, stranger, south] { #expect(try app.status() == 200) }
        // Another's, another tenant's, what never was and what cannot be: one answer.
        let missing = try tablet.send("DELETE", "auth/sessions/4242")
        try expectProblem(missing, 404, "not-found")
        let others = [
            "\(try stranger.sessionID)", "\(try south.sessionID)", "0", "9007199254740992", "-1", "x",
            "99999999999999999999",
        ]
        for id in others {
            #expect(try tablet.send("DELETE", "auth/sessions/\(id)").unvarying == missing.unvarying, "\(id)")
        }
        let ended = try tablet.send("DELETE", "auth/sessions/\(try phone.sessionID)")
        #expect(ended.status == 204 && ended.body.isEmpty)
        #expect(try waitUntil(Promise.news) { try phone.status() == 401 })
        try expectProblem(try phone.service.send(App.refresh(.north, phone.refreshToken)), 401, "invalid-refresh-token")
        #expect(try tablet.send("DELETE", "auth/sessions/\(try phone.sessionID)").unvarying == missing.unvarying)
        #expect(try tablet.send("GET", "auth/sessions").array("data").count == 1)
        for app in [tablet, stranger, south] { #expect(try app.status() == 200) }
        // One's own is a sign-out.
        #expect(try tablet.send("DELETE", "auth/sessions/\(try tablet.sessionID)").status == 204)
        #expect(try waitUntil(Promise.news) { try tablet.status() == 401 })
        let reasons = try TestBed.required.query(
            "select end_reason from session where session_id in (\(try phone.sessionID), \(try tablet.sessionID))"
        )
        #expect(reasons == ["revoked", "revoked"])
    }

    @Test func nobodySeesNothing() throws {
        let service = try TestBed.required.service()
        try expectProblem(try service.send(Request("GET", "/north/auth/sessions")), 401, "unauthorized")
        try expectProblem(try service.send(Request("DELETE", "/north/auth/sessions/1")), 401, "unauthorized")
    }
}
