import ChilCore
import ChilStore

@testable import ChilAdmin

extension FakeServices {
    func printer(named name: String, of slug: Slug) async throws(AdminFault) -> PrinterDetailRow {
        try note("printer \(name) of \(slug)")
        return PrinterDetailRow(printer: Sample.printer, waiting: 2, lentTo: ["school"])
    }

    func setPrinter(named name: String, of slug: Slug, to state: PrinterRecord.State) async throws(AdminFault)
        -> PrinterRow
    {
        try note("\(state) printer \(name) of \(slug)")
        return Sample.printer
    }

    func setDefaultPrinter(named name: String, of slug: Slug) async throws(AdminFault) -> PrinterRow {
        try note("default \(name) of \(slug)")
        return Sample.printer
    }

    func lendPrinter(named name: String, of slug: Slug, to borrower: Slug, as asName: DisplayName?)
        async throws(AdminFault)
        -> PrinterRow
    {
        try note("lend \(name) of \(slug) to \(borrower) as \(asName?.text ?? name)")
        return Sample.printer
    }

    func endLoan(of name: String, of slug: Slug, to borrower: Slug, _ removal: PrinterRemoval)
        async throws(AdminFault)
        -> PrinterRow
    {
        try note("end loan of \(name) of \(slug) to \(borrower), \(removal)")
        return Sample.printer
    }

    func jobs(_ query: JobQuery, of slug: Slug) async throws(AdminFault) -> [JobRow] {
        try note(
            "jobs of \(slug) \(query.state?.state.rawValue ?? "all") at \(query.printer ?? "all"), \(query.countMax)"
        )
        return [Sample.job]
    }

    func job(_ job: JobNumber, of slug: Slug) async throws(AdminFault) -> JobDetailRow {
        try note("job \(job.id.rawValue) of \(slug)")
        return Sample.jobDetail
    }

    func cancelJob(_ job: JobNumber, of slug: Slug) async throws(AdminFault) -> JobDetailRow {
        try note("cancel job \(job.id.rawValue) of \(slug)")
        return Sample.jobDetail
    }

    func retryJob(_ job: JobNumber, of slug: Slug) async throws(AdminFault) -> JobDetailRow {
        try note("retry job \(job.id.rawValue) of \(slug)")
        return Sample.jobDetail
    }

    func resolveJob(_ job: JobNumber, of slug: Slug, as outcome: JobOutcome) async throws(AdminFault) -> JobDetailRow {
        try note("resolve job \(job.id.rawValue) of \(slug) as \(outcome.rawValue)")
        return Sample.jobDetail
    }

    func watchJob(_ job: JobNumber, of slug: Slug, _ output: (JobEventRow) throws(AdminFault) -> Bool)
        async throws(AdminFault)
    {
        try note("watch job \(job.id.rawValue) of \(slug)")
        _ = try output(JobEventRow(at: "2026-11-30T06:00:00Z", state: "completed", reason: nil))
    }

    func jobFigures(_ query: JobStatsQuery) async throws(AdminFault) -> ([JobCountRow], JobQueueLag) {
        try note("job figures of \(query.tenant?.text ?? "all") by \(query.grouping.rawValue)")
        return (
            [JobCountRow(state: "queued", count: 3, oldestAt: "2026-11-30T06:00:00Z")], JobQueueLag(due: 1, seconds: 4)
        )
    }
}

extension Sample {
    static let job = JobRow(
        id: 391_234_567_890_123,
        state: "blocked",
        reason: "paperEmpty",
        printer: "office",
        user: 7,
        drawing: 5,
        copies: 2,
        createdAt: "2026-11-30T06:00:00Z",
        updatedAt: "2026-11-30T06:00:01Z"
    )
    static let jobDetail = JobDetailRow(
        job: job,
        attempts: 1,
        pagesPrinted: 0,
        remoteJob: "17",
        expiresAt: "2026-12-03T06:00:00Z",
        cancelRequestedAt: nil,
        history: ["2026-11-30T06:00:00Z queued"]
    )
}
