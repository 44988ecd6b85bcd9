import ChilTestSupport
import Foundation
import Synchronization
import Testing

/// Limits under storms and crashes, through services as they are shipped.
@Suite(.testBed([]), .ownThread)
struct QuotaStormTests {
    /// A quota of 10, 200 creates at once through two services: exactly 10.
    @Test("A-07 two hundred creates at once for ten are ten") func twoHundredCreatesThroughTwoServicesMakeTen() throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "storm-ten"), other = Tenant(slug: "storm-other")
        for one in [tenant, other] {
            try bed.administration.add(one, bed.issuer)
            try bed.administration.run("quota set \(one.slug) drawings 10")
        }
        try bed.withReplicas(2) { services in
            let app = try App(services[0], tenant, bed.issuer)
            let connections = try (0..<200).map { try Connection(to: services[$0 % 2].port) }
            let answers = try inParallel(200) { try connections[$0].send(app.upload(Picture.png())) }
            #expect(answers.count { $0.status == 201 } == 10)
            // Whoever had to wait for too long was told to come again; the others were refused.
            for answer in answers where answer.status != 201 {
                if answer.status == 503 { continue }
                try expectProblem(answer, 403, "quota-exceeded")
            }
            #expect(try app.send("GET", "drawings").array("data").count == 10)
            let stranger = try App(services[1], other, bed.issuer)
            #expect(try stranger.service.send(stranger.upload(Picture.png())).status == 201)
        }
        try bed.administration.run("quota recount --check")
    }

    /// The service is killed in the middle of creates, prints and deletes: what it took without giving was never taken.
    @Test func aKilledServiceLeaksNothing() throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "storm-kill")
        try bed.administration.add(tenant, bed.issuer)
        for quota in [
            "drawings 100000", "drawings 100000 --scope user", "storage_bytes 100000000", "users 100",
            "print_jobs 100000 --window month", "printed_pages 100000 --window month --scope user",
        ] {
            try bed.administration.run("quota set \(tenant.slug) \(quota)")
        }
        try bed.administration.run(
            "printer add \(tenant.slug) --name far --uri ipp://127.0.0.1:1/ipp/print --default"
        )
        for _ in 0..<3 {
            let service = try bed.start()
            defer { service.program.signal(SIGKILL) }
            let app = try App(service, tenant, bed.issuer)
            let drawing = try app.makeDrawing()
            let printing = app.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing),\"copies\":2}")
            let clients = DispatchGroup(), answers = Counter()
            for number in 0..<8 {
                clients.enter()
                Thread.detachNewThread {
                    defer { clients.leave() }
                    guard let connection = try? Connection(to: service.port) else { return }
                    // Until the connection breaks.
                    while let answer = try? connection.send(
                        number.isMultiple(of: 4) ? printing : app.upload(Picture.png())
                    ) {
                        answers.count.wrappingAdd(1, ordering: .relaxed)
                        guard number % 4 == 1, let id = try? answer.int("drawingId") else { continue }
                        guard (try? connection.send(app.request("DELETE", "drawings/\(id)"))) != nil else { return }
                    }
                }
            }
            try #require(waitUntil(.seconds(20)) { answers.count.load(ordering: .relaxed) >= 80 })
            service.program.signal(SIGKILL)
            clients.wait()
            _ = try? service.program.wait(atMost: .seconds(5))
            // The database ends what a dead client has begun.
            let isQuiet = try waitUntil(.seconds(10)) {
                try bed.query(
                    "select count(*) from pg_stat_activity where usename = 'chil_service' and datname = current_database()"
                )
                    == ["0"]
            }
            #expect(isQuiet)
            try bed.administration.run("quota recount --check")
            // Nothing was given back yet: each job that was accepted is counted, with its two pages.
            let counts = try bed.query(
                """
                select (select count(*) from print_job j where j.tenant_id = t.tenant_id)
                           = (select used from quota q where q.tenant_id = t.tenant_id and q.metric = 'print_jobs'),
                       (select count(*) * 2 from print_job j where j.tenant_id = t.tenant_id)
                           = (select sum(used) from quota_use u where u.tenant_id = t.tenant_id and u.metric = 'printed_pages'),
                       (select count(*) from print_job j where j.tenant_id = t.tenant_id) > 0
                  from tenant t where t.slug = '\(tenant.slug)'
                """
            )
            #expect(counts == ["t|t|t"])
        }
    }

    private final class Counter: Sendable {
        let count = Atomic(0)
    }

    /// A count that is wrong is found by the exit status, and mended.
    @Test func aWrongCountIsFound() throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "storm-count")
        try bed.administration.add(tenant, bed.issuer)
        try bed.administration.run("quota set \(tenant.slug) users 5")
        try bed.query(
            "update quota set used = 3 from tenant t where t.tenant_id = quota.tenant_id and t.slug = '\(tenant.slug)'"
        )
        let failure = #expect(throws: Program.Failure.self) {
            try bed.administration.run("quota recount --check --tenant \(tenant.slug)")
        }
        #expect(
            failure?.description.contains("\(tenant.slug)  users   tenant  none    -           3        0") == true,
            "\(failure?.description ?? "")"
        )
        #expect(try bed.administration.run("quota recount --tenant \(tenant.slug)").contains("set right"))
        #expect(try bed.administration.run("quota recount --check --tenant \(tenant.slug)").contains("Every count"))
    }
}
