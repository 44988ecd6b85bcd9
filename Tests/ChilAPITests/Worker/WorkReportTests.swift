import ChilCore
import ChilStore
import Testing

@testable import ChilAPI

/// What a worker says of its work in the log.
@Suite struct WorkReportTests {
    private static let noon = Timestamp(seconds: 1_800_000_000)

    private static func text(_ fields: [(StaticString, String)]?) -> String? {
        fields.map { $0.map { "\($0)=\($1)" }.joined(separator: ", ") }
    }

    private func end(_ report: WorkReport, _ state: PrintJobState, _ reason: String? = nil, after seconds: Int64 = 0) {
        report.ended(state, reason, askedAt: Self.noon, at: Self.noon + .seconds(seconds))
    }

    @Test func nothingIsNoLine() {
        #expect(WorkReport().take(due: 0, ageSeconds: 0) == nil)
    }

    @Test func whatWaitsIsALine() {
        #expect(Self.text(WorkReport().take(due: 7, ageSeconds: 90)) == "due=7, oldestDueSeconds=90")
    }

    @Test func outcomesAreCountedOnce() {
        let report = WorkReport()
        for seconds in [5, 1, 9] { end(report, .completed, after: Int64(seconds)) }
        end(report, .failed, "documentUnprintable")
        for _ in 0..<2 { end(report, .expired, "paperEmpty") }
        #expect(
            Self.text(report.take(due: 0, ageSeconds: 0))
                == "due=0, oldestDueSeconds=0, completed=3, failed=1, expired=2, reasons=paperEmpty=2 documentUnprintable=1,"
                + " printMedianMs=5000, print95Ms=9000"
        )
        #expect(report.take(due: 0, ageSeconds: 0) == nil)
        end(report, .canceled)
        #expect(Self.text(report.take(due: 0, ageSeconds: 0)) == "due=0, oldestDueSeconds=0, canceled=1")
    }

    /// However many there are, and whatever the clocks say.
    @Test func itIsBounded() throws {
        let report = WorkReport()
        for number in 0..<30_000 {
            end(report, .completed, after: Int64(number))
            end(report, .failed, "reason\(number)")
        }
        end(report, .completed, after: -60)
        let text = try #require(Self.text(report.take(due: 0, ageSeconds: 0)))
        #expect(text.contains("completed=30001, failed=30000"))
        #expect(text.count < 1_000, "\(text)")
    }
}
