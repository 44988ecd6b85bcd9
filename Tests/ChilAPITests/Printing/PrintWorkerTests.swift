import ChilCore
import ChilTestSupport
import Foundation
import Testing

/// Prints in several processes, at printers that count their papers.
@Suite(.testBed([]), .ownThread, .serialized)
struct PrintWorkerTests {
    private static func tenant(_ slug: String, _ mill: PaperMill) throws -> Tenant {
        let bed = try TestBed.required
        let tenant = Tenant(slug: slug)
        try bed.administration.add(tenant, bed.issuer)
        try bed.administration.run("printer add \(slug) --name mill --uri \(mill.uri(0)) --default")
        return tenant
    }

    private static func printOne(_ app: App, _ drawing: Int) throws -> Int {
        let answer = try app.service.send(app.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing)}"))
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.int("printJobId")
    }

    /// A process that only answers wakes one that only works: sooner than that would look by itself, again and again.
    @Test func aProcessThatServesWakesOneThatWorks() throws {
        let bed = try TestBed.required
        let mill = try PaperMill()
        defer { mill.stop() }
        let tenant = try Self.tenant("roles", mill)
        let api = try bed.start(["CHIL_ROLES": "api", "CHIL_LOOPS": "1"])
        defer { api.program.signal(SIGKILL) }
        let app = try App(api, tenant, bed.issuer)
        let drawing = try app.makeDrawing()
        let first = try Self.printOne(app, drawing)
        // Nobody works yet: it waits, and nobody has claimed it.
        #expect(try bed.query("select attempts from work where work_id = \(first)") == ["0"])
        let worker = try bed.start(["CHIL_ROLES": "worker", "CHIL_LOOPS": "1"])
        defer { worker.program.signal(SIGKILL) }
        #expect(
            try waitUntil(.seconds(20)) { try app.send("GET", "print-jobs/\(first)").string("state") == "completed" }
        )
        // It answers probes, and nothing else.
        #expect(try worker.send(Request("GET", "/healthz")).status == 200)
        #expect(try worker.send(Request("GET", "/\(tenant.slug)/printers")).status == 404)
        let second = try Self.printOne(app, drawing)
        let begun = ContinuousClock.now
        #expect(
            try waitUntil(.seconds(5)) { try bed.query("select attempts from work where work_id = \(second)") != ["0"] }
        )
        print("a worker in another process took a print after \(ContinuousClock.now - begun)")
        #expect(
            try waitUntil(.seconds(20)) { try app.send("GET", "print-jobs/\(second)").string("state") == "completed" }
        )
        #expect(mill.paperCount == 2)
        // It was asked in chunks before anything was printed, and that it takes them is known from then on.
        let upload = "select p.upload from printer p join tenant t using (tenant_id) where t.slug = 'roles'"
        #expect(try bed.query(upload) == ["chunked"])
        #expect(try worker.stop() == 0)
        #expect(try api.stop() == 0)
    }

    /// Somebody who is stopped in the middle of a document loses the job; when it goes on, it writes nothing and sends nothing.
    @Test func aPausedHolderIsFencedAndOnePaperComesOut() throws {
        let bed = try TestBed.required
        let mill = try PaperMill()
        defer { mill.stop() }
        let tenant = try Self.tenant("paused", mill)
        let first = try bed.start(["CHIL_LOOPS": "1"])
        defer { first.program.signal(SIGKILL) }
        let app = try App(first, tenant, bed.issuer)
        let drawing = try app.makeDrawing()
        mill.state.withLock { $0.holdsAnswers = true }
        let job = try Self.printOne(app, drawing)
        #expect(waitUntil(.seconds(20)) { mill.paperCount == 1 })
        first.program.signal(SIGSTOP)
        let second = try bed.start(["CHIL_LOOPS": "1"])
        defer { second.program.signal(SIGKILL) }
        // Its lease is over.
        let held = try bed.query("select fence from work where work_id = \(job)")
        try bed.query("update work set run_at = now() where work_id = \(job)")
        #expect(try waitUntil(.seconds(20)) { try bed.query("select fence from work where work_id = \(job)") != held })
        mill.state.withLock { $0.holdsAnswers = false }
        let state = "select state from print_job where job_id = \(job)"
        #expect(try waitUntil(.seconds(30)) { try bed.query(state) == ["completed"] })
        first.program.signal(SIGCONT)
        let history = "select count(*) from print_job_event where job_id = \(job)"
        let events = try bed.query(history)
        #expect(try first.stop() == 0)
        #expect(try bed.query(state) == ["completed"])
        #expect(try bed.query(history) == events)
        #expect(mill.paperCount == 1)
    }

    /// A worker that holds a job reads what somebody else wants of it, with its next step.
    @Test func aCancelIsSeenWhileTheDocumentIsSent() throws {
        let bed = try TestBed.required
        let mill = try PaperMill(printing: .seconds(600))
        defer { mill.stop() }
        let tenant = try Self.tenant("cancels", mill)
        let service = try bed.start(["CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        let app = try App(service, tenant, bed.issuer)
        let drawing = try app.makeDrawing()
        mill.state.withLock { $0.holdsAnswers = true }
        let job = try Self.printOne(app, drawing)
        #expect(waitUntil(.seconds(20)) { mill.paperCount == 1 })
        let fence = try bed.query("select fence from work where work_id = \(job)")
        #expect(try app.send("DELETE", "print-jobs/\(job)").status == 204)
        #expect(try bed.query("select fence from work where work_id = \(job)") == fence)
        #expect(try app.send("GET", "print-jobs/\(job)").members["cancelRequestedAt"] != nil)
        mill.state.withLock { $0.holdsAnswers = false }
        #expect(try waitUntil(.seconds(20)) { try app.send("GET", "print-jobs/\(job)").string("state") == "canceled" })
        #expect(mill.state.withLock { $0.cancels } == 1)
        #expect(try app.send("DELETE", "print-jobs/\(job)").status == 204)
        #expect(try service.stop() == 0)
    }

    /// The whole of it: ten tenants share twenty printers, one has as much as all others together, and two processes work.
    @Test func manyTenantsShareManyPrinters() throws {
        let bed = try TestBed.required
        let (printers, tenants, jobs) = (20, 10, 500)
        let mill = try PaperMill()
        defer { mill.stop() }
        let slugs = (0..<tenants).map { "share-\($0)" }
        for slug in slugs { try bed.administration.add(Tenant(slug: slug), bed.issuer) }
        // The first has them, and lends them to all others.
        try bed.query(
            """
            insert into printer (tenant_id, printer_id, name, kind, uri, is_default, state, created_at, updated_at)
            select t.tenant_id, 1000 + n, 'p' || n, 'ipp', '\(mill.uri(0).dropLast(1))' || n, false, 'enabled', now(), now()
              from tenant t, generate_series(0, \(printers - 1)) n where t.slug = 'share-0';
            insert into printer (tenant_id, printer_id, name, kind, uri, is_default, state, lender_tenant_id, lender_printer_id,
                                 lender_state, created_at, updated_at)
            select t.tenant_id, 1000 + n, 'p' || n, 'ipp', '', false, 'enabled', l.tenant_id, 1000 + n, 'enabled', now(), now()
              from tenant t, tenant l, generate_series(0, \(printers - 1)) n
             where t.slug like 'share-%' and t.slug <> 'share-0' and l.slug = 'share-0'
            """
        )
        let api = try bed.start(["CHIL_ROLES": "api", "CHIL_LOOPS": "1"])
        defer { api.program.signal(SIGKILL) }
        // As much as all others together, and before them.
        let shares =
            [jobs / 2] + (1..<tenants).map { jobs / 2 / (tenants - 1) + ($0 <= jobs / 2 % (tenants - 1) ? 1 : 0) }
        for (slug, share) in zip(slugs, shares) {
            let app = try App(api, Tenant(slug: slug), bed.issuer)
            let drawing = try app.makeDrawing()
            for number in 0..<share {
                let json = "{\"drawingId\":\(drawing),\"printerId\":\(1_000 + number % printers)}"
                let answer = try api.send(app.request("POST", "drawings/print", json: json))
                #expect(answer.status == 200, "\(answer.text)")
            }
        }
        let begun = ContinuousClock.now
        let workers = try (0..<2).map { _ in try bed.start(["CHIL_ROLES": "worker", "CHIL_LOOPS": "1"]) }
        defer { for worker in workers { worker.program.signal(SIGKILL) } }
        let ofThese = "print_job join tenant using (tenant_id) where slug like 'share-%'"
        let ended = "select count(*) from \(ofThese) and print_job.state = 'completed'"
        let areAllDone = try waitUntil(.seconds(180)) {
            try bed.query(ended) == ["\(jobs)"]
        }
        print("\(jobs) prints at \(printers) printers took \(ContinuousClock.now - begun)")
        let left = try bed.query("select print_job.state, reason, count(*) from \(ofThese) group by 1, 2")
        #expect(areAllDone, "\(left)")
        #expect(mill.paperCount == jobs)
        #expect(mill.state.withLock { $0.busyAnswers } == 0, "a second job came to a printer that had one")
        var lateness = 0
        for (printer, papers) in mill.papers {
            // chil-TENANT-JOB-ATTEMPT
            let parts = papers.map { $0.split(separator: " ")[0].split(separator: "-").compactMap { Int($0) } }
            var served: [Int: [Int]] = [:]
            for (place, part) in parts.enumerated() {
                let nth = (served[part[0]]?.count ?? 0) + 1
                // Whoever's n-th it is has waited for n turns of each tenant at most.
                lateness = max(lateness, place + 1 - nth * tenants)
                served[part[0], default: []].append(part[1])
            }
            #expect(served.values.allSatisfy { $0 == $0.sorted() }, "\(printer): a tenant's prints changed places")
        }
        #expect(lateness <= 0, "somebody has waited \(lateness) papers more than their share")
        for worker in workers { #expect(try worker.stop() == 0) }
        #expect(try api.stop() == 0)
    }
}
