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
    }
}
