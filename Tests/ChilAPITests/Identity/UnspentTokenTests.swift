import ChilTestSupport
import Foundation
import Testing

/// Identity tokens that nobody has used yet when consent is revoked or the account ends.
@Suite(.testBed([.implicitNamed, .explicitUnnamed]), .ownThread)
struct UnspentTokenTests {
    enum End: String, CaseIterable { case deletion, consentRevoked }

    private static func unspent(_ bed: TestBed, _ service: Service, _ tenant: Tenant, _ subject: String) throws
        -> Request
    {
        let nonce = try App.nonce(service, tenant)
        let token = try IdentityToken(bed.issuer, tenant, subject: subject, nonce: nonce).signed(bed.issuer.es256)
        return App.signIn(tenant, token, nonce)
    }

    private static func revokeConsent(_ bed: TestBed, _ service: Service, _ subject: String) throws {
        var token = IdentityToken(bed.issuer, .north)
        for name in ["sub", "email", "email_verified"] { token.claims[name] = nil }
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        token.claims["events"] = #"{"type":"consent-revoked","sub":"\#(subject)","event_time":\#(now)}"#
        let payload = try token.signed(bed.issuer.es256)
        let answer = try service.send(
            Request("POST", "/north/auth/apple/notifications", json: "{\"payload\":\"\(payload)\"}")
        )
        try #require(answer.status == 200, "\(answer.text)")
    }

    @Test("P-12 a token from before signs nobody in, a new one does", arguments: End.allCases)
    func aTokenFromBefore(_ end: End) throws {
        let bed = try TestBed.required
        let (service, second) = (try bed.service(), try bed.service(.explicitUnnamed))
        let subject = Planted.subject()
        let app = try App(service, .north, bed.issuer, subject: subject)
        let namesake = try App(service, .south, bed.issuer, subject: subject)
        let unspent = try (0..<3).map { _ in try Self.unspent(bed, service, .north, subject) }
        let elsewhere = try Self.unspent(bed, service, .south, subject)
        switch end {
        case .deletion: #expect(try app.send("DELETE", "me").status == 202)
        case .consentRevoked:
            try Self.revokeConsent(bed, service, subject)
            #expect(try waitUntil(Promise.news) { try app.send("GET", "me").status == 401 })
        }
        try expectProblem(try service.send(unspent[0]), 401, "invalid-identity-token")
        try expectProblem(try second.send(unspent[1]), 401, "invalid-identity-token")
        let other = try App(service, .south, try service.send(elsewhere))
        #expect(other.userID == namesake.userID)
        waitForNextSecond()
        let again = try App(second, .north, bed.issuer, subject: subject)
        #expect((again.userID == app.userID) == (end == .consentRevoked))
        // Nor does it once the person is back.
        try expectProblem(try service.send(unspent[2]), 401, "invalid-identity-token")
        #expect(try again.send("GET", "me").status == 200)
    }
}
