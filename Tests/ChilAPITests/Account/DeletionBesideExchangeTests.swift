import ChilDevIssuer
import ChilTestSupport
import Foundation
import Testing

/// An account that is deleted seconds after its sign-in, while the code that came with it is still to be exchanged.
@Suite(.testBed([.implicitNamed, .explicitUnnamed]), .ownThread)
struct DeletionBesideExchangeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// Of the token endpoint.
        let faults: [IssuerFault]
        let state: String
        let revocations: Int
        var testDescription: String { name }
    }

    @Test(
        "P-13 what the provider gives for the code after the deletion is revoked",
        arguments: [
            Row(name: "the token endpoint hangs", faults: [.slow(.seconds(3))], state: "revoked", revocations: 1),
            Row(name: "it is down for a while", faults: [.error503, .html], state: "revoked", revocations: 1),
            Row(
                name: "it refuses the code",
                faults: [.error503, .refusal("invalid_grant")],
                state: "failed",
                revocations: 0
            ),
            Row(name: "it takes the code, and its answer is lost", faults: [.cutOff], state: "failed", revocations: 0),
        ]
    )
    func theCodeOutlivesTheAccount(_ row: Row) async throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let (app, other) = (try CodeTenant(in: bed), try CodeTenant(in: bed))
        let subject = "planted\(UInt64.random(in: 1...UInt64.max))"
        for fault in row.faults { app.server.issuer.fail(.token, with: fault) }
        let signedIn = try service.send(try app.signIn(subject, service))
        let elsewhere = try service.send(try other.signIn(subject, service))
        try #require(signedIn.status == 200 && elsewhere.status == 200)
        let access = try signedIn.string("accessToken")
        let deleted = try service.send(Request("DELETE", "/\(app.tenant.slug)/me", bearer: access))
        try #require(deleted.status == 202, "\(deleted.text)")
        let receipt = Request("GET", "/\(app.tenant.slug)/account-deletions/\(try deleted.string("receipt"))")
        if row.faults == [.slow(.seconds(3))] {
            #expect(try service.send(receipt).string("providerToken") == "pending")
        }
        let isOver = try waitUntil(.seconds(30)) { try service.send(receipt).string("providerToken") != "pending" }
        #expect(isOver)
        #expect(try service.send(receipt).string("providerToken") == row.state)
        let revocations = app.server.issuer.calls(of: .revoke)
        #expect(revocations.map(\.error) == Array(repeating: nil, count: row.revocations))
        if row.revocations == 1 {
            #expect(app.server.issuer.heldTokenCount(subject: subject, clientID: app.native) == 0)
        }

        // The namesake of the other tenant has all.
        try await other.expectTokenState("held", of: subject)
        #expect(try service.send(other.me(try elsewhere.string("accessToken"))).status == 200)
        #expect(other.server.issuer.heldTokenCount(subject: subject, clientID: other.native) == 1)

        let ofTenant = "tenant_id = (select tenant_id from tenant where slug = '\(app.tenant.slug)')"
        for table in ["code_exchange", "work", "app_user", "identity", "session"] {
            #expect(try bed.query("select count(*) from \(table) where \(ofTenant)") == ["0"], "\(table)")
        }
        #expect(
            try bed.query("select count(*) from token_revocation where \(ofTenant) and sealed_token is not null") == [
                "0"
            ]
        )
        #expect(
            try service.send(Request("DELETE", "/\(other.tenant.slug)/me", bearer: try elsewhere.string("accessToken")))
                .status == 202
        )
        let dump = try bed.dump(), logs = try bed.logs()
        let hex = subject.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(!dump.contains(subject) && !dump.contains(hex), "the subject or its address is in the dump")
        #expect(!logs.contains(subject), "the subject is in a log")
    }

    /// Whoever deletes an account with somebody else's code does not take that one's consent.
    @Test func anotherPersonsCodeIsNotRevoked() async throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        app.server.issuer.fail(.token, with: .error503)
        let stolen = try app.authorize("victim").code
        let signedIn = try service.send(try app.signIn("thief", service, code: stolen))
        let access = try signedIn.string("accessToken")
        let deleted = try service.send(Request("DELETE", "/\(app.tenant.slug)/me", bearer: access))
        let receipt = Request("GET", "/\(app.tenant.slug)/account-deletions/\(try deleted.string("receipt"))")
        let isOver = try waitUntil(.seconds(20)) { try service.send(receipt).string("providerToken") == "failed" }
        #expect(isOver)
        #expect(app.server.issuer.calls(of: .revoke).isEmpty)
        #expect(app.server.issuer.heldTokenCount(subject: "victim", clientID: app.native) == 1)
    }
}
