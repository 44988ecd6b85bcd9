import ChilTestSupport
import Testing

extension RefusalTests {
    @Suite struct Suspension {
        /// Everything of the tenant, within a second of the operator's word, on every loop; and back.
        @Test func aSuspendedTenantIsSwitchedOffAndOn() throws {
            let bed = try TestBed.required
            let tenant = try RefusalTests.tenant("pausing")
            let app = try RefusalTests.app(tenant)
            let uploaded = try app.service.send(app.upload(Picture.png()))
            let image = String(try uploaded.string("url").dropFirst(Service.publicURL.count))
            let requests = [
                app.request("GET", "me"), app.request("GET", "drawings"), Request("GET", image),
                Request("POST", "/pausing/auth/nonce"), Request("GET", "/pausing/.well-known/jwks.json"),
            ]
            let connections = try (0..<4).map { _ in try Connection(to: app.service.port) }
            func statuses() throws -> Set<Int> {
                try connections.reduce(into: []) { found, connection in
                    for request in requests { found.insert(try connection.send(request).status / 100 * 100) }
                }
            }
            #expect(try statuses() == [200])
            try bed.administration.run("tenant suspend pausing")
            #expect(try waitUntil(Promise.news) { try statuses() == [400] })
            for request in requests { try expectProblem(try app.service.send(request), 403, "tenant-suspended") }
            try expectProblem(try app.service.send(App.refresh(tenant, app.refreshToken)), 403, "tenant-suspended")
            #expect(try RefusalTests.app(.north).send("GET", "me").status == 200)
            try bed.administration.run("tenant resume pausing")
            #expect(try waitUntil(Promise.news) { try statuses() == [200] })
            #expect(try app.service.send(App.refresh(tenant, app.refreshToken)).status == 200)
        }
    }
}
