import Foundation
import Testing

@testable import ChilAPI

/// What attackers of HTTP services try first, on every route that could be meant.
@Suite(.testBed(), .ownThread)
struct CatalogueTests {
    /// Routes that read a JSON object, with one that they would take.
    static let objects: [Route: (path: String, body: String)] = [
        .signInWithApple: ("auth/apple", #"{"identityToken":"a.b.c""#),
        .token: ("auth/oauth2/token", #"{"code":"abc""#),
        .refresh: ("auth/refresh", #"{"refreshToken":"a""#),
        .logout: ("auth/logout", #"{"scope":"local""#),
        .changeMe: ("me", #"{"givenName":"칠""#),
        .print: ("drawings/print", #"{"drawingId":1"#),
        .retryPrintJob: ("print-jobs/1/retry", #"{"expiresIn":60"#),
        .generateDrawing: ("drawings/gen", #"{"prompt":"고양이""#),
        .changeDrawing: ("drawings/1", #"{"title":"칠""#),
        .moveDrawing: ("motion/1", #"{"motionType":"dance""#),
        .sayConsent: ("consents", #"{"notice":1,"decision":"given""#),
    ]
    /// Routes with a method that could carry a body, and read none or no object.
    private static let objectless: Set<Route> = [
        .nonce, .callback, .endSession, .deleteMe, .uploadDrawing, .deleteDrawing,
        // A provider's letter is judged by its signature, not by what is written on the envelope.
        .notification, .sharedNotification,
        // A scanner's form has parts, no members.
        .scan, .scanSession,
        // What Epson's service says is not believed, whatever it is.
        .epsonNotice,
    ]

    static func request(_ route: Route, _ app: App, _ body: String, type: String? = "application/json") -> Request {
        let path = objects[route]?.path ?? ""
        let method = "\(route.pattern)".prefix { $0 != " " }
        var request = Request(
            String(method),
            path.hasPrefix("/") ? path : "/\(app.tenant.slug)/\(path)",
            bearer: app.accessToken
        )
        if let type { request.fields.append(("Content-Type", type)) }
        request.body = Array(body.utf8)
        return request
    }

    @Test("A-01 no body names whose a thing is, its number, its time or a right")
    func nobodyAssignsWhatIsNotTheirs() throws {
        let bed = try TestBed.required
        let app = try App(try bed.service(), .north, bed.issuer)
        for route in Route.allCases where "\(route.pattern)".hasPrefix("P") {
            guard let (_, body) = Self.objects[route] else {
                #expect(Self.objectless.contains(route), "a route that this test does not know: \(route)")
                continue
            }
            for member in [
                "tenant_id", "tenantId", "tenant", "owner_id", "ownerId", "user", "userId", "role", "roles", "id",
                "created_at", "createdAt", "is_admin", "isAdmin", "__proto__",
            ] {
                for value in ["1", "\"1\"", "null", "{}"] {
                    let answer = try app.service.send(Self.request(route, app, "\(body),\"\(member)\":\(value)}"))
                    try expectProblem(answer, 422, "invalid-fields", pointer: "/\(member)")
                }
            }
        }
        #expect(try app.status() == 200)
    }

    @Test("A-11 a person's token opens nothing that is an operator's")
    func thereIsNoWayToOperate() throws {
        let bed = try TestBed.required
        let app = try App(try bed.service(), .north, bed.issuer)
        let names = [
            "admin", "api", "api/admin/tenants", "v1/admin", "metrics", "debug/pprof", "tenants", "users", "audit",
            "webhooks", "quotas", "limits", "keys", "printers/1", "plans", ".env", ".git/config", "server-status",
        ]
        for path in names.flatMap({ ["/\($0)", "/north/\($0)"] }) {
            for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
                let answer = try app.service.send(Request(method, path, bearer: app.accessToken))
                try expectProblem(answer, 404, "not-found")
                let anonymous = try app.service.send(Request(method, path))
                #expect(anonymous.unvarying == answer.unvarying, "\(method) \(path)")
            }
        }
    }

    @Test("A-16 every path says which methods it has, whatever is asked of it")
    func everyPathKnowsItsMethods() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        var methods: [String: Set<String>] = [:]
        for route in Route.allCases {
            let words = "\(route.pattern)".split(separator: " ")
            let path = words[1].replacing("{tenant}", with: "north").replacing("{receipt}", with: "chl_dr_1")
                .replacing("{id}", with: "1").replacing("{token}", with: "x")
            methods[String(path), default: ["OPTIONS"]].insert(String(words[0]))
            if words[0] == "GET" { methods[String(path), default: []].insert("HEAD") }
        }
        for (path, allowed) in methods {
            for method in [
                "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "MKCOL", "COPY",
                "MOVE", "LOCK", "BREW", "get",
            ] where !allowed.contains(method) {
                let answer = try service.send(Request(method, path))
                if method == "HEAD" {
                    #expect(answer.status == 405 && answer.body.isEmpty, "\(method) \(path)")
                } else {
                    try expectProblem(answer, 405, "method-not-allowed")
                }
                #expect(Set((answer["Allow"] ?? "").components(separatedBy: ", ")) == allowed, "\(method) \(path)")
            }
            let options = try service.send(Request("OPTIONS", path))
            #expect(options.status == 204)
            #expect(Set((options["Allow"] ?? "").components(separatedBy: ", ")) == allowed, "\(path)")
        }
        // No path at all.
        #expect([400, 405, 501].contains(try service.send(Request("CONNECT", "elsewhere.example:443")).status))
    }

    @Test("A-17 a body is what its type says, or it is not read")
    func theTypeOfABodyIsSaid() throws {
        let bed = try TestBed.required
        let app = try App(try bed.service(), .north, bed.issuer)
        // Signing out comes last.
        for (route, row) in Self.objects.sorted(by: { ($1.key == .logout ? 1 : 0) > ($0.key == .logout ? 1 : 0) }) {
            for type in [
                nil, "", "application", "application/", "/json", "text/json", "text/plain", "application/xml",
                "application/json; charset=utf-16", "application/json; charset=", "application/json; charset=utf8",
                "application/merge-patch+json; charset=utf-16", "application/json; charset=\"latin1\"",
                "application/jsonp",
                "application/json, text/plain", "application/json;;charset=utf-8 x", "multipart/form-data; boundary=a",
                "*/*",
            ] {
                let answer = try app.service.send(Self.request(route, app, row.body + "}", type: type))
                try expectProblem(answer, 415, "unsupported-media-type")
            }
            let twice = Self.request(route, app, row.body + "}", type: "text/plain")
                .adding("Content-Type", "application/json")
            let answer = try app.service.send(twice)
            #expect([400, 415].contains(answer.status), "\(route): \(answer.status) \(answer.text)")
        }
    }

    @Test("A-25 what a query says twice, oddly or with a name that nobody has is refused")
    func queriesAreExact() throws {
        let bed = try TestBed.required
        let app = try App(try bed.service(), .north, bed.issuer)
        for query in [
            "limit=1&limit=2", "limit=1&limit=1", "type=SCANNED&type=UPLOADED", "page=1&page=2", "type[]=SCANNED",
            "type%5B%5D=SCANNED", "limit=1;page=2", "limit=1%00", "%00=1", "l%00imit=1", "limit=%zz", "limit=1%",
            "Limit=1", "limit =1", "limit=+1", "limit=%201", "limit=1e1", "limit=0x1", "page=1&%70age=2", "=1", "a=1",
        ] {
            let answer = try app.send("GET", "drawings?\(query)")
            #expect([400, 422].contains(answer.status), "\(query): \(answer.status)")
            try expectProblem(answer, answer.status, answer.status == 400 ? "malformed-request" : "invalid-fields")
        }
        // Percent-encoding is only another way to write it.
        #expect(try app.send("GET", "drawings?%6cimit=%31").status == 200)
    }
}
