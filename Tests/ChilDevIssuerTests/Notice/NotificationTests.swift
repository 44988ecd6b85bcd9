import ChilCore
import ChilHTTP
import Testing

@testable import ChilDevIssuer

@Suite struct NotificationTests {
    @Test(arguments: NotificationDraft.Shape.allCases)
    func eventsComeInThreeShapes(_ shape: NotificationDraft.Shape) throws {
        let bench = try Bench()
        var draft = NotificationDraft(clientID: "app.one", kind: "email-disabled", subject: "a\"nn")
        draft.shape = shape
        draft.email = "x@privaterelay.example.com"
        draft.isPrivateEmail = true
        let claims = try bench.claims(bench.issuer.notification(draft, at: bench.now))
        #expect(claims["iss"]?.string == "https://issuer.test")
        #expect(claims["aud"]?.string == "app.one")
        #expect(claims["iat"]?.int64 == bench.now.seconds)
        #expect(claims["exp"]?.int64 == bench.now.seconds + 86_400)
        #expect(claims["jti"]?.string?.isEmpty == false)
        let events = try #require(claims["events"])
        let event: JSONObject? =
            switch shape {
            case .string: try StrictJSON.parse(Array((events.string ?? "").utf8)).object
            case .object: events.object
            case .array: events.array?.first?.object
            }
        #expect(event?["type"]?.string == "email-disabled")
        #expect(event?["sub"]?.string == "a\"nn")
        #expect(event?["event_time"]?.int64 == bench.now.seconds * 1_000)
        #expect(event?["email"]?.string == "x@privaterelay.example.com")
        #expect(event?["is_private_email"]?.string == "true")
    }

    @Test func theSameCanBeToldTwice() throws {
        let bench = try Bench()
        var draft = NotificationDraft(clientID: "app.one", kind: "email-enabled", subject: "ann")
        let fresh = try bench.claims(bench.issuer.notification(draft, at: bench.now))["jti"]?.string
        #expect(try bench.claims(bench.issuer.notification(draft, at: bench.now))["jti"]?.string != fresh)
        draft.identifier = "once"
        for _ in 0..<2 {
            #expect(try bench.claims(bench.issuer.notification(draft, at: bench.now))["jti"]?.string == "once")
        }
    }

    @Test func aBadSignatureIsBadAndChangesNothing() throws {
        let bench = try Bench()
        let refresh = try signIn(bench)
        var draft = NotificationDraft(clientID: "app.one", kind: "account-delete", subject: "ann")
        draft.hasBadSignature = true
        let payload = try bench.issuer.notification(draft, at: bench.now)
        #expect(throws: Bench.NotSigned.self) { try bench.claims(payload) }
        #expect(try bench.post(.token, refresh).status == .ok)
    }

    @Test(arguments: ["consent-revoked", "account-delete", "account-deleted"])
    func whatIsToldHasHappened(_ kind: String) throws {
        let bench = try Bench()
        let refresh = try signIn(bench)
        _ = try bench.issuer.notification(
            NotificationDraft(clientID: "app.one", kind: kind, subject: "bob"),
            at: bench.now
        )
        #expect(try bench.post(.token, refresh).status == .ok)
        _ = try bench.issuer.notification(
            NotificationDraft(clientID: "app.one", kind: kind, subject: "ann"),
            at: bench.now
        )
        #expect(try bench.post(.token, refresh).error == "invalid_grant")
    }

    /// The form that refreshes a signed-in user's token.
    private func signIn(_ bench: Bench) throws -> [String: String] {
        let code = try bench.issuer.authorize(AuthorizationDraft(clientID: "app.one", subject: "ann"), at: bench.now)
            .code
        let form = ["client_id": "app.one", "grant_type": "authorization_code", "code": code]
        let token = try #require(try bench.post(.token, form)["refresh_token"]?.string)
        return ["client_id": "app.one", "grant_type": "refresh_token", "refresh_token": token]
    }
}
