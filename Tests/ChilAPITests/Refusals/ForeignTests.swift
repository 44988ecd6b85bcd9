import Testing

extension RefusalTests {
    /// What is another's looks like what is not: status, fields, length and text.
    @Suite struct Foreign {
        private static let missing = 4_242

        /// The same question about something that is another's, and about something that is not.
        private func expectSame(_ foreign: Answer, _ missing: Answer, at location: SourceLocation = #_sourceLocation)
            throws
        {
            try expectProblem(foreign, 404, "not-found", at: location)
            #expect(foreign.unvarying == missing.unvarying, sourceLocation: location)
        }

        @Test(arguments: [Tenant.north, .south])
        func drawingsOfOthersAreMissing(_ ownersTenant: Tenant) throws {
            let owner = try RefusalTests.app(ownersTenant)
            let other = try RefusalTests.app(.north)
            let drawing = try owner.makeDrawing()
            for (method, path) in [("GET", ""), ("GET", "/image"), ("DELETE", "")] {
                try expectSame(
                    try other.send(method, "drawings/\(drawing)\(path)"),
                    try other.send(method, "drawings/\(Self.missing)\(path)")
                )
            }
            func printing(_ id: Int) -> Request {
                other.request("POST", "drawings/print", json: "{\"drawingId\":\(id)}")
            }
            try expectSame(try other.service.send(printing(drawing)), try other.service.send(printing(Self.missing)))
            #expect(try other.send("GET", "drawings").array("data").isEmpty)
            #expect(try owner.send("GET", "drawings/\(drawing)").status == 200)
            #expect(try owner.send("GET", "drawings/\(drawing)/image").status == 200)
        }

        @Test(arguments: [Tenant(slug: "printing-a"), Tenant(slug: "printing-b")])
        func printJobsAndPrintersOfOthersAreMissing(_ ownersTenant: Tenant) throws {
            let bed = try TestBed.required
            _ = try RefusalTests.tenant(ownersTenant.slug)
            let added = try bed.administration.run(
                "printer add \(ownersTenant.slug) --name far --uri ipp://127.0.0.1:1/ipp/print --default"
            )
            #expect(added.contains("far"))
            let owner = try RefusalTests.app(ownersTenant)
            let drawing = try owner.makeDrawing()
            let accepted = try owner.service.send(
                owner.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing)}")
            )
            let job = try accepted.int("printJobId")
            let shown = try owner.send("GET", "print-jobs/\(job)")
            #expect(shown.status == 200)
            for other in [try RefusalTests.app(ownersTenant), try RefusalTests.app(.south)] {
                try expectSame(
                    try other.send("GET", "print-jobs/\(job)"),
                    try other.send("GET", "print-jobs/\(Self.missing)")
                )
            }
            // A printer of another tenant is no printer.
            let stranger = try RefusalTests.app(.south)
            let own = try stranger.makeDrawing()
            func printing(_ printer: Int) throws -> Answer {
                try stranger.service.send(
                    stranger.request("POST", "drawings/print", json: "{\"drawingId\":\(own),\"printerId\":\(printer)}")
                )
            }
            let foreign = try printing(try shown.int("printerId"))
            try expectProblem(foreign, 422, "no-printer")
            #expect(foreign.unvarying == (try printing(Self.missing)).unvarying)
        }

        /// A path of one tenant, a token or a signed URL of the other.
        @Test func aSignedURLServesItsOwnTenantAlone() throws {
            let owner = try RefusalTests.app(.north)
            let url = try owner.service.send(owner.upload(Picture.png())).string("url").dropFirst(
                Service.publicURL.count
            )
            let moved = url.replacing("/north/", with: "/south/")
            let missing = url.replacing(#/drawings\/[0-9]+/#, with: "drawings/\(Self.missing)")
            #expect(try owner.service.send(Request("GET", String(url))).status == 200)
            try expectSame(
                try owner.service.send(Request("GET", String(moved))),
                try owner.service.send(Request("GET", String(missing)))
            )
        }
    }
}
