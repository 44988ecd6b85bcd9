import ChilCore
import ChilPrint
import ChilStore

/// By what prints are counted.
enum JobGrouping: String, ArgumentChoice, Sendable {
    case outcome, printer, tenant
}

/// Which prints `job stats` counts.
struct JobStatsQuery: Equatable, Sendable {
    let tenant: Slug?
    let printer: String?
    let since: Moment?
    let grouping: JobGrouping

    static let usualWindow = Duration.seconds(86_400)

    func start(at now: Timestamp) -> Timestamp { since?.timestamp(at: now) ?? now - Self.usualWindow }
}

/// How many prints are in a state, and how long they took.
struct JobCountRow: ListingRow, Equatable {
    let state: String
    let count: Int64
    let oldestAt: String
    var tenant: String?
    var printer: String?
    var reason: String?
    var queued = Spread()
    var printed = Spread()

    /// The middle and the end of how long things took, in milliseconds.
    struct Spread: Equatable, Sendable {
        var median: Int64?
        /// Nineteen of twenty took no longer.
        var most: Int64?

        init() {}

        /// By nearest rank: each is one that was measured.
        init(_ lengths: [Int64]) {
            let sorted = lengths.sorted()
            guard !sorted.isEmpty else { return }
            median = sorted[(sorted.count * 50 + 99) / 100 - 1]
            most = sorted[(sorted.count * 95 + 99) / 100 - 1]
        }
    }

    static let columns: [Column<Self>] = [
        Column("state") { .text($0.state) },
        Column("count") { .number($0.count) },
        Column("oldestAt", listed: false) { .text($0.oldestAt) },
        Column("tenant") { .optional($0.tenant) },
        Column("printer") { .optional($0.printer) },
        Column("reason") { .optional($0.reason) },
        Column("queueMedianMs") { number($0.queued.median) },
        Column("queue95Ms") { number($0.queued.most) },
        Column("printMedianMs") { number($0.printed.median) },
        Column("print95Ms") { number($0.printed.most) },
    ]

    private static func number(_ value: Int64?) -> Field { value.map { .number($0) } ?? .none }
}

/// What became of prints of several tenants, brought together as it is asked for.
struct JobFigures {
    private struct Group: Hashable {
        let tenant: String?
        let printer: String?
        let state: PrintJobState
        let reason: String?
    }

    private struct Sum {
        var count: Int64 = 0
        var oldest: Timestamp
        var queued: [Int64] = []
        var printed: [Int64] = []
    }

    private let grouping: JobGrouping
    private var sums: [Group: Sum] = [:]

    init(by grouping: JobGrouping) {
        self.grouping = grouping
    }

    mutating func add(_ row: PrintJobFigures.Row, of tenant: String) {
        let group = Group(
            tenant: grouping == .outcome ? nil : tenant,
            printer: grouping == .printer ? row.printer : nil,
            state: row.state,
            reason: row.reason
        )
        var sum = sums.removeValue(forKey: group) ?? Sum(oldest: row.oldest)
        sum.count += row.count
        sum.oldest = min(sum.oldest, row.oldest)
        sum.queued += row.queued
        sum.printed += row.printed
        sums[group] = sum
    }

    /// By tenant, printer, state in its course, and reason.
    var rows: [JobCountRow] {
        let course = Dictionary(uniqueKeysWithValues: PrintJobState.allCases.enumerated().map { ($1, $0) })
        func key(_ group: Group) -> (String, String, Int, String) {
            (group.tenant ?? "", group.printer ?? "", course[group.state] ?? 0, group.reason ?? "")
        }
        return sums.sorted { key($0.key) < key($1.key) }.map { group, sum in
            JobCountRow(
                state: group.state.rawValue,
                count: sum.count,
                oldestAt: sum.oldest.description,
                tenant: group.tenant,
                printer: group.printer,
                reason: group.reason,
                queued: .init(sum.queued),
                printed: .init(sum.printed)
            )
        }
    }
}
