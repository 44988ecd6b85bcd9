import ChilConsole
import ChilCore
import ChilDatabase
import ChilStore

extension ConsoleFeed {
    func tenants(_ query: PageQuery) async throws(AdminFault) -> ConsolePage {
        let now = services.now()
        let found = try await rows(
            WatchTenants(after: query.after, filter: query.filter, countMax: query.countMax + 1)
        )
        let (shown, next) = cut(found, query.countMax) { $0.slug }
        let ids = shown.map(\.id)
        let figures = Dictionary(
            try await rows(WatchFigures(of: ids, since: now - .seconds(3_600), at: now)).map { ($0.tenant, $0) }
        ) { first, _ in first }
        let prints = Dictionary(try await rows(WatchWork(of: ids)).map { ($0.tenant, $0.prints) }) { first, _ in first }
        let beats = try await rows(ServiceBeatList())
        let rates = Self.rates(beats)
        let pageRows: [ConsolePage.Row] = shown.map { tenant in
            let figure = figures[tenant.id]
            let values: [Value] = [
                .text(tenant.slug), .text(tenant.name),
                .word(tenant.state.rawValue, tenant.state == .active ? .good : .warning),
                rates.map { .rate($0[tenant.id] ?? 0) } ?? .none,
                .count(figure?.signIns ?? 0, atMost: Watch.countMax),
                .count(figure?.drawings ?? 0, atMost: Watch.countMax),
                .count(prints[tenant.id] ?? 0, atMost: Watch.countMax),
                figure?.nearest.map { .bar(used: $0.used, limit: $0.limit, name: $0.metric) } ?? .none,
                figure.map(Self.alarms) ?? .none, .age(tenant.createdAt),
            ]
            return ConsolePage.Row(
                key: tenant.slug,
                tenant: tenant.slug,
                values
            )
        }
        var page = ConsolePage(pageRows, next: next)
        if query.place.noun == .overview {
            let chosen = shown.first { $0.slug == query.chosen } ?? shown.first
            page.summary = try await summary(beats, chosen, Array(figures.values), shown.map { ($0.id, $0.slug) }, now)
        }
        return page
    }

    /// What is wrong with a tenant, in words.
    private static func alarms(_ figures: WatchFigures.Row) -> Value {
        let words = alarmWords(figures)
        return words.isEmpty ? .none : .word(words.joined(separator: " "), .alarm)
    }

    private static func alarmWords(_ figures: WatchFigures.Row) -> [String] {
        var words: [String] = []
        if let nearest = figures.nearest, nearest.used >= nearest.limit { words.append("quota") }
        if figures.stoppedPrinters > 0 { words.append("printer") }
        if figures.refusedCredentials > 0 { words.append("sign-in") }
        if figures.pausedWebhooks > 0 { words.append("webhook") }
        return words
    }

    /// Requests in a second of tenants that services name; `nil`: none is there to say.
    private static func rates(_ beats: [ServiceBeatList.Row]) -> [TenantID: Double]? {
        let there = beats.filter(\.isThere)
        guard !there.isEmpty else { return nil }
        var rates: [TenantID: Double] = [:]
        for row in there {
            for busy in row.beat.busy { rates[busy.tenant, default: 0] += Double(busy.milli) / 1_000 }
        }
        return rates
    }

    private func summary(
        _ beats: [ServiceBeatList.Row],
        _ chosen: WatchTenants.Row?,
        _ figures: [WatchFigures.Row],
        _ names: [(TenantID, String)],
        _ now: Timestamp
    ) async throws(AdminFault) -> Summary {
        var summary = Summary()
        if let totals = try await rows(WatchTotals()).first {
            (summary.tenants, summary.suspended) = totals
        }
        if let due = try await rows(WatchDue()).first { (summary.queueDue, summary.queueAge) = due }
        if let look = try await rows(WatchDatabase()).first {
            (summary.connections, summary.connectionsMax) = (look.connections, look.connectionsMax)
            summary.databaseBytes = look.bytes
        }
        let there = beats.filter(\.isThere)
        summary.services = Int64(there.count)
        summary.releases = Set(there.map(\.beat.release)).sorted()
        summary.requestsPerSecond = there.reduce(0) { $0 + Double($1.beat.rateMilli) / 1_000 }
        summary.requests = Self.minutes(there)
        if let chosen {
            let parts = try await rows(WatchHour(of: chosen.id, until: now))
            summary.tenant = chosen.slug
            summary.signIns = parts.map(\.signIns)
            summary.drawings = parts.map(\.drawings)
            summary.prints = parts.map(\.prints)
        }
        summary.alarms = Self.alarms(summary, figures, names)
        return summary
    }

    /// Of all services, the newest minute last.
    private static func minutes(_ beats: [ServiceBeatList.Row]) -> [Int64] {
        var sums = [Int64](repeating: 0, count: ServiceBeat.minutesMax)
        for row in beats {
            let first = sums.count - row.beat.minutes.count
            for (index, count) in row.beat.minutes.enumerated() where first + index >= 0 {
                sums[first + index] += Int64(count)
            }
        }
        return sums
    }

    private static func alarms(
        _ summary: Summary,
        _ figures: [WatchFigures.Row],
        _ names: [(TenantID, String)]
    ) -> [String] {
        var alarms: [String] = []
        if summary.services == 0 { alarms.append("no service was seen within a minute") }
        if summary.releases.count > 1 { alarms.append("services run different releases") }
        if summary.queueDue > 0, summary.queueAge > 60 { alarms.append("the queue is \(summary.queueAge)s behind") }
        if summary.connections * 10 >= summary.connectionsMax * 9, summary.connectionsMax > 0 {
            alarms.append("PostgreSQL has few connections left")
        }
        for (id, slug) in names {
            guard let figure = figures.first(where: { $0.tenant == id }) else { continue }
            let words = alarmWords(figure)
            if !words.isEmpty { alarms.append("\(slug): \(words.joined(separator: ", "))") }
        }
        return alarms
    }
}
