import ChilTestSupport
import Foundation
import Testing

/// A tenant is deleted; the others do not notice.
@Suite(.testBed(), .ownThread)
struct TenantEndTests {
    /// Of each table how many and which, but for what the sealer adds meanwhile.
    private static func rows(_ tenants: String, _ bed: TestBed) throws -> [String] {
        let tables = try bed.query(
            """
            select c.relname from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in ('ended_tenant', 'audit_chain', 'audit_link')
               and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) order by 1
            """
        )
        let parts = tables.map {
            "select '\($0)', count(*), md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from \($0) t where t.tenant_id in (\(tenants))"
        }
        return try bed.query(parts.joined(separator: " union all ") + " order by 1")
    }

    @Test("I-14 a tenant is deleted under load on another: its rows are gone, and they alone")
    func theOthersStay() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        for slug in ["leaving", "still"] {
            try bed.administration.add(Tenant(slug: slug), bed.issuer)
            try bed.administration.run("quota set \(slug) drawings 100")
            try bed.administration.run("printer add \(slug) --name far --uri ipp://127.0.0.1:1/ipp/print --default")
        }
        let leaving = Tenant(slug: "leaving")
        let apps = try [leaving, leaving, Tenant(slug: "still")].map { try App(service, $0, bed.issuer) }
        for app in apps {
            for _ in 0..<3 { _ = try app.makeDrawing() }
            let large = try service.send(app.upload(Picture.jpeg(bytesMin: 400_000), type: "image/jpeg"))
            #expect(large.status == 201)
            _ = try service.send(
                app.request("POST", "drawings/print", json: "{\"drawingId\":\(large.int("drawingId"))}")
            )
        }
        // The printer that nobody answers at is tried on and on: what waits for it would change. Whoever tries just now is waited for.
        let isLeft = try waitUntil(.seconds(60)) {
            try bed.query(
                """
                update work set run_at = 'infinity' from tenant t
                 where t.slug = 'still' and work.tenant_id = t.tenant_id and leased_by is null
                """
            )
            let tried =
                "select count(*) from work w join tenant using (tenant_id) where slug = 'still' and w.run_at < 'infinity'"
            return try bed.query(tried) == ["0"]
        }
        #expect(isLeft)
        let ids = try ["leaving", "still"].map { try bed.query("select tenant_id from tenant where slug = '\($0)'")[0] }
        let load = Load(try App(service, .south, bed.issuer), clients: 4, endsWithConnection: false)
        try #require(waitUntil(.seconds(10)) { load.made > 10 })
        #expect(throws: Program.Failure.self) {
            try bed.administration.run("tenant delete leaving --now --confirm=leaving")
        }
        // What is written down so far is sealed a moment later: then the rows stay as they are.
        let unsealed = "select count(*) from audit where tenant_id = \(ids[1]) and sequence is null"
        #expect(try waitUntil(.seconds(30)) { try bed.query(unsealed) == ["0"] })
        let kept = try Self.rows(ids[1], bed)

        try bed.administration.run("tenant suspend leaving")
        #expect(try waitUntil(Promise.news) { try apps[0].status() == 403 })
        let said = try bed.administration.run("tenant delete leaving --now --confirm=leaving")
        #expect(said.contains("leaving"))
        let until = load.made + 10
        #expect(waitUntil(.seconds(10)) { load.made >= until })
        let events = load.stop()
        #expect(events.allSatisfy { $0.answer.map { $0.status / 100 == 2 } ?? false }, "the load was disturbed")

        #expect(try Self.rows(ids[1], bed) == kept)
        #expect(try Self.rows(ids[0], bed).allSatisfy { $0.split(separator: "|")[1] == "0" })
        #expect(try bed.query("select slug, ended_by from ended_tenant where tenant_id = \(ids[0])") == ["leaving|ann"])
        #expect(try waitUntil(Promise.news) { try apps[0].status() == 404 })
        #expect(try apps[2].status() == 200)

        // One of the same name is another.
        try bed.administration.add(leaving, bed.issuer)
        #expect(try waitUntil(Promise.news + .seconds(1)) { try apps[0].status() == 401 })
        try expectProblem(
            try service.send(App.refresh(leaving, apps[0].refreshToken)),
            401,
            "invalid-refresh-token"
        )
        #expect(try App(service, leaving, bed.issuer).send("GET", "drawings").array("data").isEmpty)
    }
}
