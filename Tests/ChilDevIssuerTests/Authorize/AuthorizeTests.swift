import ChilCore
import Testing

@testable import ChilDevIssuer
@testable import ChilHTTP

@Suite struct AuthorizeTests {
    static let request = [
        "client_id": "app.web", "redirect_uri": "https://app.test/back", "response_type": "code id_token",
        "response_mode": "form_post", "scope": "name email", "state": "s\"1", "nonce": "n",
    ]

    private func items(_ fields: [String: String]) throws -> QueryItems {
        let pairs = fields.sorted { $0.key < $1.key }.map { "\($0)=\(PercentCoding.encode($1))" }
        return try QueryItems(Array(pairs.joined(separator: "&").utf8)[...], isForm: true)
    }

    private func text(_ response: Response) -> String {
        guard case .bytes(let bytes) = response.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The hidden fields of a page, unescaped.
    private func fields(_ page: String) -> [String: String] {
        var fields: [String: String] = [:]
        for input in page.split(separator: "<input type=\"hidden\" name=\"").dropFirst() {
            let parts = input.split(separator: "\"", maxSplits: 3, omittingEmptySubsequences: false)
            fields[String(parts[0])] = String(parts[2]).replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
                .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        }
        return fields
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let fields: [String: String]
        let error: String
        let reason: String

        init(_ name: String, _ fields: [String: String], _ error: String, _ reason: String) {
            (testDescription, self.fields, self.error, self.reason) = (name, fields, error, reason)
        }

        static let all = [
            Row("no client", ["client_id": ""], "invalid_request", "client_id is missing."),
            Row("unknown client", ["client_id": "app.x"], "invalid_client", "client_id is no known client."),
            Row("no redirect", ["redirect_uri": ""], "invalid_request", "redirect_uri is missing."),
            Row(
                "another redirect",
                ["redirect_uri": "https://app.test/back2"],
                "invalid_request",
                "Invalid web redirect url."
            ),
            Row("a script", ["redirect_uri": "javascript:alert(1)"], "invalid_request", "Invalid web redirect url."),
            Row(
                "in the clear",
                ["redirect_uri": "http://app.test/back"],
                "invalid_request",
                "Invalid web redirect url."
            ),
            Row(
                "token",
                ["response_type": "token"],
                "unsupported_response_type",
                "response_type is not code, id_token or both."
            ),
            Row(
                "fragments",
                ["response_mode": "web_message"],
                "invalid_request",
                "response_mode is not query, fragment or form_post."
            ),
            Row(
                "scope in a query",
                ["response_mode": "query", "response_type": "code"],
                "invalid_request",
                "response_mode must be form_post when name or email scope is requested."
            ),
            Row(
                "identity token in a query",
                ["response_mode": "query", "scope": ""],
                "invalid_request",
                "response_mode must be fragment or form_post when id_token is requested."
            ),
            Row("other scope", ["scope": "name <b>"], "invalid_scope", "scope is none of name and email."),
            Row("plain challenge", ["code_challenge": "x"], "invalid_request", "code_challenge_method is not S256."),
        ]
    }

    /// Neither the page nor the answer goes back to a redirect URI that was not checked.
    @Test(arguments: Row.all)
    func badRequestsAreShown(_ row: Row) throws {
        let bench = try Bench { $0.clients = ["app.web": ["https://app.test/back"]] }
        let items = try items(Self.request.merging(row.fields) { $1 })
        for response in [bench.issuer.authorizePage(items), bench.issuer.authorizeAnswer(items, at: bench.now)] {
            #expect(response.status == .badRequest)
            #expect(text(response).contains("<h1>\(row.error)</h1><p>\(row.reason)</p>"), "\(text(response))")
        }
    }

    @Test func thePageAsksAndRepeatsTheRequest() throws {
        let bench = try Bench()
        let response = bench.issuer.authorizePage(try items(Self.request))
        #expect(response.status == .ok)
        let repeated = fields(text(response))
        #expect(repeated["state"] == "s\"1")
        #expect(repeated["redirect_uri"] == "https://app.test/back")
        #expect(Set((repeated["scope"] ?? "").split(separator: " ")) == ["name", "email"])
        #expect(
            try AuthorizeRequest(items(repeated), clients: [:]) == AuthorizeRequest(items(Self.request), clients: [:])
        )
    }

