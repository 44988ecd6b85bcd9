import ChilCore
import ChilStore

/// A tenant as the operator sees it.
struct TenantRow: ListingRow, Equatable {
    let id: Int64
    let slug: String
    let name: String
    let state: TenantRecord.State
    /// Whether the first app's five calls are served without a token.
    let isGuestServed: Bool
    let timeZone: String
    /// RFC 3339, UTC.
    let createdAt: String
    let sessionIdle: Lifetime
    let sessionAbsolute: Lifetime
    /// Live sessions of one user; nothing where there is no limit.
    let sessionsMax: Int64?
    /// The set of limits that it shares with others.
    let plan: String?
    /// What guardians are asked for, and under which notice.
    var consent: [String] = []
    /// Without a token, from one address; nothing where no guest is served.
    var guestPrintsPerDay: Int64?
    var consentNotice: Int64 = 1
    /// What LARGE, MEDIUM and SMALL are shares of.
    var printScale = "page"
    /// What is printed on where nobody asks for a paper; nothing: whatever is loaded.
    var paper: String?
    var hasJobMark = false
    /// It was deleted, and goes then.
    var purgeAt: String?

    static let columns: [Column<Self>] = [
        Column("slug") { .text($0.slug) },
        Column("name") { .text($0.name) },
        Column("state") { .text($0.state.rawValue) },
        Column("guest") { .flag($0.isGuestServed) },
        Column("timeZone") { .text($0.timeZone) },
        Column("createdAt") { .text($0.createdAt) },
        Column("purgeAt", listed: false) { .optional($0.purgeAt) },
        Column("sessionIdle", listed: false) { .text($0.sessionIdle.text) },
        Column("sessionAbsolute", listed: false) { .text($0.sessionAbsolute.text) },
        Column("sessionsMax", listed: false) { $0.sessionsMax.map { .number($0) } ?? .none },
        Column("plan", listed: false) { .optional($0.plan) },
        Column("guestPrintsPerDay", listed: false) { $0.guestPrintsPerDay.map { .number($0) } ?? .none },
        Column("consent", listed: false) { .list($0.consent) },
        Column("consentNotice", listed: false) { .number($0.consentNotice) },
        Column("printScale", listed: false) { .text($0.printScale) },
        Column("paper", listed: false) { .optional($0.paper) },
        Column("jobMark", listed: false) { .flag($0.hasJobMark) },
        Column("id", listed: false) { .number($0.id) },
    ]
}

extension TenantRow {
    init(_ record: TenantRecord) {
        self.init(
            id: record.id.rawValue,
            slug: record.slug,
            name: record.name,
            state: record.state,
            isGuestServed: record.guest != nil,
            timeZone: record.timeZone,
            createdAt: record.createdAt.description,
            sessionIdle: Lifetime(seconds: record.sessionRules.idle.components.seconds),
            sessionAbsolute: Lifetime(seconds: record.sessionRules.absolute.components.seconds),
            sessionsMax: record.sessionRules.countMax.map { Int64($0) },
            plan: record.plan,
            consent: record.consentPolicy.scopes.map(\.description),
            guestPrintsPerDay: record.guest.map { Int64($0.printsPerDay) },
            consentNotice: Int64(record.consentPolicy.notice),
            printScale: record.printing.fit,
            paper: record.printing.paper,
            hasJobMark: record.printing.hasMark,
            purgeAt: record.purgeAt?.description
        )
    }
}
