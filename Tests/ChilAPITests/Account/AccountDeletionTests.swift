import ChilDevIssuer
import ChilMediaTestSupport
import ChilTestSupport
import Foundation
import Testing

/// The end of an account, and what becomes of the provider's token after it.
@Suite(.testBed([.implicitNamed, .explicitUnnamed]), .ownThread)
struct AccountDeletionTests {
    private static func path(_ receipt: String) -> String { "account-deletions/\(receipt)" }

    private static func state(_ receipt: String, _ tenant: Tenant, _ service: Service) throws -> String {
        try service.send(Request("GET", "/\(tenant.slug)/\(path(receipt))")).string("providerToken")
    }

    @Test("P-12 every token is dead on every service, and who signs in again is new")
    func nothingIsLeft() throws {
        let bed = try TestBed.required
        let (service, other) = (try bed.service(), try bed.service(.explicitUnnamed))
        let subject = Planted.subject()
        let app = try App(service, .north, bed.issuer, subject: subject)
        let second = try App(other, .north, bed.issuer, subject: subject)
        let stranger = try App(service, .north, bed.issuer)
        let drawing = try app.makeDrawing()
        let url = try app.send("GET", "drawings/\(drawing)").string("url")
        let image = Request("GET", String(url.dropFirst(Service.publicURL.count)))
        try #require(try service.send(image).status == 200 && other.send(image).status == 200)
        try #require(try second.send("GET", "me").status == 200)

        let answer = try app.send("DELETE", "me")
        #expect(answer.status == 202, "\(answer.text)")
        #expect(Set(try answer.members.keys) == ["receipt", "deletedAt"])
        #expect(answer["Cache-Control"] == "no-store")
        let receipt = try answer.string("receipt")
        #expect(answer["Location"] == "\(Service.publicURL)/north/\(Self.path(receipt))")

        // Where it was deleted at once, elsewhere within the promise.
        try expectProblem(try app.send("GET", "me"), 401, "unauthorized")
        try expectProblem(try app.send("DELETE", "me"), 401, "unauthorized")
        let isDead = try waitUntil(Promise.news) { try second.send("GET", "me").status == 401 }
        #expect(isDead)
        for each in [app, second] {
            for service in [service, other] {
                try expectProblem(
                    try service.send(App.refresh(.north, each.refreshToken)),
                    401,
                    "invalid-refresh-token"
                )
                #expect(try service.send(each.request("GET", "drawings")).status == 401)
                #expect(try service.send(each.upload(Picture.png())).status == 401)
            }
        }
        for service in [service, other] { #expect(try service.send(image).status == 404) }
        #expect(try stranger.send("GET", "me").status == 200)

        waitForNextSecond()
        let again = try App(service, .north, bed.issuer, subject: subject)
        #expect(again.userID != app.userID)
        #expect(try again.send("GET", "drawings").array("data").isEmpty)
        #expect(try again.send("GET", "drawings/\(drawing)").status == 404)

        let asked = try other.send(Request("GET", "/north/\(Self.path(receipt))"))
        #expect(asked.status == 200 && asked["Cache-Control"] == "no-store")
        #expect(try asked.string("state") == "deleted" && asked.string("providerToken") == "none")
        #expect(try asked.string("deletedAt") == answer.string("deletedAt"))
        try expectProblem(try other.send(Request("GET", "/south/\(Self.path(receipt))")), 404, "not-found")
    }

    @Test(arguments: ["chl_dr_", "chl_dr_AAECAwQFBgcICQoLDA0ODwAAAAA", "chl_rt_AAAA", "1", "%F0%9F%98%80", "x%00"])
    func noReceiptIsNotFound(_ text: String) throws {
        let answer = try TestBed.required.service().send(Request("GET", "/north/account-deletions/\(text)"))
        #expect(answer.status == 404 || answer.status == 400, "\(answer.text)")
    }

    @Test func whatTheAccountTookIsFreeAgain() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let tenant = Tenant(slug: "limited")
        try bed.administration.add(tenant, bed.issuer)
        try bed.administration.run("quota set limited users 1")
        try bed.administration.run("quota set limited drawings 1")
        for _ in 0..<3 {
            let app = try App(service, tenant, bed.issuer)
            _ = try app.makeDrawing()
            #expect(try app.send("DELETE", "me").status == 202)
        }
    }

