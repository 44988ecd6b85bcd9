import ChilTestSupport
import Foundation
import Testing

/// JS-03, JS-04, JS-08: other people's hostile files as bodies, and their strings as titles.
@Suite(.testBed(), .ownThread)
struct HostileBodyTests {
    /// Routes that read JSON, and the media type that says so.
    private static let routes = [
        ("POST", "drawings/print"), ("PATCH", "me"), ("POST", "consents"), ("POST", "auth/refresh"),
        ("POST", "auth/apple"),
        ("POST", "auth/oauth2/token"), ("PATCH", "drawings/"),
    ]

    private func app() throws -> App {
        let bed = try TestBed.required
        return try App(try bed.service(), .north, bed.issuer)
    }

    /// `n_…` is malformed; `y_…` may be JSON that says nothing here; `i_…` one of both. Never an error of ours, and the connection goes on.
    @Test(arguments: routes)
    func jsonFilesAreRefused(_ method: String, _ path: String) throws {
        let app = try app()
        let drawing = try app.makeDrawing()
        let path = path == "drawings/" ? "drawings/\(drawing)" : path
        var connection = try Connection(to: app.service.port)
        var counts: [Int: Int] = [:]
        for folder in ["test_parsing", "test_transform"] {
            for name in try Vectors.names(in: "json/\(folder)") where name.hasSuffix(".json") {
                let body = try Vectors.bytes("json/\(folder)/\(name)")
                var request = Request(
                    method,
                    "/north/\(path)",
                    bearer: app.accessToken,
                    type: "application/json",
                    body: body
                )
                if method == "PATCH" { request.fields.append(("If-Match", "*")) }
                let answer = try connection.send(request)
                counts[answer.status, default: 0] += 1
                // What is too long is not read to its end.
                if answer["Connection"] == "close" { connection = try Connection(to: app.service.port) }
                let expected: ClosedRange<Int> = 400...499
                // An empty object asks for no change.
                let mayChangeNothing = method == "PATCH" && answer.status == 200
                #expect(
                    expected.contains(answer.status) || mayChangeNothing,
                    "\(name): \(answer.status) \(answer.text)"
                )
                if name.hasPrefix("n_"), answer.status != 413 {
                    #expect(answer.status == 400, "\(name): \(answer.text)")
                }
                let members = try answer.members
                if answer.status >= 400 { #expect(members["url"] == nil && members["drawingId"] == nil, "\(name)") }
            }
        }
        #expect(counts.values.reduce(0, +) > 300)
        #expect(counts[400, default: 0] >= 188)
        #expect(try app.send("GET", "drawings/\(drawing)").status == 200)
    }

    private static func strings() throws -> [String] {
        let encoded = try JSONDecoder().decode([String].self, from: Data(try Vectors.bytes("strings/blns.base64.json")))
        return encoded.compactMap { String(data: Data(base64Encoded: $0) ?? Data(), encoding: .utf8) }
    }

    private static func json(_ title: String) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: ["title": title])
        return String(decoding: data, as: UTF8.self)
    }

    /// Kept byte for byte, or refused as what it is.
    @Test func naughtyStringsAsTitles() throws {
        let app = try app()
        let drawing = try app.makeDrawing()
        let connection = try Connection(to: app.service.port)
        let strings = try Self.strings()
        #expect(strings.count > 400)
        var kept = 0
        for title in strings {
            let request = app.request("PATCH", "drawings/\(drawing)", json: try Self.json(title)).adding(
                "If-Match",
                "*"
            )
            let answer = try connection.send(request)
            guard answer.status == 200 else {
                try expectProblem(answer, 422, "invalid-fields", pointer: "/title")
                continue
            }
            kept += 1
            let shown = try connection.send(app.request("GET", "drawings/\(drawing)")).members["title"] as? String
            #expect(shown.map { Array($0.utf8) } == Array(title.utf8), "\(title)")
        }
        #expect(kept > strings.count / 2, "\(kept) of \(strings.count)")
    }

    /// The same in a form.
    @Test func naughtyStringsAsTitlesOfUploads() throws {
        let app = try app()
        let connection = try Connection(to: app.service.port)
        for title in try Self.strings() {
            let boundary = "b\(UInt64.random(in: 0...UInt64.max))"
            var body = Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n".utf8)
            body += Array(title.utf8)
            body += Array("\r\n--\(boundary)\r\nContent-Disposition: form-data; name=\"image\"\r\n\r\n".utf8)
            body += Picture.png() + Array("\r\n--\(boundary)--\r\n".utf8)
            let request = Request(
                "POST",
                "/north/drawings",
                bearer: app.accessToken,
                type: "multipart/form-data; boundary=\(boundary)",
                body: body
            )
            let answer = try connection.send(request)
            guard answer.status == 201 else {
                try expectProblem(answer, 422, "invalid-fields", pointer: "/title")
                continue
            }
            let shown = try answer.members["title"] as? String
            #expect(shown.map { Array($0.utf8) } ?? [] == Array(title.utf8), "\(title)")
        }
    }
}
