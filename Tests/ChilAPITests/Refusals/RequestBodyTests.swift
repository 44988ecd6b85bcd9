import Testing

extension RefusalTests {
    @Suite struct RequestBodies {
        struct Row: Sendable, CustomTestStringConvertible {
            let name: String
            let path: String
            let body: String
            var type = "application/json"
            let status: Int
            let code: String
            var pointer: String?

            var testDescription: String { name }

            static let all = [
                Row(name: "no JSON", path: "auth/apple", body: "identityToken=a", status: 400, code: "malformed-json"),
                Row(name: "nothing", path: "auth/apple", body: "", status: 400, code: "malformed-json"),
                Row(
                    name: "cut off",
                    path: "auth/refresh",
                    body: "{\"refreshToken\":\"a\"",
                    status: 400,
                    code: "malformed-json"
                ),
                Row(name: "an array", path: "auth/refresh", body: "[]", status: 400, code: "malformed-request"),
                Row(
                    name: "a member twice",
                    path: "auth/refresh",
                    body: "{\"refreshToken\":\"a\",\"refreshToken\":\"b\"}",
                    status: 400,
                    code: "malformed-json"
                ),
                Row(
                    name: "a member twice by an escape",
                    path: "drawings/print",
                    body: "{\"drawingId\":1,\"drawing\\u0049d\":2}",
                    status: 400,
                    code: "malformed-json"
                ),
                Row(
                    name: "deep",
                    path: "auth/apple",
                    body: String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
                    status: 400,
                    code: "malformed-json"
                ),
                Row(
                    name: "an unknown member",
                    path: "auth/refresh",
                    body: "{\"refreshToken\":\"a\",\"extra\":1}",
                    status: 422,
                    code: "invalid-fields",
                    pointer: "/extra"
                ),
                Row(
                    name: "an unknown member to be escaped",
                    path: "drawings/print",
                    body: "{\"drawingId\":1,\"a/b~c\":1}",
                    status: 422,
                    code: "invalid-fields",
                    pointer: "/a~1b~0c"
                ),
                Row(
                    name: "a missing member",
                    path: "auth/apple",
                    body: "{}",
                    status: 422,
                    code: "invalid-fields",
                    pointer: "/identityToken"
                ),
                Row(
                    name: "null for a member that is required",
                    path: "auth/refresh",
                    body: "{\"refreshToken\":null}",
                    status: 422,
                    code: "invalid-fields",
                    pointer: "/refreshToken"
                ),
                Row(
                    name: "a number for a text",
                    path: "auth/refresh",
                    body: "{\"refreshToken\":1}",
                    status: 422,
                    code: "invalid-fields",
                    pointer: "/refreshToken"
                ),
                Row(
                    name: "a text for a number",
                    path: "drawings/print",
                    body: "{\"drawingId\":\"1\"}",
                    status: 422,
                    code: "invalid-fields",
                    pointer: "/drawingId"
                ),
                Row(
                    name: "a number with a fraction",
                    path: "drawings/print",
                    body: "{\"drawingId\":1.5}",
                    status: 422,
                    code: "invalid-fields",
                    pointer: "/drawingId"
                ),
                Row(
                    name: "a number beyond 53 bits",
                    path: "drawings/print",
                    body: "{\"drawingId\":9007199254740992}",
                    status: 422,
                    code: "invalid-fields",
                    pointer: "/drawingId"
                ),
                Row(
                    name: "a hundred copies",
                    path: "drawings/print",
                    body: "{\"drawingId\":1,\"copies\":100}",
                    status: 422,
                    code: "invalid-fields",
                    pointer: "/copies"
                ),
                Row(
                    name: "an unknown scale",
                    path: "drawings/print",
                    body: "{\"drawingId\":1,\"scale\":\"large\"}",
                    status: 422,
                    code: "invalid-fields",
                    pointer: "/scale"
                ),
                Row(
                    name: "an unknown scope",
                    path: "auth/logout",
                    body: "{\"scope\":\"all\"}",
                    status: 422,
                    code: "invalid-fields",
                    pointer: "/scope"
                ),
                Row(
                    name: "JSON as a form",
                    path: "drawings/print",
                    body: "{}",
                    type: "application/x-www-form-urlencoded",
                    status: 415,
                    code: "unsupported-media-type"
                ),
                Row(
                    name: "JSON as text",
                    path: "auth/apple",
                    body: "{}",
                    type: "text/plain",
                    status: 415,
                    code: "unsupported-media-type"
                ),
                Row(
                    name: "JSON as a drawing",
                    path: "drawings",
                    body: "{}",
                    status: 415,
                    code: "unsupported-media-type"
                ),
                Row(
                    name: "a form without a boundary",
                    path: "drawings",
                    body: "--a--",
                    type: "multipart/form-data",
                    status: 400,
                    code: "malformed-request"
                ),
                Row(
                    name: "a form that is none",
                    path: "drawings",
                    body: "nothing",
                    type: "multipart/form-data; boundary=a",
                    status: 400,
                    code: "malformed-request"
                ),
            ]
        }