    /// One of many wins; whoever comes late is told as everyone without an account is.
    @Test func manyDeletionsAtOnceAreOne() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let app = try App(service, .north, bed.issuer)
        let statuses = try inParallel(10) { _ in try app.send("DELETE", "me").status }
        #expect(statuses.filter { $0 == 202 }.count == 1 && statuses.filter { $0 == 401 }.count == 9)
    }

    @Test("a large account goes at once too") func aLargeAccountGoes() throws {
        let bed = try TestBed.required
        let app = try App(try bed.service(), .north, bed.issuer)
        for _ in 0..<5 {
            let image = Picture.jpeg(bytesMin: 15_000_000)
            try #require(try app.service.send(app.upload(image, type: "image/jpeg")).status == 201)
        }
        #expect(try app.send("DELETE", "me").status == 202)
    }

    @Test("R-PR4 a job that the printer has is cancelled there, and nothing more is sent")
    func theirPagesAreNotPrinted() throws {
        let bed = try TestBed.required
        let printer = try ScriptedPrinter()
        defer { printer.stop() }
        let service = try bed.service()
        let app = try App(service, .south, bed.issuer)
        try bed.administration.run("printer add south --name scripted --uri \(printer.uri) --default")
        let drawing = try app.makeDrawing()
        let printed = try service.send(app.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing)}"))
        try #require(printed.status == 200, "\(printed.text)")
        let (sendDocument, cancelJob): (UInt16, UInt16) = (0x0006, 0x0008)
        let isSent = waitUntil(.seconds(10)) { printer.operations.contains(sendDocument) }
        try #require(isSent, "\(printer.operations)")
        // The worker has stored that it was sent.
        let isStored = try waitUntil(.seconds(10)) {
            try app.send("GET", "print-jobs/\(printed.int("printJobId"))").string("state") != "submitting"
        }
        try #require(isStored)
        #expect(try app.send("DELETE", "me").status == 202)
        let isCancelled = waitUntil(.seconds(10)) { printer.operations.contains(cancelJob) }
        #expect(isCancelled, "\(printer.operations)")
        let after = printer.operations.drop { $0 != cancelJob }
        #expect(!after.contains(sendDocument) && !after.contains(0x0005))
    }

    // MARK: The provider's token

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let faults: [IssuerFault]
        /// Attempts that failed before, by the row's own count.
        var attempts = 0
        let state: String
        let held: Int
        var testDescription: String { name }
    }

    @Test(
        "P-13 the deletion is done whatever the provider does, and the revocation is retried and then recorded",
        arguments: [
            Row(name: "the provider revokes", faults: [], state: "revoked", held: 0),
            Row(
                name: "it is down for a while",
                faults: [.error503, .error500, .html, .redirect("http://127.0.0.1:1/")],
                state: "revoked",
                held: 0
            ),
            Row(name: "it revokes, and its answer is lost", faults: [.cutOff], state: "revoked", held: 0),
            Row(name: "it refuses the request", faults: [.refusal("invalid_request")], state: "failed", held: 1),
            Row(name: "it refuses the token", faults: [.refusal("invalid_grant")], state: "failed", held: 1),
            Row(
                name: "it refuses the credentials until they are mended",
                faults: [.refusal("invalid_client"), .refusal("invalid_client")],
                state: "revoked",
                held: 0
            ),
            Row(
                name: "it is down for more than a day",
                faults: [.error503, .error503, .error503],
                attempts: 31,
                state: "failed",
                held: 1
            ),
        ]
    )
    func theTokenIsRevoked(_ row: Row) async throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let place = try ProviderTenant("p13-\(UInt32.random(in: 0...UInt32.max))", in: bed)
        defer { place.server.stop() }
        let subject = Planted.subject()
        let app = try place.signIn(subject, service)
        let token = try await place.holdToken(of: subject)
        try #require(place.heldTokens(of: subject) == 1)
        for fault in row.faults { place.server.issuer.fail(.revoke, with: fault) }

        let answer = try app.send("DELETE", "me")
        #expect(answer.status == 202)
        let receipt = try answer.string("receipt")
        #expect(try app.send("GET", "me").status == 401)
        let ofTenant = "tenant_id = (select tenant_id from tenant where slug = '\(place.tenant.slug)')"
        if row.attempts > 0 {
            try bed.query("update token_revocation set attempts = \(row.attempts) where \(ofTenant)")
        }
        // Time passes: what was put off is due.
        try waitUntil(.seconds(20)) {
            if try Self.state(receipt, place.tenant, service) != "pending" { return true }
            // What is put off for long is not leased: a lease has two minutes.
            try bed.query(
                "update work set run_at = now() where \(ofTenant) and kind = 'revoke' and run_at < now() + interval '100 seconds'"
            )
            return false
        }
        #expect(try Self.state(receipt, place.tenant, service) == row.state)
        // The operator hears of refused credentials, and that they are mended.
        let told = try bed.query(
            "select action from audit where \(ofTenant) and action ~ '^provider.(refused|accepted)' order by at, action desc"
        )
        #expect(
            told == (row.faults.contains(.refusal("invalid_client")) ? ["provider.refused", "provider.accepted"] : [])
        )
        #expect(
            try bed.query("select credential_fault from provider where \(ofTenant) and credential_fault is not null")
                == []
        )
        #expect(place.heldTokens(of: subject) == row.held)
        #expect(!place.server.issuer.calls(of: .revoke).isEmpty)
        try bed.query(
            """
            do $$ begin
                if exists (select from token_revocation where sealed_token is not null and state <> 'pending') then
                    raise exception 'a token is kept';
                end if;
            end $$
            """
        )
        #expect(try !bed.logs().contains(token), "the token is in a log")
        #expect(try !bed.logs().contains(subject), "the subject is in a log")
    }

    @Test("P-09 after a deletion nothing planted is in a dump of the database, or in a log")
    func noTraceIsLeft() async throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let place = try ProviderTenant("p09", in: bed)
        defer { place.server.stop() }
        let mark = "planted\(UInt64.random(in: 1...UInt64.max))"
        let names = ",\"givenName\":\"\(mark)\",\"familyName\":\"\(mark)\",\"deviceName\":\"\(mark)\""
        let app = try App(service, place.tenant, try place.signInAnswer(mark, service, names: names))
        let token = try await place.holdToken(of: mark)
        let made = try service.send(try Self.markedUpload(mark, app))
        try #require(made.status == 201, "\(made.text)")
        let drawing = try made.int("drawingId")
        try bed.administration.run("printer add p09 --name office --uri ipp://127.0.0.1:1/ipp/print --default")
        _ = try service.send(app.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing)}"))
        // A sign-in that is refused leaves its traces too.
        _ = try service.send(App.signIn(place.tenant, "no.token.\(mark)", "no-nonce"))
        let markers = [mark, token, app.accessToken, app.refreshToken, "\(mark)@mail.test"]
        let before = try bed.dump()
        #expect(before.contains(mark), "the test plants nothing")

        let answer = try app.send("DELETE", "me")
        try #require(answer.status == 202)
        let receipt = try answer.string("receipt")
        let isOver = try waitUntil(.seconds(10)) { try Self.state(receipt, place.tenant, service) != "pending" }
        #expect(isOver)
        let after = try bed.dump()
        let logs = try bed.logs()
        for marker in markers + [receipt] {
            let hex = marker.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            #expect(!after.contains(marker) && !after.contains(hex), "\(marker) is in the dump")
            #expect(!logs.contains(marker), "\(marker) is in a log")
        }
        #expect(after.contains("account.delete"), "the dump is none")
    }

    /// An image with the mark in its bytes, where a table stands that a later one replaces, and in its title.
    private static func markedUpload(_ mark: String, _ app: App) throws -> Request {
        var maker = JPEGMaker(columns: 2, rows: 1) { column, _ in [UInt8(40 + 100 * column)] }
        let table = Array(mark.utf8.prefix(64)) + [UInt8](repeating: 1, count: max(0, 64 - mark.utf8.count))
        maker.extraSegments += JPEGMaker.segment(0xDB, [0] + table)
        let border = "border"
        var body: [UInt8] = []
        for (head, value) in [
            ("name=\"type\"", Array("UPLOADED".utf8)), ("name=\"title\"", Array(mark.utf8)),
            ("name=\"image\"; filename=\"\(mark).jpg\"\r\nContent-Type: image/jpeg", maker.file()),
        ] {
            body +=
                Array("--\(border)\r\nContent-Disposition: form-data; \(head)\r\n\r\n".utf8) + value
                + Array("\r\n".utf8)
        }
        body += Array("--\(border)--\r\n".utf8)
        return Request(
            "POST",
            "/\(app.tenant.slug)/drawings",
            bearer: app.accessToken,
            type: "multipart/form-data; boundary=\(border)",
            body: body
        )
    }
}
