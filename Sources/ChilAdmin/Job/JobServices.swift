import ChilCore
import ChilStore

/// What the commands about prints need.
protocol JobServices {
    func jobs(_ query: JobQuery, of slug: Slug) async throws(AdminFault) -> [JobRow]
    func job(_ job: JobNumber, of slug: Slug) async throws(AdminFault) -> JobDetailRow
    func cancelJob(_ job: JobNumber, of slug: Slug) async throws(AdminFault) -> JobDetailRow
    func retryJob(_ job: JobNumber, of slug: Slug) async throws(AdminFault) -> JobDetailRow
    func resolveJob(_ job: JobNumber, of slug: Slug, as outcome: JobOutcome) async throws(AdminFault) -> JobDetailRow
    /// Each change, those of the past first, until it has ended or `output` says that nobody reads.
    func watchJob(_ job: JobNumber, of slug: Slug, _ output: (JobEventRow) throws(AdminFault) -> Bool)
        async throws(AdminFault)
    func jobFigures(_ query: JobStatsQuery) async throws(AdminFault) -> ([JobCountRow], JobQueueLag)
}
