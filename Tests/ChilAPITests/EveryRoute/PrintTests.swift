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

        /// What an app does with prints beside making them: it lists, cancels and begins again.
        @Test(arguments: ServiceForm.allCases)
        func printsAreListedCanceledAndBegunAgain(_ form: ServiceForm) throws {
            let bed = try TestBed.required
            let tenant = Tenant(slug: "prints-\(form.rawValue.replacing(" ", with: "-"))")
            try bed.administration.add(tenant, bed.issuer)
            let app = try EveryRouteTests.app(form, tenant)
            #expect(try app.send("GET", "printers").text == #"{"data":[]}"#)
            #expect(try app.send("GET", "print-jobs").text == #"{"data":[],"hasMore":false}"#)
            try bed.administration.run("printer add \(tenant.slug) --name far --uri ipp://127.0.0.1:1/ipp/print")
            let drawing = try app.makeDrawing()
            func send(_ method: String, _ path: String, _ json: String, key: String? = nil) throws -> Answer {
                let request = app.request(method, path, json: json)
                return try app.service.send(key.map { request.adding("Idempotency-Key", "\"\($0)\"") } ?? request)
            }
            let jobs = try (0..<3).map { _ in
                try send("POST", "drawings/print", "{\"drawingId\":\(drawing),\"expiresIn\":3600}").int("printJobId")
            }
            let page = try app.send("GET", "print-jobs?limit=2")
            #expect(try page.array("data").map { $0["printJobId"] as? Int } == [jobs[2], jobs[1]])
            let rest = try app.send("GET", "print-jobs?limit=2&cursor=\(page.string("nextCursor"))")
            #expect(try rest.array("data").map { $0["printJobId"] as? Int } == [jobs[0]])
            let other = try app.send("GET", "print-jobs?status=queued&cursor=\(page.string("nextCursor"))")
            try expectProblem(other, 422, "invalid-fields", pointer: "/cursor")
            try expectProblem(try app.send("GET", "print-jobs?status=done"), 422, "invalid-fields", pointer: "/status")

            try expectProblem(try send("POST", "print-jobs/\(jobs[0])/retry", "{}"), 409, "print-job-running")
            #expect(try app.send("DELETE", "print-jobs/\(jobs[0])").status == 204)
            func state(_ job: Int) throws -> String { try app.send("GET", "print-jobs/\(job)").string("state") }
            #expect(try waitUntil(.seconds(10)) { try state(jobs[0]) == "canceled" })
            #expect(try app.send("DELETE", "print-jobs/\(jobs[0])").status == 204)
            let canceled = try app.send("GET", "print-jobs?status=canceled")
            #expect(try canceled.array("data").map { $0["printJobId"] as? Int } == [jobs[0]])

            let again = try send("POST", "print-jobs/\(jobs[0])/retry", "{\"expiresIn\":60}", key: "again-\(jobs[0])")
            #expect(again.status == 200, "\(again.text)")
            #expect(try again.string("state") == "queued")
            let repeated = try send(
                "POST",
                "print-jobs/\(jobs[0])/retry",
                "{\"expiresIn\":60}",
                key: "again-\(jobs[0])"
            )
            #expect(repeated.status == 200)
            let changed = try send("POST", "print-jobs/\(jobs[0])/retry", "{\"expiresIn\":61}", key: "again-\(jobs[0])")
            try expectProblem(changed, 422, "idempotency-key-reused")
            #expect(
                try app.send("GET", "print-jobs/\(jobs[0])").array("history").count {
                    $0["state"] as? String == "canceled"
                } == 1
            )

            let shown = try #require(try app.send("GET", "printers").array("data").first)
            #expect(shown["name"] as? String == "far" && shown["state"] as? String == "enabled")
            #expect(shown["isDefault"] as? Bool == true && shown["kind"] as? String == "ipp")
            #expect((shown["live"] as? [String: Any])?["state"] as? String == "unreachable")
            // It is printed, says a person who has looked where nobody knows; or nobody wants it any more.
            try bed.query(
                """
                begin;
                delete from work where work_id = \(jobs[1]);
                update print_job set state = 'outcomeUnknown', reason = 'answerLost',
                       machine = replace(regexp_replace(machine, '^1 [^ ]+', '1 outcomeUnknown:answerLost'), 'x', 'x')
                 where job_id = \(jobs[1]) and machine is not null;
                update print_job set machine = '1 outcomeUnknown:answerLost attempt=1 cancel=0 next=0 expires=0 since=0 pages=0 '
                    || 'failures=0 polls=0 uptime=-1', state = 'outcomeUnknown', reason = 'answerLost'
                 where job_id = \(jobs[1]);
                commit
                """
            )
            #expect(try app.send("DELETE", "print-jobs/\(jobs[1])").status == 204)
            #expect(try state(jobs[1]) == "canceled")
        }

        /// Refused, and nothing is kept.
        @Test func whatCannotBePrintedIsRefused() throws {
            let bed = try TestBed.required
            let tenant = Tenant(slug: "refuses-prints")
            try bed.administration.add(tenant, bed.issuer)
            let app = try EveryRouteTests.app(.implicitNamed, tenant)
            try bed.administration.run("printer add \(tenant.slug) --name far --uri ipp://127.0.0.1:1/ipp/print")
            try bed.administration.run("printer add \(tenant.slug) --name off --uri ipp://127.0.0.1:1/ipp/print")
            try bed.administration.run("printer disable \(tenant.slug) off")
            let printers = try app.send("GET", "printers").array("data")
            let off = try #require(printers.first { $0["name"] as? String == "off" }?["printerId"] as? Int)
            let drawing = try app.makeDrawing()
            for (members, code, pointer) in [
                ("\"copies\":0", "invalid-fields", "/copies"), ("\"copies\":1000", "invalid-fields", "/copies"),
                ("\"copies\":-1", "invalid-fields", "/copies"), ("\"copies\":1.5", "invalid-fields", "/copies"),
                ("\"printerId\":\(off)", "invalid-fields", "/printerId"), ("\"printerId\":7", "no-printer", nil),
                ("\"printerId\":\"far\"", "invalid-fields", "/printerId"),
                ("\"expiresIn\":59", "invalid-fields", "/expiresIn"),
                ("\"expiresIn\":604801", "invalid-fields", "/expiresIn"),
            ] as [(String, String, String?)] {
                let json = "{\"drawingId\":\(drawing),\(members)}"
                let answer = try app.service.send(app.request("POST", "drawings/print", json: json))
                try expectProblem(answer, 422, code, pointer: pointer)
            }
            #expect(try app.send("GET", "print-jobs").array("data").isEmpty)
        }
    }
}
