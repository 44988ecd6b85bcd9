import ChilCore

@testable import ChilConsole

/// Pages as a database would answer them, and a console that has them.
enum Sample {
    static let now = Timestamp(seconds: 1_780_000_000)
    static let fine = TerminalAbility(depth: .exact, isUTF8: true, pictures: .blocks)
    static let plain = TerminalAbility(depth: .none, isUTF8: false, pictures: .letters)

    static func ago(_ seconds: Int64) -> Value { .age(now - .seconds(seconds)) }

    static let summary: Summary = {
        var summary = Summary()
        (summary.tenants, summary.suspended) = (10_000, 103)
        (summary.services, summary.releases) = (2, ["0.1.0"])
        summary.requestsPerSecond = 183.2
        summary.requests = (0..<60).map { Int64(600 + 300 * ($0 % 7)) }
        (summary.queueDue, summary.queueAge) = (250, 214)
        (summary.connections, summary.connectionsMax, summary.databaseBytes) = (12, 100, 61_000_000)
        summary.alarms = ["the queue is 214s behind", "chillin: printer"]
        summary.tenant = "arasaebom"
        summary.signIns = (0..<30).map { Int64($0 % 4) }
        summary.drawings = (0..<30).map { Int64($0) }
        summary.prints = Array(repeating: 0, count: 30)
        return summary
    }()

    static func tenantRow(_ slug: String, _ name: String, used: Int64 = 40, alarms: Value = .none) -> ConsolePage.Row {
        ConsolePage.Row(
            key: slug,
            tenant: slug,
            [
                .text(slug), .text(name), .word("active", .good), .rate(1.24), .count(22, atMost: 1_000),
                .count(1_000, atMost: 1_000), .count(0, atMost: 1_000), .bar(used: used, limit: 100, name: "drawings"),
                alarms, ago(86_400 * 40),
            ]
        )
    }

    static let tenants = ConsolePage(
        [
            tenantRow("arasaebom", "아라새봄 어린이집 👩‍👩‍👧 그림반", used: 99),
            tenantRow("chillin", "Chillin 칠린", used: 85, alarms: .word("printer", .alarm)),
            tenantRow("evil", "evil\u{1B}[31m\nname\u{202E} gnp.exe", used: 0),
            tenantRow("jamo", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF} e\u{301}", used: 120),
        ],
        next: "jamo",
        summary: summary
    )

    static let users = ConsolePage(
        [
            ConsolePage.Row(
                key: "188461223849985",
                tenant: "chillin",
                name: "김지우 (188461223849985)",
                [
                    .text("188461223849985"), .word("active", .good), .text("지우 김"), .text("jiwoo@example.org"),
                    .count(2, atMost: 1_000), .count(17, atMost: 1_000), ago(420),
                ]
            ),
            ConsolePage.Row(
                key: "188460609449986",
                tenant: "chillin",
                name: "Ann Miller (188460609449986)",
                [
                    .text("188460609449986"), .word("banned", .alarm), .text("Ann Miller"), .none,
                    .count(0, atMost: 1_000), .count(3, atMost: 1_000), ago(7_200),
                ]
            ),
        ]
    )

    static let printers = ConsolePage([
        ConsolePage.Row(
            key: "교실 프린터",
            tenant: "chillin",
            [
                .text("교실 프린터"), .word("enabled", .good), .word("stopped", .alarm), .word("empty", .alarm),
                .word("low", .warning), .count(41, atMost: 1_000), .text("media-empty-error marker-supply-low"),
                ago(40),
            ]
        ),
        ConsolePage.Row(
            key: "Hallway",
            tenant: "chillin",
            [
                .text("Hallway"), .word("disabled", .warning), .word("idle", .good), .word("ok", .good),
                .word("ok", .good), .count(0, atMost: 1_000), .none, ago(4),
            ]
        ),
    ])

    /// A red and blue check, three pixels a field.
    static let picture = Picture(
        width: 12,
        height: 12,
        bytes: (0..<144).flatMap { index -> [UInt8] in
            (index % 12 / 3 + index / 12 / 3) % 2 == 0 ? [200, 20, 20] : [240, 240, 255]
        }
    )

    static let production = ConsoleContext(name: "production", colour: 1)

    static func model(
        _ width: Int = 80,
        _ height: Int = 24,
        _ ability: TerminalAbility = fine,
        isReadOnly: Bool = false,
        context: ConsoleContext? = nil
    ) -> ConsoleModel {
        let settings = ConsoleModel.Settings(label: "chiladmin chil", context: context, isReadOnly: isReadOnly)
        return ConsoleModel(settings, size: ScreenSize(width, height), ability: ability, at: now)
    }
}

/// A console that is driven: keys in, and answers to what it asks.
struct Driver {
    var model: ConsoleModel
    private(set) var asked: [ConsoleRequest] = []

    init(_ model: ConsoleModel) {
        self.model = model
        asked = self.model.begin()
    }

    @discardableResult
    mutating func send(_ event: ConsoleEvent) -> [ConsoleRequest] {
        let requests = model.received(event)
        asked += requests
        return requests
    }

    @discardableResult
    mutating func press(_ keys: Key...) -> [ConsoleRequest] {
        keys.flatMap { send(.input(.key($0))) }
    }

    mutating func type(_ text: String) {
        for character in text { press(.text(character)) }
    }

    /// Answers the page that was asked for last.
    mutating func answer(_ page: ConsolePage) {
        if let token = asked.lastPage?.token { send(.page(token, page)) }
        // The overview asks again for whoever is chosen.
        if let token = model.asked?.token { send(.page(token, page)) }
    }

    mutating func tick(_ seconds: Int64) {
        send(.tick(model.now + .seconds(seconds)))
    }
}

extension [ConsoleRequest] {
    var lastPage: (token: Int, query: PageQuery)? {
        for request in reversed() { if case .page(let token, let query) = request { return (token, query) } }
        return nil
    }
}
