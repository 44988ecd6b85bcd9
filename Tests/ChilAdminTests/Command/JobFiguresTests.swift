import ChilCore
import ChilStore
import Testing

@testable import ChilAdmin

/// How prints are brought together, and what is said of how long they took.
@Suite struct JobFiguresTests {
    private static let noon = Timestamp(seconds: 1_800_000_000)

    private static func row(
        _ printer: String,
        _ state: PrintJobState,
        _ reason: String? = nil,
        count: Int64 = 1,
        age: Int64 = 0,
        queued: [Int64] = [],
        printed: [Int64] = []
    ) -> PrintJobFigures.Row {
        PrintJobFigures.Row(
            printer: printer,
            state: state,
            reason: reason,
            count: count,
            oldest: noon - .seconds(age),
            queued: queued,
            printed: printed
        )
    }

    @Test(
        arguments: [
            ([], nil, nil), ([7], 7, 7), ([2, 1], 1, 2), ([3, 1, 2], 2, 3), (Array(1...20), 10, 19),
            (Array(1...21), 11, 20),
            (Array((1...100).reversed()), 50, 95), ([0, 0, 0, 9_000_000_000_000], 0, 9_000_000_000_000),
        ] as [([Int64], Int64?, Int64?)]
    )
    func theMiddleAndTheEnd(_ lengths: [Int64], _ median: Int64?, _ most: Int64?) {
        let spread = JobCountRow.Spread(lengths)
        #expect(spread.median == median && spread.most == most)
    }

    private static let given: [(String, PrintJobFigures.Row)] = [
        (
            "chillin",
            row("office", .completed, count: 3, age: 60, queued: [100, 200, 300], printed: [1_000, 2_000, 9_000])
        ),
        ("chillin", row("hall", .completed, count: 1, age: 90, queued: [900], printed: [3_000])),
        ("chillin", row("hall", .failed, "documentUnprintable", count: 2, queued: [5, 6])),
        ("chillin", row("hall", .failed, "printerGone", count: 1, queued: [7])),
        ("other", row("office", .completed, count: 1, age: 10, queued: [50], printed: [4_000])),
        ("other", row("office", .queued, "paperEmpty", count: 1, age: 10, queued: [10_000])),
    ]

    private static func figures(_ grouping: JobGrouping) -> [String] {
        var figures = JobFigures(by: grouping)
        for (tenant, row) in given { figures.add(row, of: tenant) }
        return figures.rows.map { row in
            let words = [row.tenant, row.printer, row.state, row.reason].map { $0 ?? "-" }
            let numbers = [row.count, row.queued.median, row.queued.most, row.printed.median, row.printed.most]
            return (words + numbers.map { $0.map(String.init) ?? "-" }).joined(separator: " ")
        }
    }

    @Test func byOutcome() {
        #expect(
            Self.figures(.outcome) == [
                "- - queued paperEmpty 1 10000 10000 - -", "- - completed - 5 200 900 3000 9000",
                "- - failed documentUnprintable 2 5 6 - -", "- - failed printerGone 1 7 7 - -",
            ]
        )
    }

    @Test func byTenant() {
        #expect(
            Self.figures(.tenant) == [
                "chillin - completed - 4 200 900 2000 9000", "chillin - failed documentUnprintable 2 5 6 - -",
                "chillin - failed printerGone 1 7 7 - -", "other - queued paperEmpty 1 10000 10000 - -",
                "other - completed - 1 50 50 4000 4000",
            ]
        )
    }

    @Test func byPrinter() {
        #expect(
            Self.figures(.printer) == [
                "chillin hall completed - 1 900 900 3000 3000", "chillin hall failed documentUnprintable 2 5 6 - -",
                "chillin hall failed printerGone 1 7 7 - -", "chillin office completed - 3 200 300 2000 9000",
                "other office queued paperEmpty 1 10000 10000 - -", "other office completed - 1 50 50 4000 4000",
            ]
        )
    }

    @Test(arguments: [
        ("job stats chillin", "job figures of chillin by printer"), ("job stats", "job figures of all by outcome"),
        ("job stats --tenant chillin --by outcome", "job figures of chillin by outcome"),
        ("job stats --by tenant --since 2026-11-30", "job figures of all by tenant"),
    ])
    func whatIsAskedFor(_ line: String, _ asked: String) async {
        let services = FakeServices()
        let run = await Run(line, services: services)
        #expect(run.status == .success && services.asked == [asked], "\(run.err)")
        #expect(run.err == "1 are due in the queue, the oldest for 4 s.\n")
    }

    @Test(arguments: [
        "job stats chillin --tenant chillin", "job stats --by user", "job stats --since yesterday", "job stats Ab",
    ])
    func whatIsRefused(_ line: String) async {
        #expect(await Run(line).status == .usage)
    }

    // MARK: Printers in trouble

    @Test(arguments: [
        (
            PrinterView.Seen.State.stopped as PrinterView.Seen.State?, ["media-empty-error", "media-jam"],
            nil as String?, "stopped (media-empty-error, media-jam)"
        ),
        (.unreachable, [], nil, "unreachable"), (.idle, ["none"], "changed", "certificate changed"),
        (nil, [], "expired", "certificate expired"), (.stopped, [], "expired", "stopped, certificate expired"),
    ])
    func aPrinterInTroubleIsASentence(
        _ state: PrinterView.Seen.State?,
        _ reasons: [String],
        _ certificate: String?,
        _ said: String
    ) {
        for (since, words) in [(Self.noon as Timestamp?, " since \(Self.noon)"), (nil, "")] {
            let trouble = PrinterTroubles.Row(
                tenant: TenantID(rawValue: 1),
                printer: "교실",
                state: state,
                reasons: reasons,
                certificateFault: certificate,
                since: since
            )
            #expect(StatusRow.sentence(trouble, of: "chillin") == "chillin/교실: \(said)\(words)")
        }
    }

    @Test(arguments: [(nil as Int64?, true), (60, true), (900, true), (901, false)])
    func sweepsThatDoNotComeAreAFault(_ seconds: Int64?, _ isWell: Bool) {
        var row = Sample.status()
        row.sweptSecondsAgo = seconds
        #expect(row.faults.isEmpty == isWell, "\(row.faults)")
        var idle = Sample.status(loops: 0)
        idle.sweptSecondsAgo = seconds
        #expect(idle.faults.count == 1, "where none runs, that is what is said")
    }
}
