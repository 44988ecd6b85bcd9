import ChilAuth
import ChilCore
import ChilCrypto
import ChilStore
import Foundation
import Testing

extension RefusalTests {
    @Suite struct Bearers {
        /// Every route that wants somebody.
        static let routes = [
            ("GET", "me"), ("GET", "drawings"), ("POST", "drawings"), ("GET", "drawings/1"),
            ("GET", "drawings/1/image"),
            ("DELETE", "drawings/1"), ("POST", "drawings/print"), ("GET", "print-jobs/1"), ("GET", "auth/sessions"),
            ("DELETE", "auth/sessions/1"), ("GET", "consents"), ("POST", "consents"),
        ]

        @Test(arguments: routes)
        func withoutATokenNothingIsServed(_ method: String, _ path: String) throws {
            let app = try RefusalTests.app(.north)
            let foreign = try RefusalTests.app(.south)
            let (head, rest) = try #require(Self.split(app.accessToken))
            let values = [
                nil, "", "Bearer", "Bearer ", "Bearer garbage", "Basic \(app.accessToken)", app.accessToken,
                "Bearer  \(app.accessToken)", "Bearer \(app.accessToken) x", "Bearer \(app.accessToken)A",
                "Bearer \(app.accessToken.dropLast(4))AAAA", "Bearer \(app.refreshToken)",
                "Bearer \(foreign.accessToken)",
                "Bearer \(Base64URL.text(of: Array("{\"alg\":\"none\"}".utf8))).\(rest)", "Bearer \(head)",
                "Bearer \(String(repeating: "A", count: 10_000))",
            ]
            let connection = try Connection(to: app.service.port)
            var reference: Answer?
            for value in values {
                var request = Request(method, "/north/\(path)")
                if let value { request.fields.append(("Authorization", value)) }
                let answer = try connection.send(request)
                try expectProblem(answer, 401, "unauthorized")
                #expect(answer["WWW-Authenticate"] == "Bearer")
                #expect(answer.unvarying == (reference ?? answer).unvarying, "\(value ?? "none")")
                reference = answer
            }
        }

        @Test(arguments: ["bearer", "BEARER", "bEaReR"])
        func theSchemesNameHasNoCase(_ scheme: String) throws {
            let app = try RefusalTests.app()
            let request = Request("GET", "/north/me").adding("Authorization", "\(scheme) \(app.accessToken)")
            #expect(try app.service.send(request).status == 200)
        }

        /// Signed with the tenant's own key, but not what the service would sign now.
        @Test(arguments: [
            (name: "now", age: 0, generation: 1 as Int32, of: Tenant.north, status: 200),
            (name: "nearly over", age: 590, generation: 1, of: .north, status: 200),
            (name: "expired", age: 601, generation: 1, of: .north, status: 401),
            (name: "of a refresh that never was", age: 0, generation: 9, of: .north, status: 401),
            (name: "issued by another tenant", age: 0, generation: 1, of: .south, status: 401),
        ])
        func aTokenIsGoodForItsTime(
            _ row: (name: String, age: Int64, generation: Int32, of: Tenant, status: Int)
        ) async throws {
            let bed = try TestBed.required
            let app = try RefusalTests.app()
            let issuer = try await bed.accessTokenIssuer(row.of)
            let session = try Self.session(of: app.accessToken)
            let token = try issuer.issue(
                user: UserID(rawValue: Int64(app.userID)),
                session: SessionID(rawValue: session),
                generation: row.generation,
                at: Timestamp(microseconds: (Int64(Date().timeIntervalSince1970) - row.age) * 1_000_000)
            )
            let answer = try app.service.send(
                Request("GET", "/north/me", bearer: String(decoding: token, as: UTF8.self))
            )
            #expect(answer.status == row.status, "\(row.name): \(answer.text)")
        }

        /// The session of one person under the name of another.
        @Test func aTokenIsForItsPerson() async throws {
            let issuer = try await TestBed.required.accessTokenIssuer(.north)
            let app = try RefusalTests.app(), other = try RefusalTests.app()
            let token = try issuer.issue(
                user: UserID(rawValue: Int64(other.userID)),
                session: SessionID(rawValue: try Self.session(of: app.accessToken)),
                generation: 1,
                at: Timestamp(microseconds: Int64(Date().timeIntervalSince1970) * 1_000_000)
            )
            let answer = try app.service.send(
                Request("GET", "/north/me", bearer: String(decoding: token, as: UTF8.self))
            )
            try expectProblem(answer, 401, "unauthorized")
        }

        private static func split(_ token: String) -> (head: String, rest: String)? {
            token.firstIndex(of: ".").map { (String(token[..<$0]), String(token[token.index(after: $0)...])) }
        }

        private static func session(of token: String) throws -> Int64 {
            let claims = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
            return try #require(try StrictJSON.parse(claims).object?["sid"]?.int64)
        }
    }
}
