import ChilTestSupport
import Foundation
import Testing

/// A person's own account: changed, exported, deleted.
@Suite(.testBed(), .ownThread)
struct AccountTests {
    private static func app() throws -> App {
        let bed = try TestBed.required
        return try App(try bed.service(), .north, bed.issuer)
    }

    private static func patch(
        _ app: App,
        _ body: String,
        ifMatch: String?,
        type: String = "application/merge-patch+json"
    ) throws
        -> Answer
    {
        var request = Request("PATCH", "/north/me", bearer: app.accessToken, type: type, body: Array(body.utf8))
        if let ifMatch { request = request.adding("If-Match", ifMatch) }
        return try app.service.send(request)
    }

    // MARK: Changing

    @Test func whatWasNotChangedIsNotSentAgain() throws {
        let app = try Self.app()
        let tag = try #require(try app.send("GET", "me")["ETag"])
        let answer = try app.service.send(app.request("GET", "me").adding("If-None-Match", tag))
        #expect(answer.status == 304 && answer.body.isEmpty && answer["ETag"] == tag)
    }

    @Test func aNameIsSetAndRemoved() throws {
        let app = try Self.app()
        var tag = try #require(try app.send("GET", "me")["ETag"])
        let rows: [(body: String, given: String?, family: String?, changes: Bool)] = [
            ("{\"givenName\":\"하늘\",\"familyName\":\"Kim\"}", "하늘", "Kim", true),
            ("{}", "하늘", "Kim", false),
            ("{\"familyName\":\"Kim\"}", "하늘", "Kim", false),
            ("{\"givenName\":null}", nil, "Kim", true),
            ("{\"givenName\":null}", nil, "Kim", false),
            ("{\"givenName\":\"A\",\"familyName\":null}", "A", nil, true),
        ]
        for row in rows {
            let answer = try Self.patch(app, row.body, ifMatch: tag)
            #expect(answer.status == 200, "\(row.body): \(answer.text)")
            let members = try answer.members
            #expect(members["givenName"] as? String == row.given && members["familyName"] as? String == row.family)
            #expect((answer["ETag"] != tag) == row.changes, "\(row.body)")
            tag = try #require(answer["ETag"])
            let seen = try app.send("GET", "me")
            #expect(seen["ETag"] == tag && seen.body == answer.body)
        }
        #expect(try Self.patch(app, "{\"givenName\":\"B\"}", ifMatch: "*", type: "application/json").status == 200)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var body = "{\"givenName\":\"A\"}"
        var ifMatch: String? = "seen"
        var type = "application/merge-patch+json"
        let status: Int
        let code: String
        var pointer: String?
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(name: "no If-Match", ifMatch: nil, status: 428, code: "precondition-required"),
        Row(name: "another tag", ifMatch: "\"1-1\"", status: 412, code: "precondition-failed"),
        Row(name: "a weak tag", ifMatch: "weak", status: 412, code: "precondition-failed"),
        Row(name: "no tag", ifMatch: "1", status: 412, code: "precondition-failed"),
        Row(
            name: "an unknown member",
            body: "{\"email\":\"a@b\"}",
            status: 422,
            code: "invalid-fields",
            pointer: "/email"
        ),
        Row(name: "an unknown null", body: "{\"id\":null}", status: 422, code: "invalid-fields", pointer: "/id"),
        Row(
            name: "an empty name",
            body: "{\"givenName\":\"\"}",
            status: 422,
            code: "invalid-fields",
            pointer: "/givenName"
        ),
        Row(name: "a number", body: "{\"givenName\":1}", status: 422, code: "invalid-fields", pointer: "/givenName"),
        Row(
            name: "a long name",
            body: "{\"familyName\":\"\(String(repeating: "n", count: 201))\"}",
            status: 422,
            code: "invalid-fields",
            pointer: "/familyName"
        ),
        Row(
            name: "a name that turns what stands beside it",
            body: "{\"givenName\":\"a\u{202E}b\"}",
            status: 422,
            code: "invalid-fields",
            pointer: "/givenName"
        ),
        Row(
            name: "a name with an isolate",
            body: "{\"familyName\":\"\\u2066\"}",
            status: 422,
            code: "invalid-fields",
            pointer: "/familyName"
        ),
        Row(
            name: "a name that rings",
            body: "{\"givenName\":\"a\\u0007\"}",
            status: 422,
            code: "invalid-fields",
            pointer: "/givenName"
        ),
        Row(name: "an array", body: "[]", status: 400, code: "malformed-request"),
        Row(
            name: "twice the same member",
            body: "{\"givenName\":\"A\",\"givenName\":\"B\"}",
            status: 400,
            code: "malformed-json"
        ),
        Row(name: "another media type", type: "text/plain", status: 415, code: "unsupported-media-type"),
    ])
    func aBadChangeIsRefused(_ row: Row) throws {
        let app = try Self.app()
        let before = try app.send("GET", "me")
        let tag = try #require(before["ETag"])
        let weak: String? = "W/\(tag)"
        let ifMatch = row.ifMatch == "seen" ? tag : row.ifMatch == "weak" ? weak : row.ifMatch
        let answer = try Self.patch(app, row.body, ifMatch: ifMatch, type: row.type)
        try expectProblem(answer, row.status, row.code, pointer: row.pointer)
        #expect(try app.send("GET", "me").body == before.body)
    }

    @Test func ofManyChangesAtOnceOneIsMade() throws {
        let app = try Self.app()
        let tag = try #require(try app.send("GET", "me")["ETag"])
        let statuses = try inParallel(20) { number in
            try Self.patch(app, "{\"givenName\":\"name \(number)\"}", ifMatch: tag).status
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 412 }.count == 19)
    }

    /// A sign-in that has to be repeated, as its answer was lost, sends the name again; one of years later sends another.
    @Test func theFirstSignInSetsTheNameOnce() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let subject = Planted.subject()
        func name(_ given: String) throws -> String? {
            let nonce = try App.nonce(service, .north)
            let token = try IdentityToken(bed.issuer, .north, subject: subject, nonce: nonce).signed(bed.issuer.es256)
            let body = "{\"identityToken\":\"\(token)\",\"nonce\":\"\(nonce)\",\"givenName\":\"\(given)\"}"
            let answer = try service.send(Request("POST", "/north/auth/apple", json: body))
            try #require(answer.status == 200, "\(answer.text)")
            return (try answer.members["user"] as? [String: Any])?["givenName"] as? String
        }
        #expect(try name("Ann") == "Ann")
        #expect(try name("Ann") == "Ann")
        #expect(try name("Eve") == "Ann")
    }

    /// What nobody sees fails no sign-in, and gets nowhere.
    @Test func whatNobodySeesIsLeftOutAtSignIn() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let nonce = try App.nonce(service, .north)
        let token = try IdentityToken(bed.issuer, .north, nonce: nonce).signed(bed.issuer.es256)
        let names = #""givenName":"\u202eA\u0000n\u0085n","familyName":"\u2066\u001f","deviceName":"my\u202d phone""#
        let answer = try service.send(
            Request(
                "POST",
                "/north/auth/apple",
                json: "{\"identityToken\":\"\(token)\",\"nonce\":\"\(nonce)\",\(names)}"
            ).adding("User-Agent", "App\u{202E}/1\u{85}\u{2069} (한)")
        )
        try #require(answer.status == 200, "\(answer.text)")
        let app = try App(service, .north, answer)
        let me = try app.send("GET", "me")
        #expect(try me.string("givenName") == "Ann" && me.members["familyName"] == nil)
        let session = try #require(try app.send("GET", "auth/sessions").array("data").first)
        #expect(session["deviceName"] as? String == "my phone" && session["userAgent"] as? String == "App/1 (한)")
    }

    // MARK: Export

    @Test("an export ends with its session", arguments: ["sign-out", "deletion", "nothing"])
    func anExportEndsWithItsSession(_ end: String) throws {
        let app = try Self.app()
        let size = 16_000_000
        for _ in 0..<3 {
            let image = Picture.jpeg(bytesMin: size)
            try #require(try app.service.send(app.upload(image, type: "image/jpeg")).status == 201)
        }
        let slow = try Connection(to: app.service.port)
        slow.write(app.request("GET", "me/export").adding("Connection", "close").bytes)
        #expect(try slow.begins())
        switch end {
        case "sign-out": #expect(try app.send("POST", "auth/logout").status == 204)
        case "deletion": #expect(try app.send("DELETE", "me").status == 202)
        default: break
        }
        let ended = ContinuousClock.now
        waitUntil(.seconds(3)) { ContinuousClock.now > ended + Promise.news }
        let (count, tail) = try slow.drain(pause: 0)
        let isWhole = tail.hasSuffix("\r\n0\r\n\r\n")
        #expect(isWhole == (end == "nothing"))
        #expect((count > 3 * size) == (end == "nothing"), "\(count) bytes")
    }

    @Test("P-08 a person gets all of it, and the images as they were given") func theExportIsWhole() throws {
        let app = try Self.app()
        let pictures = [Picture.png(), Picture.jpeg(bytesMin: 1_400_000), Picture.jpeg()]
        for picture in pictures {
            let type = picture.starts(with: [0xFF]) ? "image/jpeg" : "image/png"
            try #require(try app.service.send(app.upload(picture, type: type)).status == 201)
        }
        let connection = try Connection(to: app.service.port)
        let head = try connection.send(app.request("HEAD", "me/export"))
        #expect(head.status == 200 && head["Content-Length"] == nil)
        let answer = try connection.send(app.request("GET", "me/export"))
        #expect(answer.status == 200 && answer["Content-Type"] == "application/zip")
        #expect(answer["Cache-Control"] == "no-store")
        #expect(answer["Content-Disposition"] == "attachment; filename=\"north-\(app.userID).zip\"")
        for name in ["Content-Type", "Transfer-Encoding", "Content-Disposition"] { #expect(head[name] == answer[name]) }
        let entries = try ZIPReader(answer.body).entries()
        let images = entries.filter { $0.name.hasPrefix("images/") }.map(\.bytes)
        #expect(images.count == 3 && images.allSatisfy { pictures.contains($0) })
        #expect(Set(images) == Set(pictures))
        let account = try #require(entries.first { $0.name == "account.json" })
        let members = try JSONSerialization.jsonObject(with: Data(account.bytes)) as? [String: Any]
        #expect(members?["id"] as? Int == app.userID)
        // The connection serves on.
        #expect(try connection.send(app.request("GET", "me")).status == 200)
    }

    @Test func onePersonHasOneExportAtATime() throws {
        let bed = try TestBed.required
        // The room is a loop's, and new connections go to the loop that has fewer.
        let service = try bed.start(["CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        let app = try App(service, .north, bed.issuer)
        try #require(
            try app.service.send(app.upload(Picture.jpeg(bytesMin: 16_000_000), type: "image/jpeg")).status == 201
        )
        let slow = try Connection(to: app.service.port)
        slow.write(app.request("GET", "me/export").bytes)
        let refused = try waitUntil(.seconds(5)) {
            try app.send("GET", "me/export").status == 429
        }
        #expect(refused)
        #expect(try slow.receive().status == 200)
        let isFree = try waitUntil(.seconds(5)) { try app.send("GET", "me/export").status == 200 }
        #expect(isFree)
    }

    @Test func anExportThatIsBrokenOffGivesItsPlaceBack() throws {
        let app = try Self.app()
        try #require(
            try app.service.send(app.upload(Picture.jpeg(bytesMin: 16_000_000), type: "image/jpeg")).status == 201
        )
        for _ in 0..<3 { try Connection(to: app.service.port).write(app.request("GET", "me/export").bytes) }
        let isFree = try waitUntil(.seconds(5)) { try app.send("GET", "me/export").status == 200 }
        #expect(isFree)
    }

    @Test func nobodyGetsNothing() throws {
        let service = try TestBed.required.service()
        for (method, path) in [("GET", "me/export"), ("PATCH", "me"), ("DELETE", "me")] {
            try expectProblem(try service.send(Request(method, "/north/\(path)", json: "{}")), 401, "unauthorized")
        }
    }
}