    @Test func nothingOfARequestBecomesMarkup() throws {
        let bench = try Bench()
        let evil = "\"><script>alert('&')</script>"
        let fields = Self.request.merging(["state": evil, "nonce": evil, "client_id": evil]) { $1 }
        let page = text(bench.issuer.authorizePage(try items(fields)))
        #expect(!page.contains("<script>"))
        #expect(self.fields(page)["state"] == evil)
        let chosen = fields.merging(["subject": evil, "given_name": evil, "email": evil]) { $1 }
        let back = text(bench.issuer.authorizeAnswer(try items(chosen), at: bench.now))
        #expect(back.components(ofTag: "<script>") == 1)
        #expect(self.fields(back)["state"] == evil)
    }

    @Test func aFormIsPostedBack() throws {
        let bench = try Bench()
        let person = [
            "subject": "ann", "email_kind": "real", "email": "ann@example.com", "given_name": "Ann",
            "action": "continue",
        ]
        let chosen = try items(Self.request.merging(person) { $1 })
        let page = text(bench.issuer.authorizeAnswer(chosen, at: bench.now))
        #expect(page.contains("<form method=\"post\" action=\"https://app.test/back\">"))
        let answer = fields(page)
        #expect(Set(answer.keys) == ["state", "code", "id_token", "user"])
        #expect(answer["state"] == "s\"1")
        #expect(answer["user"] == #"{"name":{"firstName":"Ann"},"email":"ann@example.com"}"#)
        let code = try #require(answer["code"])
        let claims = try bench.claims(Array(try #require(answer["id_token"]).utf8))
        #expect(claims["sub"]?.string == "ann")
        #expect(claims["nonce"]?.string == "n")
        #expect(claims["c_hash"]?.string == TokenHash.half(of: code))
        #expect(claims["email"]?.string == "ann@example.com")
        #expect(claims["is_private_email"] == nil)
        let form = ["client_id": "app.web", "grant_type": "authorization_code", "code": code]
        #expect(try bench.post(.token, form).error == "invalid_grant")
        let right = form.merging(["redirect_uri": "https://app.test/back"]) { $1 }
        #expect(try bench.post(.token, right).status == .ok)

        let again = fields(text(bench.issuer.authorizeAnswer(chosen, at: bench.now)))
        #expect(Set(again.keys) == ["state", "code", "id_token"])
    }

    @Test func emailIsSharedHiddenOrNot() throws {
        let bench = try Bench()
        func claims(_ kind: String) throws -> JSONObject {
            let chosen = Self.request.merging(["subject": "ann", "email_kind": kind, "email": "ann@example.com"]) { $1 }
            let answer = fields(text(bench.issuer.authorizeAnswer(try items(chosen), at: bench.now)))
            return try bench.claims(Array(try #require(answer["id_token"]).utf8))
        }
        let hidden = try claims("hidden")
        #expect(hidden["email"]?.string?.hasSuffix("@privaterelay.example.com") == true)
        #expect(hidden["is_private_email"] == .bool(true))
        #expect(try claims("hidden")["email"] == hidden["email"])
        #expect(try claims("none")["email"] == nil)
        #expect(try claims("real")["email"]?.string == "ann@example.com")
    }

    @Test func cancellingIsToldTo() throws {
        let bench = try Bench()
        let cancelled = try items(Self.request.merging(["action": "cancel", "subject": ""]) { $1 })
        let answer = fields(text(bench.issuer.authorizeAnswer(cancelled, at: bench.now)))
        #expect(answer == ["state": "s\"1", "error": "user_cancelled_authorize"])
    }

    @Test(arguments: [("query", "?"), ("fragment", "#")])
    func queriesAndFragmentsRedirect(_ mode: String, _ mark: String) throws {
        let bench = try Bench()
        let chosen = Self.request.merging([
            "response_mode": mode, "response_type": "code", "scope": "", "subject": "ann",
        ]) { $1 }
        let response = bench.issuer.authorizeAnswer(try items(chosen), at: bench.now)
        #expect(response.status == .seeOther)
        let lines = String(decoding: response.fieldLines, as: UTF8.self)
        #expect(lines.contains("Location: https://app.test/back\(mark)state=s%221&code=c"), "\(lines)")
    }
}

extension String {
    /// How often a piece of markup occurs.
    fileprivate func components(ofTag tag: String) -> Int {
        ranges(of: tag).count
    }
}
