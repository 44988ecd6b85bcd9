import ChilCore
import Foundation
import Testing

/// The catalogue's T rows about where a token counts, and in what form.
@Suite(.testBed(), .ownThread)
struct TokenUseTests {
    private func app(_ tenant: Tenant = .north) throws -> App {
        let bed = try TestBed.required
        return try App(try bed.service(), tenant, bed.issuer)
    }

    @Test("T-13 a token of one tenant is nothing at another, whatever the path, the host or a field says")
    func tokensStayAtHome() throws {
        let app = try app()
        _ = try self.app(.south)
        func asked(_ path: String, _ token: String, _ fields: [(name: String, value: String)] = []) -> Request {
            var request = Request("GET", path, bearer: token)
            request.fields += fields
            return request
        }
        let variants: [(path: String, fields: [(name: String, value: String)])] = [
            ("/south/me", []), ("/south/me?tenant=north", []), ("/south/drawings", []), ("/south/auth/sessions", []),
            ("/south/me", [("X-Tenant", "north")]), ("/south/me", [("X-Forwarded-Host", "north.example")]),
            ("/south/me", [("X-Forwarded-Prefix", "/north")]), ("/south/me", [("X-Original-URL", "/north/me")]),
            ("/south/me", [("Referer", "https://api.example.test/north/me")]), ("http://north.example/south/me", []),
            ("/south/../north/me", []), ("/south/%2e%2e/north/me", []), ("//north/me", []), ("/North/me", []),
            ("/south%2fnorth/me", []),
        ]
        for variant in variants {
            let answer = try app.service.send(asked(variant.path, app.accessToken, variant.fields))
            let nobodys = try app.service.send(asked(variant.path, "nothing", variant.fields))
            #expect([400, 401, 404].contains(answer.status), "\(variant.path): \(answer.status)")
            #expect(answer.unvarying == nobodys.unvarying, "\(variant.path)")
        }
        #expect(try app.status() == 200)
    }

    @Test("T-14 a token of one kind is nothing in the place of another")
    func tokensKeepTheirKind() throws {
        let bed = try TestBed.required
        let app = try app()
        let nonce = try App.nonce(app.service, .north)
        let identity = try IdentityToken(bed.issuer, .north, nonce: nonce).signed(bed.issuer.es256)
        for token in [identity, app.refreshToken] {
            try expectProblem(try app.service.send(Request("GET", "/north/me", bearer: token)), 401, "unauthorized")
        }
        for token in [app.accessToken, app.refreshToken] {
            try expectProblem(try app.service.send(App.signIn(.north, token, nonce)), 401, "invalid-identity-token")
        }
        for token in [app.accessToken, identity] {
            let answer = try app.service.send(App.refresh(.north, token))
            // Longer than any refresh token: refused for its length, or for what it is.
            #expect([401, 422].contains(answer.status), "\(answer.text)")
        }
        // None of that has spent or ended anything.
        #expect(try app.service.send(App.signIn(.north, identity, nonce)).status == 200)
        #expect(try app.refreshed().status() == 200)
    }

    @Test("T-18 one form of a token counts, and no log has any")
    func oneFormCounts() throws {
        let app = try app()
        let token = app.accessToken
        let rows: [(name: String, path: String, fields: [(name: String, value: String)], status: Int)] = [
            ("as documented", "me", [("Authorization", "Bearer \(token)")], 200),
            ("the scheme has no case", "me", [("Authorization", "bearer \(token)")], 200),
            ("in the query", "me?access_token=\(token)", [], 401),
            ("in the query under another name", "me?token=\(token)", [], 401),
            ("in a cookie", "me", [("Cookie", "access_token=\(token)")], 401),
            ("in a field of our own", "me", [("X-Access-Token", token)], 401),
            ("for a proxy", "me", [("Proxy-Authorization", "Bearer \(token)")], 401),
            ("two spaces", "me", [("Authorization", "Bearer  \(token)")], 401),
            ("a tab", "me", [("Authorization", "Bearer\t\(token)")], 401),
            ("no space", "me", [("Authorization", "Bearer\(token)")], 401),
            ("quoted", "me", [("Authorization", "Bearer \"\(token)\"")], 401),
            ("another scheme", "me", [("Authorization", "Token \(token)")], 401),
            ("two schemes in one", "me", [("Authorization", "Bearer \(token), Bearer \(token)")], 401),
            ("twice", "me", [("Authorization", "Bearer \(token)"), ("Authorization", "Bearer \(token)")], 400),
            (
                "twice, the other nobody's", "me",
                [("Authorization", "Bearer \(token)"), ("Authorization", "Basic x")], 400
            ),
        ]
        for row in rows {
            var request = Request("GET", "/north/\(row.path)")
            request.fields += row.fields
            #expect(try app.service.send(request).status == row.status, "\(row.name)")
        }
        _ = try app.refreshed()
        _ = try app.service.send(Request("GET", "/north/me", bearer: String(token.dropLast(3)) + "AAA"))
        let log = app.service.program.text
        let parts = token.split(separator: ".").map(String.init) + [app.refreshToken]
        for part in parts { #expect(!log.contains(part)) }
    }
}
