import Testing

@testable import ChilAPI

extension EveryRouteTests {
    @Suite struct DocumentRoute {
        @Test func theDocumentIsServed() throws {
            let service = try TestBed.required.service()
            let answer = try service.send(Request("GET", "/openapi.json"))
            #expect(answer.status == 200 && answer["Content-Type"] == "application/json")
            #expect(answer.body == ServedDocument.shared.bytes)
            #expect(answer["Cache-Control"] == "public, max-age=300")
            let tag = try #require(answer["ETag"])
            let again = try service.send(Request("GET", "/openapi.json").adding("If-None-Match", tag))
            #expect(again.status == 304 && again.body.isEmpty && again["ETag"] == tag)
            let head = try service.send(Request("HEAD", "/openapi.json"))
            #expect(head.status == 200 && head["Content-Length"] == "\(answer.body.count)")
            try expectProblem(try service.send(Request("POST", "/openapi.json")), 405, "method-not-allowed")
        }
    }
}
