import Testing

extension EveryRouteTests {
    @Suite struct Quotas {
        /// One's own limits and the tenant's; what is not limited is not listed, and nothing of anybody else.
        @Test(arguments: ServiceForm.allCases)
        func limitsAreShown(_ form: ServiceForm) throws {
            let bed = try TestBed.required
            let tenant = Tenant(slug: "quota-\(form.rawValue.replacing(" ", with: "-"))")
            let other = Tenant(slug: "\(tenant.slug)-other")
            for one in [tenant, other] { try bed.administration.add(one, bed.issuer) }
            let app = try EveryRouteTests.app(form, tenant), second = try EveryRouteTests.app(form, tenant)
            let stranger = try EveryRouteTests.app(form, other)
            #expect(try app.send("GET", "quota").text == "{\"data\":[]}")
            for quota in [
                "drawings 100 --soft 90", "drawings 3 --scope user --window day", "sessions_per_user 4",
                "printed_pages 9 --scope printer --window day", "storage_bytes 1000000 --action warn",
            ] {
                try bed.administration.run("quota set \(tenant.slug) \(quota)")
            }
            _ = try app.makeDrawing()
            _ = try second.makeDrawing()
            let answer = try app.send("GET", "quota")
            #expect(answer.status == 200 && answer["Cache-Control"] == "no-store")
            let quotas = try answer.array("data")
            #expect(
                quotas.compactMap { $0["metric"] as? String } == [
                    "drawings", "drawings", "storage_bytes", "sessions_per_user",
                ]
            )
            #expect(quotas.compactMap { $0["scope"] as? String } == ["tenant", "user", "tenant", "user"])
            #expect(quotas.compactMap { $0["window"] as? String } == ["none", "day", "none", "none"])
            #expect(quotas.compactMap { $0["limit"] as? Int } == [100, 3, 1_000_000, 4])
            #expect(
                quotas.compactMap { $0["used"] as? Int }.enumerated().filter { $0.offset != 2 }.map(\.element) == [
                    2, 1, 1,
                ]
            )
            #expect(quotas[0]["remaining"] as? Int == 98 && quotas[0]["softLimit"] as? Int == 90)
            #expect(quotas[0]["resetsAt"] == nil && quotas[1]["softLimit"] == nil)
            #expect((quotas[1]["resetsAt"] as? String)?.hasSuffix("T00:00:00.000Z") == true)
            #expect(quotas.compactMap { $0["action"] as? String } == ["deny", "deny", "warn", "deny"])
            #expect(try stranger.send("GET", "quota").text == "{\"data\":[]}")
            try expectProblem(try app.service.send(Request("GET", "/\(tenant.slug)/quota")), 401, "unauthorized")
            // A token of one tenant shows nothing of another.
            let foreign = Request("GET", "/\(other.slug)/quota", bearer: app.accessToken)
            try expectProblem(try app.service.send(foreign), 401, "unauthorized")
        }

        /// A user's own limit: 403 for what lasts, 429 with the time for a window, and the next user goes on.
        @Test(arguments: ServiceForm.allCases)
        func aUsersLimitRefusesThatUser(_ form: ServiceForm) throws {
            let bed = try TestBed.required
            let tenant = Tenant(slug: "own-\(form.rawValue.replacing(" ", with: "-"))")
            try bed.administration.add(tenant, bed.issuer)
            try bed.administration.run("quota set \(tenant.slug) drawings 2 --scope user --window day")
            let app = try EveryRouteTests.app(form, tenant), second = try EveryRouteTests.app(form, tenant)
            let ids = try (0..<2).map { _ in try app.makeDrawing() }
            let answer = try app.service.send(app.upload(Picture.png()))
            try expectProblem(answer, 429, "quota-window-exceeded")
            #expect(answer["Retry-After"].flatMap { Int($0) }.map { (1...86_401).contains($0) } == true)
            #expect(try answer.string("detail").contains("drawings of each user per day"))
            _ = try second.makeDrawing()
            // What a window has given it does not get back.
            #expect(try app.send("DELETE", "drawings/\(ids[0])").status == 204)
            try expectProblem(try app.service.send(app.upload(Picture.png())), 429, "quota-window-exceeded")
            try bed.administration.run("quota unset \(tenant.slug) drawings --scope user --window day")
            _ = try app.makeDrawing()
            try bed.administration.run("quota set \(tenant.slug) drawings 2 --scope user")
            try expectProblem(try app.service.send(app.upload(Picture.png())), 403, "quota-exceeded")
            let large = Picture.jpeg(bytesMin: 300_000)
            try expectProblem(try app.service.send(app.upload(large, type: "image/jpeg")), 403, "quota-exceeded")
            _ = try second.makeDrawing()
        }
    }
}
