import Testing

extension EveryRouteTests {
    @Suite struct Images {
        private func drawing(_ form: ServiceForm) throws -> (app: App, image: [UInt8], path: String, url: String) {
            let app = try EveryRouteTests.app(form)
            let image = Picture.png()
            let answer = try app.service.send(app.upload(image))
            let url = try answer.string("url").dropFirst(Service.publicURL.count)
            return (app, image, "drawings/\(try answer.int("drawingId"))/image", String(url))
        }

        @Test(arguments: ServiceForm.allCases)
        func theOwnerAndTheSignedURLSeeTheSame(_ form: ServiceForm) throws {
            let (app, image, path, url) = try drawing(form)
            for request in [app.request("GET", path), Request("GET", url)] {
                let answer = try app.service.send(request)
                #expect(answer.status == 200)
                #expect(answer.body == image)
                #expect(answer["Content-Type"] == "image/png")
                #expect(answer["Cache-Control"] == "private, max-age=3600")
                #expect(answer["Accept-Ranges"] == "bytes")
                #expect(answer["X-Content-Type-Options"] == "nosniff")
                var head = request
                head.method = "HEAD"
                let headAnswer = try app.service.send(head)
                #expect(headAnswer.status == 200 && headAnswer.body.isEmpty)
                #expect(headAnswer["Content-Length"] == "\(image.count)")
                #expect(headAnswer["ETag"] == answer["ETag"])
            }
        }

        @Test(arguments: ServiceForm.allCases)
        func whatIsKnownIsNotSentAgain(_ form: ServiceForm) throws {
            let (app, image, path, url) = try drawing(form)
            let tag = try #require(try app.send("GET", path)["ETag"])
            for known in [tag, "\"other\", \(tag)", "W/\(tag)", "*"] {
                for request in [app.request("GET", path), Request("GET", url), Request("HEAD", url)] {
                    let answer = try app.service.send(request.adding("If-None-Match", known))
                    #expect(answer.status == 304 && answer.body.isEmpty, "\(known)")
                    #expect(answer["ETag"] == tag)
                }
            }
            #expect(try app.service.send(Request("GET", url).adding("If-None-Match", "\"other\"")).body == image)
        }

        /// Ranges by RFC 9110 §14.
        @Test(arguments: ServiceForm.allCases, RangeRow.all)
        func aRangeIsThatPart(_ form: ServiceForm, _ row: RangeRow) throws {
            let (app, image, path, _) = try drawing(form)
            let request = app.request("GET", path)
            let answer = try app.service.send(request.adding("Range", row.range))
            #expect(answer.status == row.status)
            guard row.status != 416 else {
                try expectProblem(answer, 416, "range-not-satisfiable")
                #expect(answer["Content-Range"] == "bytes */\(image.count)")
                return
            }
            let part = row.part(image.count)
            #expect(answer.body == Array(image[part]))
            let expected = row.status == 206 ? "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(image.count)" : nil
            #expect(answer["Content-Range"] == expected)
            let stale = try app.service.send(request.adding("Range", row.range).adding("If-Range", "\"other\""))
            #expect(stale.status == 200 && stale.body == image)
        }

        /// What is asked of an image, the status, and which of its bytes come.
        struct RangeRow: Sendable, CustomTestStringConvertible {
            let range: String
            let status: Int
            let part: @Sendable (_ byteCount: Int) -> Range<Int>

            var testDescription: String { range }

            static let all = [
                RangeRow(range: "bytes=0-9", status: 206) { _ in 0..<10 },
                RangeRow(range: "bytes=10-", status: 206) { 10..<$0 },
                RangeRow(range: "bytes=-4", status: 206) { ($0 - 4)..<$0 },
                RangeRow(range: "bytes=0-99999999", status: 206) { 0..<$0 },
                RangeRow(range: "bytes=5-2", status: 200) { 0..<$0 },
                RangeRow(range: "lines=0-1", status: 200) { 0..<$0 },
                RangeRow(range: "bytes=99999999-", status: 416) { _ in 0..<0 },
            ]
        }
    }
}
