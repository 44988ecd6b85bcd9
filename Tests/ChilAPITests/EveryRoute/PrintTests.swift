import ChilTestSupport
import Testing

extension EveryRouteTests {
    @Suite struct Printing {
        /// The job is accepted, waits, and says why: nothing listens on port 1.
        @Test(arguments: ServiceForm.allCases)
        func aJobForAnUnreachablePrinterWaits(_ form: ServiceForm) throws {
            let bed = try TestBed.required
            let tenant = Tenant(slug: "printing-\(form.rawValue.replacing(" ", with: "-"))")
            try bed.administration.add(tenant, bed.issuer)
            let app = try EveryRouteTests.app(form, tenant)
            let drawing = try app.makeDrawing()
            let request = app.request(
                "POST",
                "drawings/print",
                json: "{\"drawingId\":\(drawing),\"scale\":\"SMALL\",\"copies\":2.0}"
            )
            try expectProblem(try app.service.send(request), 422, "no-printer")
            try bed.administration.run(
                "printer add \(tenant.slug) --name far --uri ipp://127.0.0.1:1/ipp/print --default"
            )
            let answer = try app.service.send(request)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try answer.string("status") == "queued")
            let job = try answer.int("printJobId")
            #expect(answer.text == "{\"printJobId\":\(job),\"status\":\"queued\"}")
            var shown = answer
            let saysWhy = try waitUntil(.seconds(5)) {
                shown = try app.send("GET", "print-jobs/\(job)")
                return try shown.members["reason"] != nil
            }
            #expect(saysWhy)
            #expect(shown.status == 200)
            #expect(try shown.string("status") == "queued")
            #expect(try shown.string("reason") == "printerUnreachable")
            #expect(try shown.int("drawingId") == drawing)
            #expect(try shown.string("scale") == "SMALL")
            #expect(try shown.int("copies") == 2)
            #expect(try shown.array("history").map { $0["state"] as? String }.contains("queued"))
        }

        /// What can be known is refused at once, and there is no job.
        @Test func whatCannotBePrintedIsNoJob() throws {
            let bed = try TestBed.required
            let tenant = Tenant(slug: "orders")
            try bed.administration.add(tenant, bed.issuer)
            let app = try EveryRouteTests.app(.implicitNamed, tenant)
            try bed.administration.run("printer add orders --name far --uri ipp://127.0.0.1:1/ipp/print --default")
            let drawing = try app.makeDrawing()
            let many = (0..<21).map { _ in "\(drawing)" }.joined(separator: ",")
            let rows: [(body: String, pointer: String)] = [
                ("{}", "/drawingId"), ("{\"drawingId\":0}", "/drawingId"),
                ("{\"drawingIds\":[]}", "/drawingIds"), ("{\"drawingIds\":[\(many)]}", "/drawingIds"),
                ("{\"drawingIds\":\(drawing)}", "/drawingIds"),
                ("{\"drawingIds\":[\(drawing),\"1\"]}", "/drawingIds/1"),
                ("{\"drawingId\":\(drawing),\"drawingIds\":[\(drawing)]}", "/drawingIds"),
                ("{\"drawingId\":\(drawing),\"copies\":0}", "/copies"),
                ("{\"drawingId\":\(drawing),\"copies\":1000}", "/copies"),
                ("{\"drawingIds\":[\(drawing),\(drawing),\(drawing)],\"copies\":67}", "/copies"),
                ("{\"drawingId\":\(drawing),\"paper\":\"foolscap\"}", "/paper"),
                ("{\"drawingId\":\(drawing),\"paper\":\"A4\"}", "/paper"),
                ("{\"drawingId\":\(drawing),\"scale\":\"HUGE\"}", "/scale"),
            ]
            for row in rows {
                let answer = try app.service.send(app.request("POST", "drawings/print", json: row.body))
                try expectProblem(answer, 422, "invalid-fields", pointer: row.pointer)
            }
            let missing = "{\"drawingIds\":[\(drawing),1]}"
            let refusal = try app.service.send(app.request("POST", "drawings/print", json: missing))
            try expectProblem(refusal, 404, "not-found")
        }

        @Test func aBookIsOneJob() throws {
            let bed = try TestBed.required
            let tenant = Tenant(slug: "books")
            try bed.administration.add(tenant, bed.issuer)
            let app = try EveryRouteTests.app(.implicitNamed, tenant)
            try bed.administration.run("printer add books --name far --uri ipp://127.0.0.1:1/ipp/print --default")
            let (first, second) = (try app.makeDrawing(), try app.makeDrawing())
            let body = "{\"drawingIds\":[\(second),\(first)],\"copies\":3,\"paper\":\"b5\"}"
            let answer = try app.service.send(app.request("POST", "drawings/print", json: body))
            #expect(answer.status == 200, "\(answer.text)")
            let shown = try app.send("GET", "print-jobs/\(try answer.int("printJobId"))")
            #expect(try shown.int("drawingId") == second)
            #expect(try shown.members["drawingIds"] as? [Int] == [second, first])
            #expect(try shown.int("pages") == 6 && shown.int("copies") == 3)
            #expect(try shown.string("paperWanted") == "b5")
            // No printer has said yet what it has.
            #expect(try shown.members["paper"] == nil && shown.members["paperSubstituted"] == nil)
        }
    }
}
