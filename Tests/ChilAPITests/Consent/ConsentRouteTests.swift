import ChilTestSupport
import Foundation
import Testing

/// A guardian's consent, over HTTP and at printers, with both ways of talking to PostgreSQL.
@Suite(.testBed([.implicitNamed, .explicitUnnamed]), .ownThread)
struct ConsentRouteTests {
    private static let (createJob, sendDocument): (UInt16, UInt16) = (0x0005, 0x0006)

    /// A tenant of its own, which asks for these scopes, and somebody signed in to it.
    private static func app(
        _ slug: String,
        requiring scopes: String?,
        _ form: ServiceForm = .implicitNamed
    ) throws -> App {
        let bed = try TestBed.required
        let tenant = Tenant(slug: slug)
        try bed.administration.add(tenant, bed.issuer)
        if let scopes { try bed.administration.run("tenant consent \(slug) --require \(scopes)") }
        return try App(try bed.service(form), tenant, bed.issuer)
    }

    private static func say(_ app: App, _ body: String) throws -> Answer {
        try app.service.send(app.request("POST", "consents", json: body))
    }

    private static func given(_ scopes: String, notice: Int = 1, method: String = "sms") -> String {
        "{\"scopes\":[\(scopes)],\"given\":true,\"guardian\":\"g-1\",\"method\":\"\(method)\",\"notice\":\(notice)}"
    }

