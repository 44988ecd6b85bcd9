import Testing

extension RefusalTests {
    @Suite struct ListQueries {
        @Test(
            "A-05 a list is no longer and no deeper than it may be",
            arguments: [
                ("limit=-1", "/limit"), ("limit=1000000000", "/limit"), ("limit=abc", "/limit"), ("limit=+1", "/limit"),
                ("page=+1", "/page"),
                ("page=0", "/page"), ("page=-1", "/page"), ("page=x", "/page"), ("page=99999999999999999999", "/page"),
                ("limit=0", "/limit"), ("limit=201", "/limit"), ("limit=", "/limit"), ("type=OTHER", "/type"),
                ("type=uploaded", "/type"), ("sort=asc", "/sort"), ("cursor=", "/cursor"), ("cursor=AAAA", "/cursor"),
                ("cursor=AAAAAAAAAAAAAAAAAAAAAA", "/cursor"),
            ]
        )
        func aWrongParameterIsNamed(_ query: String, _ pointer: String) throws {
            let app = try RefusalTests.app()
            try expectProblem(try app.send("GET", "drawings?\(query)"), 422, "invalid-fields", pointer: pointer)
        }

        /// A cursor serves the list that gave it.
        @Test func aCursorIsOfItsList() throws {
            let app = try RefusalTests.app()
            for _ in 0..<2 { _ = try app.makeDrawing() }
            let cursor = try app.send("GET", "drawings?type=UPLOADED&limit=1").string("nextCursor")
            let path = "drawings?type=UPLOADED&limit=1&cursor=\(cursor)"
            #expect(try app.send("GET", path).status == 200)
            let last = cursor.last == "A" ? "B" : "A"
            let rows = [
                (app, "drawings?limit=1&cursor=\(cursor)"), (app, "drawings?type=SCANNED&limit=1&cursor=\(cursor)"),
                (app, "\(path)&page=1"), (app, "drawings?type=UPLOADED&cursor=\(cursor.dropLast())\(last)"),
                (app, "drawings?type=UPLOADED&cursor=A\(cursor)"), (try RefusalTests.app(), path),
                (try RefusalTests.app(.south), path),
            ]
            for (caller, path) in rows {
                try expectProblem(try caller.send("GET", path), 422, "invalid-fields", pointer: "/cursor")
            }
        }
    }
}
