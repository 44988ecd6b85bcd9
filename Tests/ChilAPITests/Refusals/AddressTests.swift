import ChilTestSupport
import Foundation
import Testing

extension RefusalTests {
    /// Paths and methods.
    @Suite struct Addresses {
        @Test(arguments: [
            "/", "/north", "/north/", "/north/nothing", "/north/drawings/", "/north/drawings/1/image/x",
            "/north//drawings",
            "/north/./drawings", "/north/../south/me", "/north/auth", "/north/auth/nonce/x", "/healthz/x",
            "/nobody/drawings", "/nobody/me", "/North/me", "/no%72th/x", "/%6eorth%2fme", "/auth/me",
            "/north/drawings/0", "/north/drawings/-1", "/north/drawings/01", "/north/drawings/9007199254740992",
            "/north/drawings/99999999999999999999", "/north/drawings/1e3", "/north/print-jobs/x",
        ])
        func nothingIsThere(_ path: String) throws {
            let app = try RefusalTests.app()
            for method in ["GET", "HEAD"] {
                let answer = try app.service.send(Request(method, path, bearer: app.accessToken))
                if method == "GET" {
                    try expectProblem(answer, 404, "not-found")
                } else {
                    #expect(answer.status == 404 && answer.body.isEmpty)
                }
            }
        }

        /// Slugs that cannot be, that may not be, and one that nobody has.
        @Test(arguments: [
            "nobody", "auth", "api", "NORTH", "n", "north%00", "north-", String(repeating: "a", count: 200),
        ])
        func anUnknownTenantIsNotFound(_ slug: String) throws {
            let service = try TestBed.required.service()
            for path in ["auth/nonce", "auth/refresh", "drawings"] {
                try expectProblem(try service.send(Request("POST", "/\(slug)/\(path)", json: "{}")), 404, "not-found")
            }
        }

        /// Every path with the methods that it has.
        static let allowed: [(path: String, methods: Set<String>)] = [
            ("/healthz", ["GET"]), ("/readyz", ["GET"]), ("/north/auth/nonce", ["POST"]),
            ("/north/auth/apple", ["POST"]),
            ("/north/auth/refresh", ["POST"]), ("/north/auth/logout", ["POST"]),
            ("/north/.well-known/jwks.json", ["GET"]),
            ("/north/auth/sessions", ["GET"]), ("/north/auth/sessions/1", ["DELETE"]),
            ("/north/auth/oauth2/token", ["POST"]), ("/north/auth/apple/authorize", ["GET"]),
            ("/north/auth/apple/callback", ["POST"]), ("/north/auth/apple/notifications", ["POST"]),
            ("/apple/notifications", ["POST"]),
            ("/north/me", ["GET", "PATCH", "DELETE"]), ("/north/me/export", ["GET"]),
            ("/north/account-deletions/chl_dr_1", ["GET"]),
            ("/north/drawings", ["GET", "POST"]), ("/north/drawings/1", ["GET", "PATCH", "DELETE"]),
            ("/north/drawings/1/image", ["GET"]), ("/north/print-jobs/1", ["GET", "DELETE"]),
            ("/north/print-jobs", ["GET"]),
            ("/north/print-jobs/1/retry", ["POST"]), ("/north/printers", ["GET"]), ("/north/motion/1", ["POST"]),
            ("/north/events", ["GET"]),
        ]

        @Test(arguments: allowed)
        func anotherMethodIsToldWhichThereAre(_ path: String, _ methods: Set<String>) throws {
            let service = try TestBed.required.service()
            let expected = methods.union(["OPTIONS"]).union(methods.contains("GET") ? ["HEAD"] : [])
            for method in Set(["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"]).subtracting(methods) {
                let answer = try service.send(Request(method, path))
                try expectProblem(answer, 405, "method-not-allowed")
                #expect(Self.methods(answer) == expected)
            }
            let options = try service.send(Request("OPTIONS", path))
            #expect(options.status == 204 && options.body.isEmpty)
            #expect(Self.methods(options) == expected)
        }

        /// `print` beside `{id}`: it is no drawing, so only what it has itself.
        @Test func aLiteralSegmentIsNoDrawing() throws {
            let service = try TestBed.required.service()
            let answer = try service.send(Request("GET", "/north/drawings/print"))
            try expectProblem(answer, 405, "method-not-allowed")
            #expect(Self.methods(answer) == ["POST", "OPTIONS"])
        }

        @Test func headIsGetWithoutTheBody() throws {
            let app = try RefusalTests.app()
            _ = try app.makeDrawing()
            for path in ["me", "drawings", "drawings?page=2"] {
                let get = try app.send("GET", path), head = try app.send("HEAD", path)
                #expect(head.status == 200 && head.body.isEmpty)
                #expect(head["Content-Length"] == "\(get.body.count)")
            }
        }

        @Test func aTenantThatAppearsIsServedWithinASecond() throws {
            let service = try TestBed.required.service()
            let request = Request("POST", "/appearing/auth/nonce")
            try expectProblem(try service.send(request), 404, "not-found")
            try TestBed.required.administration.create("appearing")
            #expect(try waitUntil(Promise.news) { try service.send(request).status == 201 })
        }

        private static func methods(_ answer: Answer) -> Set<String> {
            Set((answer["Allow"] ?? "").components(separatedBy: ", "))
        }
    }
}
