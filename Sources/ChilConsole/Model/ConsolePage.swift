package import ChilCore

/// What is good, what is not: in words and colours.
package enum Tone: Sendable { case plain, dim, good, warning, alarm }

/// What stands in a cell of a list.
package enum Value: Equatable, Sendable {
    case none
    case text(String)
    case word(String, Tone)
    case number(Int64)
    /// So many or more: what is counted is bounded.
    case count(Int64, atMost: Int64)
    case bytes(Int64)
    /// How long ago.
    case age(Timestamp)
    /// Used, of how much, and of what.
    case bar(used: Int64, limit: Int64, name: String)
    /// In a second.
    case rate(Double)

    package static func optional(_ text: String?) -> Value {
        if let text { .text(text) } else { .none }
    }

    package static func number(_ number: Int32) -> Value { .number(Int64(number)) }
}

/// A page of a list: no more rows than there is room for.
package struct ConsolePage: Equatable, Sendable {
    package struct Row: Equatable, Sendable {
        package let key: String
        /// Whose it is, where the list is of several tenants.
        package let tenant: String?
        /// For dialogs.
        package let name: String
        /// In the order of the columns.
        package let values: [Value]
        /// Where Enter leads beside the key: the user of a session.
        package let user: String?

        package init(
            key: String,
            tenant: String? = nil,
            name: String? = nil,
            user: String? = nil,
            _ values: [Value]
        ) {
            self.key = key
            self.tenant = tenant
            self.name = name ?? key
            self.user = user
            self.values = values
        }
    }

    package var rows: [Row]
    /// Where the next page begins; `nil`: there is none.
    package var next: String?
    /// How far was looked, where that is not all.
    package var note: String?
    package var summary: Summary?

    package init(_ rows: [Row], next: String? = nil, note: String? = nil, summary: Summary? = nil) {
        self.rows = rows
        self.next = next
        self.note = note
        self.summary = summary
    }
}

/// What the overview says above its list.
package struct Summary: Equatable, Sendable {
    package var tenants: Int64 = 0
    package var suspended: Int64 = 0
    package var services: Int64 = 0
    /// What they run, each once.
    package var releases: [String] = []
    package var requestsPerSecond = 0.0
    /// Of all services, by the minute, the last hour.
    package var requests: [Int64] = []
    package var queueDue: Int64 = 0
    package var queueAge: Int64 = 0
    package var connections: Int64 = 0
    package var connectionsMax: Int64 = 0
    package var databaseBytes: Int64 = 0
    package var alarms: [String] = []
    /// Of the row that is chosen.
    package var tenant: String?
    package var signIns: [Int64] = []
    package var drawings: [Int64] = []
    package var prints: [Int64] = []

    package init() {}
}

/// Which page.
package struct PageQuery: Equatable, Sendable {
    package let place: Place
    /// Where the page before ended, as it said.
    package let after: String?
    package let countMax: Int
    package let filter: String
    /// The row that is chosen.
    package let chosen: String?

    package init(_ place: Place, after: String? = nil, countMax: Int, filter: String = "", chosen: String? = nil) {
        self.place = place
        self.after = after
        self.countMax = countMax
        self.filter = filter
        self.chosen = chosen
    }
}

/// A line of a description: a name and its value, or text alone.
package struct DetailLine: Equatable, Sendable {
    package let name: String
    package let text: String

    package init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }
}