        @Test(arguments: Row.all)
        func aBadBodyIsRefused(_ row: Row) throws {
            let app = try RefusalTests.app()
            let request = Request(
                "POST",
                "/north/\(row.path)",
                bearer: app.accessToken,
                type: row.type,
                body: Array(row.body.utf8)
            )
            let connection = try Connection(to: app.service.port)
            try expectProblem(try connection.send(request), row.status, row.code, pointer: row.pointer)
            // The connection goes on, and somebody is still signed in.
            #expect(try connection.send(app.request("GET", "me")).status == 200)
        }

        @Test(arguments: ["auth/apple", "auth/refresh", "auth/logout", "drawings/print", "drawings"])
        func aBodyWithoutATypeIsRefused(_ path: String) throws {
            let app = try RefusalTests.app()
            var request = app.request("POST", path)
            request.body = Array("{}".utf8)
            try expectProblem(try app.service.send(request), 415, "unsupported-media-type")
        }

        /// One byte over the limit is refused by its length, before any of it is sent.
        @Test(arguments: [
            ("auth/apple", 64 << 10, "application/json"), ("auth/refresh", 64 << 10, "application/json"),
            ("auth/logout", 64 << 10, "application/json"), ("drawings/print", 64 << 10, "application/json"),
            ("drawings", 20 << 20, "image/png"),
            ("drawings", (20 << 20) + (64 << 10), "multipart/form-data; boundary=a"),
        ])
        func aBodyOverTheLimitIsRefusedUnread(_ path: String, _ bytesMax: Int, _ type: String) throws {
            let app = try RefusalTests.app()
            for expectation in ["100-continue", nil] {
                var request = app.request("POST", path)
                request.fields += [("Content-Type", type), ("Content-Length", "\(bytesMax + 1)")]
                if let expectation { request.fields.append(("Expect", expectation)) }
                let connection = try Connection(to: app.service.port)
                let answer = try connection.send(request)
                try expectProblem(answer, 413, "content-too-large")
                #expect(answer["Connection"] == "close")
            }
        }

        /// The limit itself is not over it.
        @Test func aBodyOfTheLimitIsRead() throws {
            let app = try RefusalTests.app()
            let start = "{\"refreshToken\":\"", end = "\"}"
            let filler = String(repeating: "a", count: (64 << 10) - start.utf8.count - end.utf8.count)
            let request = Request("POST", "/north/auth/refresh", json: start + filler + end)
            try expectProblem(try app.service.send(request), 422, "invalid-fields", pointer: "/refreshToken")
        }

        /// In chunks there is no length to go by: refused at the first byte over it.
        @Test func chunksOverTheLimitAreRefused() throws {
            let app = try RefusalTests.app()
            var request = app.request("POST", "auth/refresh")
            request.fields += [("Content-Type", "application/json"), ("Transfer-Encoding", "chunked")]
            let connection = try Connection(to: app.service.port)
            connection.write(request.bytes)
            let chunk = Array("4000\r\n".utf8) + [UInt8](repeating: 0x20, count: 0x4000) + Array("\r\n".utf8)
            for _ in 0..<5 { connection.write(chunk) }
            try expectProblem(try connection.receive(), 413, "content-too-large")
        }

        /// What is no HTTP has an answer too, in the same form.
        @Test(arguments: [
            ("GET /north/me HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400), ("GET /north/me HTTP/1.1\n\n", 400),
            ("GET /north/me HTTP/2.0\r\nHost: a\r\n\r\n", 505), ("GET /north/me HTTP/1.1\r\n\r\n", 400),
            (
                "POST /north/auth/refresh HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
                400
            ),
            ("GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 33_000))\r\n\r\n", 431),
        ])
        func aMessageThatIsNoRequestIsRefused(_ text: String, _ status: Int) throws {
            let connection = try Connection(to: try TestBed.required.service().port)
            connection.write(Array(text.utf8))
            let answer = try connection.receive()
            try expectProblem(answer, status, "malformed-request")
            #expect(answer["Connection"] == "close")
            #expect(connection.isClosedByPeer())
        }
    }
}
