import ChilDevIssuer
import ChilTestSupport
import Foundation
import Testing

/// A code that comes with an identity token: exchanged beside the sign-in, and the key to a lost answer.
@Suite(.testBed([.implicitNamed, .explicitUnnamed]), .ownThread)
struct CodeBesideSignInTests {
    static let faults: [(fault: IssuerFault, state: String)] = [
        (.slow(.seconds(4)), "held"), (.error503, "held"), (.html, "held"), (.redirect("http://127.0.0.1:1/"), "held"),
        (.refusal("invalid_grant"), "failed invalid_grant"), (.cutOff, "failed invalid_grant"),
    ]

    @Test(arguments: [ServiceForm.implicitNamed, .explicitUnnamed])
    func aCodeIsExchangedBesideTheSignIn(_ form: ServiceForm) async throws {
        let bed = try TestBed.required
        let service = try bed.service(form)
        let app = try CodeTenant(in: bed)
        let answer = try service.send(try app.signIn("person", service))
        #expect(answer.status == 200, "\(answer.text)")
        try await app.expectTokenState("held", of: "person")
        let exchange = try #require(app.exchanges.first)
        #expect(app.exchanges.count == 1 && exchange.error == nil && exchange.grantType == "authorization_code")
        // A code from a device has no redirect URI.
        #expect(exchange.clientID == app.native && exchange.redirectURI == nil)
        #expect(app.server.issuer.heldTokenCount(subject: "person", clientID: app.native) == 1)
    }

    /// The sign-in is answered whatever the provider does; what comes of the code is written down.
    @Test(arguments: faults)
    func aFailedExchangeFailsNoSignIn(_ row: (fault: IssuerFault, state: String)) async throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        app.server.issuer.fail(.token, with: row.fault)
        let answer = try service.send(try app.signIn("person", service))
        #expect(answer.status == 200, "\(answer.text)")
        // Before the slow one has answered.
        #expect(answer.elapsed < min(Duration.seconds(3).patient, .milliseconds(3_900)))
        try await app.expectTokenState(row.state, of: "person")
        #expect(try service.send(app.me(try answer.string("accessToken"))).status == 200)
    }

    @Test func refusedCredentialsAreTheOperatorsToMend() async throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        app.server.issuer.fail(.token, with: .refusal("invalid_client"))
        #expect(try service.send(try app.signIn("person", service)).status == 200)
        // The code lives, so it is tried again, and then all is well.
        try await app.expectTokenState("held", of: "person")
        #expect(try await app.credentialFault() == nil)
        // Whichever service had the work has told its operator.
        let logs = try [service, bed.service(.explicitUnnamed)].map(\.program.text)
        #expect(logs.contains { $0.contains("provider refuses the credentials") })
    }

    /// The provider gives a token for a code once. If its row is locked just then, as by the end of a large account, it is stored later.
    @Test func aTokenThatCannotBeStoredNowIsStoredLater() async throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        app.server.issuer.fail(.token, with: .slow(.seconds(2)))
        #expect(try service.send(try app.signIn("person", service)).status == 200)
        let ofTenant = "tenant_id = (select tenant_id from tenant where slug = '\(app.tenant.slug)')"
        try bed.query("begin; select from identity where \(ofTenant) for update; select pg_sleep(4); commit")
        try await app.expectTokenState("held", of: "person")
        #expect(app.exchanges.map(\.error) == [nil])
    }

    @Test func anotherPersonsCodeIsNotKept() async throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed)
        let stolen = try app.authorize("victim").code
        #expect(try service.send(try app.signIn("thief", service, code: stolen)).status == 200)
        try await app.expectTokenState("failed the code was another person's", of: "thief")
    }

    @Test func withoutCredentialsACodeIsOnlyRemembered() async throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try CodeTenant(in: bed, hasCredentials: false)
        let request = try app.signIn("person", service)
        let answers = try [service.send(request), service.send(request)]
        #expect(answers.map(\.status) == [200, 200])
        #expect(try answers[0].string("refreshToken") == answers[1].string("refreshToken"))
        #expect(try await app.tokenState("person") == "none")
        #expect(app.exchanges.isEmpty)
    }

    /// The client lost the answer: the same request gives the same session, to however many.
    @Test(arguments: [ServiceForm.implicitNamed, .explicitUnnamed])
    func theSameRequestAgainGivesTheSameSession(_ form: ServiceForm) async throws {
        let bed = try TestBed.required
        let service = try bed.service(form)
        let app = try CodeTenant(in: bed)
        let request = try app.signIn("person", service)
        let answers = try inParallel(20) { _ in try service.send(request) } + [service.send(request)]
        #expect(Set(answers.map(\.status)) == [200], "\(answers.first { $0.status != 200 }?.text ?? "")")
        #expect(Set(try answers.map { try $0.string("refreshToken") }).count == 1)
        for answer in answers {
            #expect(try answer.members["isNewUser"] as? Bool == true)
            #expect(try service.send(app.me(try answer.string("accessToken"))).status == 200)
        }
        try await app.expectTokenState("held", of: "person")
        #expect(app.exchanges.count == 1)
        // Once the session goes on, the answer was not lost.
        #expect(try service.send(app.refresh(try answers[0].string("refreshToken"))).status == 200)
        try expectProblem(try service.send(request), 401, "invalid-identity-token")
    }
}