    private static func print(_ drawing: Int, _ app: App) throws -> Answer {
        try app.service.send(app.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing)}"))
    }

    /// The refusal, with what is asked for.
    private static func expectAsked(
        _ answer: Answer,
        _ scope: String,
        notice: Int,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        try expectProblem(answer, 403, "consent-required", at: location)
        #expect(try answer.string("scope") == scope && answer.int("notice") == notice, sourceLocation: location)
        #expect(try answer.string("detail").contains("under notice \(notice)"), sourceLocation: location)
    }

    @Test(
        "P-01, P-02 an upload waits for consent under the notice in force",
        arguments: [ServiceForm.implicitNamed, .explicitUnnamed]
    )
    func anUploadWaits(_ form: ServiceForm) throws {
        let bed = try TestBed.required
        let slug = "asks-\(form == .implicitNamed ? "a" : "b")"
        let app = try Self.app(slug, requiring: "collect", form)
        let other = try App(app.service, .north, bed.issuer)
        #expect(
            try app.send("GET", "consents").text
                == "{\"notice\":1,\"required\":[{\"scope\":\"collect\",\"given\":false}],\"data\":[]}"
        )
        // Whatever the size: before a byte of it is stored.
        for image in [Picture.png(), Picture.jpeg(bytesMin: 300_000)] {
            try Self.expectAsked(try app.service.send(app.upload(image, type: "image/png")), "collect", notice: 1)
        }
        #expect(try bed.query("select count(*) from image where owner_id = \(app.userID)") == ["0"])
        #expect(try app.send("GET", "drawings").array("data").isEmpty)
        #expect(try other.service.send(other.upload(Picture.png())).status == 201)
        #expect(try other.send("GET", "consents").text == "{\"notice\":1,\"required\":[],\"data\":[]}")

        let said = try Self.say(app, Self.given("\"collect\""))
        #expect(said.status == 201, "\(said.text)")
        let record = try #require(try said.array("data").first)
        #expect(
            Set(record.keys) == ["consentId", "scope", "given", "method", "notice", "guardian", "at"]
                && record["guardian"] as? String == "g-1"
        )
        #expect(try said.array("required").first?["given"] as? Bool == true)
        let again = try Self.say(app, Self.given("\"collect\""))
        #expect(again.status == 200 && again.text == said.text)
        #expect(try app.service.send(app.upload(Picture.png())).status == 201)

        try bed.administration.run("tenant consent \(slug) --notice 2")
        let isAsked = try waitUntil(Promise.news) { try app.service.send(app.upload(Picture.png())).status == 403 }
        #expect(isAsked)
        try Self.expectAsked(try app.service.send(app.upload(Picture.png())), "collect", notice: 2)
        try expectProblem(
            try Self.say(app, Self.given("\"collect\"", notice: 3)),
            422,
            "invalid-fields",
            pointer: "/notice"
        )
        #expect(try Self.say(app, Self.given("\"collect\"", notice: 2, method: "face-match")).status == 201)
        #expect(try app.service.send(app.upload(Picture.png())).status == 201)

        #expect(try Self.say(app, "{\"scopes\":[\"collect\"],\"given\":false}").status == 201)
        #expect(try Self.say(app, "{\"scopes\":[\"collect\"],\"given\":false}").status == 200)
        try Self.expectAsked(try app.service.send(app.upload(Picture.png())), "collect", notice: 2)
        #expect(try app.send("GET", "consents").array("data").map { $0["given"] as? Bool } == [false, true, true])
        // What was kept stays the person's.
        #expect(try app.send("GET", "drawings").array("data").count == 2)
    }

    @Test("P-03 no byte goes to a party's printer without consent to that") func noByteGoesOut() throws {
        let bed = try TestBed.required
        let printer = try ScriptedPrinter()
        defer { printer.stop() }
        let app = try Self.app("cloud", requiring: "collect,disclose:epson")
        try bed.administration.run("printer add cloud --name far --uri \(printer.uri) --default --discloses-to epson")
        #expect(try Self.say(app, Self.given("\"collect\"")).status == 201)
        let drawing = try app.makeDrawing()
        try Self.expectAsked(try Self.print(drawing, app), "disclose:epson", notice: 1)
        #expect(printer.operations.isEmpty)
        #expect(try Self.say(app, Self.given("\"disclose:epson\"")).status == 201)
        let accepted = try Self.print(drawing, app)
        #expect(accepted.status == 200, "\(accepted.text)")
        let isSent = waitUntil(.seconds(10)) { printer.operations.contains(Self.sendDocument) }
        #expect(isSent)
    }

    @Test(
        "P-04 consent taken back cancels what waits, and no byte goes out",
        arguments: ["by the app", "by the operator"]
    )
    func whatWaitsIsCanceled(_ who: String) throws {
        let bed = try TestBed.required
        let printer = try ScriptedPrinter(takesJobs: false)
        defer { printer.stop() }
        let slug = who == "by the app" ? "back-a" : "back-b"
        let app = try Self.app(slug, requiring: "disclose:epson")
        try bed.administration.run("printer add \(slug) --name far --uri \(printer.uri) --default --discloses-to epson")
        #expect(try Self.say(app, Self.given("\"disclose:epson\"")).status == 201)
        let accepted = try Self.print(try app.makeDrawing(), app)
        try #require(accepted.status == 200, "\(accepted.text)")
        let job = "print-jobs/\(try accepted.int("printJobId"))"
        let waits = try waitUntil(.seconds(10)) {
            try app.send("GET", job).members["reason"] as? String == "notAccepting"
        }
        #expect(waits)
        if who == "by the app" {
            #expect(try Self.say(app, "{\"scopes\":[\"disclose:epson\"],\"given\":false}").status == 201)
        } else {
            try bed.administration.run("consent withdraw \(slug) \(app.userID) --scopes disclose:epson")
        }
        var shown = try app.send("GET", job)
        let isCanceled = try waitUntil(.seconds(5)) {
            shown = try app.send("GET", job)
            return try shown.string("state") == "canceled"
        }
        #expect(isCanceled, "\(shown.text)")
        #expect(try shown.members["reason"] as? String == "consent")
        #expect(!printer.operations.contains(Self.createJob) && !printer.operations.contains(Self.sendDocument))
        try Self.expectAsked(try Self.print(try app.makeDrawing(), app), "disclose:epson", notice: 1)
    }

    @Test("P-05 at its time a drawing is gone for everybody, with its image") func whatHasHadItsTimeIsGone() throws {
        let bed = try TestBed.required
        let app = try Self.app("brief", requiring: nil), stranger = try App(app.service, .north, bed.issuer)
        try bed.administration.run("quota set brief drawings 1")
        let drawing = try app.makeDrawing(), kept = try stranger.makeDrawing()
        let url = String(try app.send("GET", "drawings/\(drawing)").string("url").dropFirst(Service.publicURL.count))
        #expect(try app.service.send(Request("GET", url)).status == 200)
        try bed.administration.run("retention set brief drawings.uploaded 30")
        // Thirty-one days pass for both drawings: a number says when it was made.
        let past = Int64(31 * 86_400_000) << 11
        for id in [drawing, kept] {
            try bed.query(
                "update drawing set created_at = created_at - interval '31 days', drawing_id = drawing_id - \(past) where drawing_id = \(id)"
            )
        }
        // A service sweeps when it starts, and every hour.
        let service = try bed.start(["CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        let isGone = try waitUntil(.seconds(15)) {
            try bed.query("select count(*) from drawing where owner_id = \(app.userID)") == ["0"]
        }
        #expect(isGone)
        #expect(try app.service.send(Request("GET", url)).status == 404)
        #expect(try bed.query("select count(*) from image where owner_id = \(app.userID)") == ["0"])
        #expect(try stranger.send("GET", "drawings").array("data").count == 1)
        // There is room again.
        _ = try app.makeDrawing()
    }

    @Test("P-06 everybody can read for how long what is kept, as the database has it") func retentionIsPublic() throws {
        let bed = try TestBed.required
        let app = try Self.app("open", requiring: nil)
        try bed.administration.run("retention set open drawings.scanned forever")
        try bed.administration.run("retention set open audit 400")
        let answer = try app.service.send(Request("GET", "/open/retention"))
        #expect(answer.status == 200)
        let classes = try answer.array("data")
        let stored = try bed.query(
            """
            select d.class, case when r.class is null then d.days else r.days end
              from retention_default d
              left join retention r on r.class = d.class and r.tenant_id = (select tenant_id from tenant where slug = 'open')
             order by 1
            """
        )
        let shown = classes.map { "\($0["class"] as? String ?? "")|\(($0["days"] as? Int).map(String.init) ?? "")" }
        #expect(shown == stored && classes.count == 12)
        let forever = classes.filter { $0["forever"] as? Bool == true }
        #expect(forever.map { $0["class"] as? String } == ["drawings.scanned"])
        #expect(classes.allSatisfy { ($0["days"] == nil) == ($0["forever"] as? Bool) })
        // Another tenant's is its own.
        let north = try app.service.send(Request("GET", "/north/retention")).array("data")
        #expect(north.allSatisfy { $0["forever"] as? Bool == false } && north.count == 12)
    }

    @Test("P-16 a sub is enough: nothing else is asked for, nothing else is kept") func aSubIsEnough() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let nonce = try App.nonce(service, .north)
        var token = IdentityToken(bed.issuer, .north, subject: Planted.subject(), nonce: nonce)
        token.claims["email"] = nil
        let answer = try service.send(App.signIn(.north, try token.signed(bed.issuer.es256), nonce))
        #expect(answer.status == 200, "\(answer.text)")
        let user = try #require(try answer.members["user"] as? [String: Any])
        #expect(Set(user.keys) == ["id", "createdAt"])
        let id = try #require(user["id"] as? Int)
        #expect(
            try bed.query(
                "select given_name is null and family_name is null and email is null from app_user where user_id = \(id)"
            ) == ["t"]
        )
        // No column for what nobody needs to know of a child.
        let columns = try bed.query(
            """
            select column_name from information_schema.columns
             where table_schema = 'public' and column_name ~ 'birth|gender|phone|device_id|advertising|location|latitude|country|school'
            """
        )
        #expect(columns.isEmpty)
        #expect(try bed.query("select count(address) from audit where actor_kind = 'user'") == ["0"])
    }

    struct BodyRow: Sendable, CustomTestStringConvertible {
        let name: String
        let body: String
        let pointer: String
        var testDescription: String { name }
    }

    @Test(arguments: [
        BodyRow(name: "nothing", body: "{}", pointer: "/scopes"),
        BodyRow(name: "no scope", body: "{\"scopes\":[],\"given\":false}", pointer: "/scopes"),
        BodyRow(name: "a text", body: "{\"scopes\":\"collect\",\"given\":false}", pointer: "/scopes"),
        BodyRow(
            name: "a scope that is none",
            body: "{\"scopes\":[\"collect\",\"all\"],\"given\":false}",
            pointer: "/scopes/1"
        ),
        BodyRow(name: "a number for a scope", body: "{\"scopes\":[1],\"given\":false}", pointer: "/scopes/0"),
        BodyRow(
            name: "a party in capitals",
            body: "{\"scopes\":[\"disclose:Epson\"],\"given\":false}",
            pointer: "/scopes/0"
        ),
        BodyRow(
            name: "seventeen scopes",
            body: "{\"scopes\":[\(Array(repeating: "\"collect\"", count: 17).joined(separator: ","))],\"given\":false}",
            pointer: "/scopes"
        ),
        BodyRow(name: "given by a text", body: "{\"scopes\":[\"collect\"],\"given\":\"true\"}", pointer: "/given"),
        BodyRow(name: "not said whether", body: "{\"scopes\":[\"collect\"]}", pointer: "/given"),
        BodyRow(name: "no guardian", body: "{\"scopes\":[\"collect\"],\"given\":true}", pointer: "/guardian"),
        BodyRow(name: "no method", body: "{\"scopes\":[\"collect\"],\"given\":true}", pointer: "/method"),
        BodyRow(name: "no notice", body: "{\"scopes\":[\"collect\"],\"given\":true}", pointer: "/notice"),
        BodyRow(name: "an unknown method", body: given("\"collect\"", method: "fax"), pointer: "/method"),
        BodyRow(name: "notice zero", body: given("\"collect\"", notice: 0), pointer: "/notice"),
        BodyRow(name: "a notice that there is not yet", body: given("\"collect\"", notice: 2), pointer: "/notice"),
        BodyRow(
            name: "a guardian of 129 bytes",
            body: given("\"collect\"").replacingOccurrences(of: "g-1", with: String(repeating: "g", count: 129)),
            pointer: "/guardian"
        ),
        BodyRow(
            name: "a guardian with a control character",
            body: given("\"collect\"").replacingOccurrences(of: "g-1", with: "\\u0007"),
            pointer: "/guardian"
        ),
        BodyRow(
            name: "somebody else's user",
            body: given("\"collect\"").replacingOccurrences(of: "{\"scopes\"", with: "{\"userId\":1,\"scopes\""),
            pointer: "/userId"
        ),
        BodyRow(
            name: "a tenant",
            body: given("\"collect\"").replacingOccurrences(of: "{\"scopes\"", with: "{\"tenant_id\":1,\"scopes\""),
            pointer: "/tenant_id"
        ),
    ])
    func aWrongMemberIsNamed(_ row: BodyRow) throws {
        let bed = try TestBed.required
        let app = try App(try bed.service(), .south, bed.issuer)
        try expectProblem(try Self.say(app, row.body), 422, "invalid-fields", pointer: row.pointer)
        #expect(try app.send("GET", "consents").array("data").isEmpty)
    }
}
