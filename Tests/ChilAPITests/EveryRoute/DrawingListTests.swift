import Testing

extension EveryRouteTests {
    @Suite struct DrawingLists {
        private func app(_ form: ServiceForm, drawings: Int) throws -> (App, ids: [Int]) {
            let app = try EveryRouteTests.app(form)
            return (app, try (0..<drawings).map { _ in try app.makeDrawing() })
        }

        private func ids(_ answer: Answer) throws -> [Int] {
            try #require(answer.status == 200, "\(answer.text)")
            return try answer.array("data").map { try #require($0["drawingId"] as? Int) }
        }

        @Test(arguments: ServiceForm.allCases)
        func anEmptyListIsAList(_ form: ServiceForm) throws {
            let app = try EveryRouteTests.app(form)
            #expect(try app.send("GET", "drawings").text == "{\"data\":[],\"page\":1,\"hasMore\":false}")
            #expect(try app.send("GET", "drawings?cursor=").status == 422)
        }

        @Test(arguments: ServiceForm.allCases)
        func pagesGoFromTheNewestToPastTheEnd(_ form: ServiceForm) throws {
            let (app, made) = try app(form, drawings: 5)
            for (page, expected) in [[4, 3], [2, 1], [0], [], []].enumerated() {
                let answer = try app.send("GET", "drawings?page=\(page + 1)&limit=2")
                #expect(try ids(answer) == expected.map { made[$0] })
                #expect(try answer.int("page") == page + 1)
                #expect(try answer.members["hasMore"] as? Bool == (page < 2))
            }
            #expect(try ids(try app.send("GET", "drawings?page=1000000&limit=200")).isEmpty)
        }

        @Test(arguments: ServiceForm.allCases)
        func cursorsGoOnWhereTheListEnded(_ form: ServiceForm) throws {
            let (app, made) = try app(form, drawings: 5)
            var seen: [Int] = []
            var path = "drawings?limit=2"
            for round in 0..<3 {
                let answer = try app.send("GET", path)
                seen += try ids(answer)
                guard try answer.members["hasMore"] as? Bool == true else {
                    #expect(round == 2)
                    #expect(try answer.members["nextCursor"] == nil)
                    break
                }
                path = "drawings?limit=2&cursor=\(try answer.string("nextCursor"))"
                // What is made meanwhile is newer, and moves nothing.
                _ = try app.makeDrawing()
            }
            #expect(seen == made.reversed())
        }

        @Test(arguments: ServiceForm.allCases)
        func aTypeFilters(_ form: ServiceForm) throws {
            let (app, made) = try app(form, drawings: 3)
            let uploaded = try app.send("GET", "drawings?type=UPLOADED&limit=2")
            #expect(try ids(uploaded) == [made[2], made[1]])
            #expect(try uploaded.string("type") == "UPLOADED")
            let rest = try app.send("GET", "drawings?type=UPLOADED&limit=2&cursor=\(try uploaded.string("nextCursor"))")
            #expect(try ids(rest) == [made[0]])
            for type in ["GENERATED", "SCANNED", "ANIMATED"] {
                #expect(try ids(try app.send("GET", "drawings?type=\(type)")).isEmpty)
            }
        }
    }
}
