import ChilCore
import ChilDatabase
import ChilPrint
import ChilStore

extension LiveServices: JobServices {
    func jobs(_ query: JobQuery, of slug: Slug) async throws(AdminFault) -> [JobRow] {
        let tenant = try await record(of: slug)
        let printers = try await views(of: tenant.id)
        var printer: PrinterID?
        if let name = query.printer {
            guard let found = printers.first(where: { $0.record.name.isExactly(name) }) else {
                throw .noSuchPrinter(name, tenant: slug.text)
            }
            printer = found.record.id
        }
        let list = TenantPrintJobs(of: tenant.id, in: query.state?.state, at: printer, count: query.countMax)
        let jobs = try await ask { database throws(DatabaseError) in try await list.rows(from: database) }
        return jobs.map { job in
            JobRow(job, printer: printers.first { $0.record.id == job.job.printer }?.record.name)
        }
    }

    func job(_ job: JobNumber, of slug: Slug) async throws(AdminFault) -> JobDetailRow {
        let tenant = try await record(of: slug)
        let found = try await found(job, of: slug, tenant.id)
        let printer = try await views(of: tenant.id).first { $0.record.id == found.job.printer }
        return JobDetailRow(found, printer: printer?.record.name)
    }

    func cancelJob(_ job: JobNumber, of slug: Slug) async throws(AdminFault) -> JobDetailRow {
        let tenant = try await record(of: slug)
        let cancel = PrintJobCancel(job.id, in: tenant.id, by: .operator(try note()))
        switch try await ask({ database throws(DatabaseError) in try await cancel.answer(from: database) }) {
        case .wanted: try await wakeWorkers()
        case .missing: throw .noSuchJob(job, tenant: slug.text)
        case .over(.outcomeUnknown): try await tell(job, of: slug, tenant.id, .dropped)
        case .over(let state):
            throw AdminFault(
                .dataRefused,
                "the print has ended: \(state.rawValue)",
                remedy: "There is nothing to cancel."
            )
        }
        return try await self.job(job, of: slug)
    }

    func retryJob(_ job: JobNumber, of slug: Slug) async throws(AdminFault) -> JobDetailRow {
        let tenant = try await record(of: slug)
        for _ in 0..<3 {
            let found = try await found(job, of: slug, tenant.id)
            let moment = now()
            let expires = moment + PrintJobCreate.lifetime
            var machine =
                found.job.machine.flatMap { PrintJobMachine(text: $0) }
                ?? PrintJobMachine(at: found.job.createdAt, expiresAt: expires)
            _ = machine.received(.retryRequested(expiresAt: expires), at: moment)
            let retry = PrintJobRetry(
                job.id,
                in: tenant.id,
                PrintMachineChange(from: found.job.machine, to: machine.text),
                until: expires,
                by: .operator(try note()),
                isLimited: true
            )
            let outcome = try await ask { database throws(DatabaseError) in try await retry.answer(from: database) }
            switch outcome {
            case .retried:
                try await wakeWorkers()
                return try await self.job(job, of: slug)
            case .changed: continue
            case .missing: throw .noSuchJob(job, tenant: slug.text)
            case .state(let state):
                throw AdminFault(
                    .dataRefused,
                    "the print is \(state.rawValue)",
                    remedy: "Only what failed, was canceled, has expired, or nobody knows of is begun again."
                )
            case .noDrawing: throw AdminFault(.dataRefused, "its drawing is no more", remedy: "Print another.")
            case .noPrinter:
                throw AdminFault(.dataRefused, "its printer is no more", remedy: "Print it anew elsewhere.")
            case .printerDisabled:
                throw AdminFault(
                    .dataRefused,
                    "its printer takes no prints",
                    remedy: "`chiladmin printer enable \(slug) PRINTER` lets it."
                )
            case .overQuota(let refusal):
                throw AdminFault(
                    .dataRefused,
                    "the limit of \(refusal.key.metric.rawValue) is reached",
                    remedy: "Wait, or raise it: `chiladmin quota set \(slug) …`."
                )
            case .noConsent(let lack):
                throw AdminFault(
                    .dataRefused,
                    "a guardian's consent to \(lack.scope) is missing",
                    remedy: "`chiladmin consent list \(slug) USER` shows what is agreed to."
                )
            }
        }
        throw AdminFault(.tryLater, "others change this print just now", remedy: "Try again.")
    }

    func resolveJob(_ job: JobNumber, of slug: Slug, as outcome: JobOutcome) async throws(AdminFault) -> JobDetailRow {
        let tenant = try await record(of: slug)
        try await tell(job, of: slug, tenant.id, outcome.asTold)
        return try await self.job(job, of: slug)
    }

