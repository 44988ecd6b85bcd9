import Testing

extension EveryRouteTests {
    @Suite struct Health {
        @Test(arguments: ServiceForm.allCases, ["healthz", "readyz"])
        func itIsWell(_ form: ServiceForm, _ path: String) throws {
            let service = try TestBed.required.service(form)
            let answer = try service.send(Request("GET", "/\(path)"))
            #expect(answer.status == 200)
            #expect(answer.text == (path == "healthz" ? "ok" : "ready"))
            let head = try service.send(Request("HEAD", "/\(path)"))
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head["Content-Length"] == answer["Content-Length"])
        }
    }
}