    func watchJob(_ job: JobNumber, of slug: Slug, _ output: (JobEventRow) throws(AdminFault) -> Bool)
        async throws(AdminFault)
    {
        let tenant = try await record(of: slug)
        let isStopped = Locked(false)
        let signals = StopSignals { isStopped.withLock { $0 = true } }
        defer { withExtendedLifetime(signals) {} }
        var shown = 0
        while true {
            let found = try await found(job, of: slug, tenant.id)
            for event in found.job.history.dropFirst(shown) {
                guard try output(JobEventRow(event)) else { return }
            }
            shown = found.job.history.count
            if Self.ended.contains(found.job.state) { return }
            for _ in 0..<5 {
                if isStopped.withLock({ $0 }) { return }
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    func jobFigures(_ query: JobStatsQuery) async throws(AdminFault) -> ([JobCountRow], JobQueueLag) {
        var tenants: [TenantRecord] = []
        if let slug = query.tenant {
            tenants = [try await record(of: slug)]
        } else {
            tenants = try await ask { database throws(DatabaseError) in
                try await database.run(ChilStore.TenantList(), .read, of: nil)
            }
        }
        let moment = now()
        var figures = JobFigures(by: query.grouping)
        let progress = progress("job stats", of: tenants.count, "tenants")
        defer { progress.end() }
        for (index, tenant) in tenants.enumerated() {
            progress.reached(Int64(index))
            let question = PrintJobFigures(
                of: tenant.id,
                since: query.start(at: moment),
                at: query.printer,
                now: moment
            )
            let rows = try await ask { database throws(DatabaseError) in try await question.rows(from: database) }
            for row in rows { figures.add(row, of: tenant.slug) }
        }
        return (figures.rows, try await lag(of: query.tenant == nil ? nil : tenants.first?.id, at: moment))
    }

    private func lag(of tenant: TenantID?, at moment: Timestamp) async throws(AdminFault) -> JobQueueLag {
        guard let tenant else {
            let all = try await ask { database throws(DatabaseError) in
                try await database.run(WatchDue(), .read, of: nil).first
            }
            return JobQueueLag(due: all?.due ?? 0, seconds: all.flatMap { $0.due > 0 ? $0.ageSeconds : nil })
        }
        let lag = try await ask { database throws(DatabaseError) in
            try await PrintQueueLag(of: tenant).answer(from: database)
        }
        return JobQueueLag(due: lag.due, seconds: lag.oldest.map { max(0, (moment - $0).components.seconds) })
    }

    private static let ended: Set<PrintJobState> = [.completed, .failed, .canceled, .expired, .outcomeUnknown]

    private func found(_ job: JobNumber, of slug: Slug, _ tenant: TenantID) async throws(AdminFault) -> TenantPrintJob {
        let found = try await ask { database throws(DatabaseError) in
            try await TenantPrintJobOne(job.id, of: tenant).run(on: database)
        }
        guard let found else { throw .noSuchJob(job, tenant: slug.text) }
        return found
    }

    private func tell(_ job: JobNumber, of slug: Slug, _ tenant: TenantID, _ outcome: PrintOutcome)
        async throws(AdminFault)
    {
        for _ in 0..<3 {
            let found = try await found(job, of: slug, tenant)
            guard var machine = found.job.machine.flatMap({ PrintJobMachine(text: $0) }) else { break }
            _ = machine.received(.outcomeTold(outcome), at: now())
            let resolve = PrintJobResolve(
                job.id,
                in: tenant,
                PrintMachineChange(from: found.job.machine, to: machine.text),
                as: PrintJobState(rawValue: machine.status.rawValue) ?? .canceled,
                reason: machine.reason,
                by: .operator(try note())
            )
            switch try await ask({ database throws(DatabaseError) in try await resolve.answer(from: database) }) {
            case .resolved: return
            case .changed: continue
            case .missing: throw .noSuchJob(job, tenant: slug.text)
            case .state(let state):
                throw AdminFault(
                    .dataRefused,
                    "the print is \(state.rawValue)",
                    remedy: "Only what nobody knows of (outcomeUnknown) is to be resolved."
                )
            }
        }
        throw AdminFault(.tryLater, "others change this print just now", remedy: "Try again.")
    }

    /// Those that wait for nothing look at once; others find it within a second.
    private func wakeWorkers() async throws(AdminFault) {
        try await ask { database throws(DatabaseError) in _ = try await database.run(Notify.work, .write, of: nil) }
    }
}

extension AdminFault {
    static func noSuchJob(_ job: JobNumber, tenant: String) -> Self {
        Self(
            .notFound,
            "tenant '\(tenant)' has no print \(job.id.rawValue)",
            remedy: "`chiladmin job list \(tenant)` shows them."
        )
    }
}
