import ChilCore

/// One list, and where one is in it.
struct Pane: Equatable, Sendable {
    struct Order: Equatable, Sendable {
        let column: Int
        var isDescending: Bool
    }

    let place: Place
    private(set) var page: ConsolePage?
    /// When the page was answered.
    private(set) var at: Timestamp?
    var chosen = 0
    /// The names of marked rows, by key.
    var marks: [String: String] = [:]
    var filter = ""
    var order: Order?
    /// Where this page begins, and those before it.
    private(set) var after: String?
    private var before: [String?] = []
    /// Once the page has come: its last row is to be chosen.
    private var wantsLast = false

    init(_ place: Place) {
        self.place = place
    }

    /// In the order that was asked for: of this page, which is what is known.
    var rows: [ConsolePage.Row] {
        guard let rows = page?.rows else { return [] }
        guard let order, rows.allSatisfy({ $0.values.indices.contains(order.column) }) else { return rows }
        return rows.enumerated().sorted { left, right in
            let (a, b) = (left.element.values[order.column], right.element.values[order.column])
            if a.comes(before: b) { return !order.isDescending }
            if b.comes(before: a) { return order.isDescending }
            return left.offset < right.offset
        }.map(\.element)
    }

    var chosenRow: ConsolePage.Row? {
        let rows = rows
        return rows.indices.contains(chosen) ? rows[chosen] : nil
    }

    var pageNumber: Int { before.count + 1 }

    mutating func received(_ new: ConsolePage, at now: Timestamp) {
        let key = chosenRow?.key
        page = new
        at = now
        if wantsLast {
            chosen = new.rows.count - 1
        } else if let key, let index = rows.firstIndex(where: { $0.key == key }) {
            chosen = index
        }
        wantsLast = false
        chosen = max(0, min(chosen, new.rows.count - 1))
    }

    /// Whether another page is to be asked for.
    mutating func move(by step: Int) -> Bool {
        let count = page?.rows.count ?? 0
        if chosen + step >= count, chosen >= count - 1 { return step > 0 && turn() }
        if chosen + step < 0, chosen == 0 { return step < 0 && turnBack() }
        chosen = max(0, min(count - 1, chosen + step))
        return false
    }

    private mutating func turn() -> Bool {
        guard let next = page?.next else { return false }
        before.append(after)
        after = next
        chosen = 0
        page?.rows = []
        page?.next = nil
        return true
    }

    private mutating func turnBack() -> Bool {
        guard let earlier = before.popLast() else { return false }
        after = earlier
        page?.rows = []
        page?.next = nil
        wantsLast = true
        return true
    }

    /// To the first page; true if that is to be asked for.
    mutating func rewind() -> Bool {
        chosen = 0
        guard after != nil else { return false }
        after = nil
        before = []
        return true
    }

    mutating func search(_ text: String) {
        filter = text
        _ = rewind()
        page?.next = nil
    }

    mutating func sort(by column: Int) {
        if order?.column == column {
            order?.isDescending.toggle()
        } else {
            // What is much is looked for first, names in their order.
            let isText = rows.first.map { $0.values.indices.contains(column) && $0.values[column].isText } ?? true
            order = Order(column: column, isDescending: !isText)
        }
    }
}

extension Value {
    var isText: Bool {
        switch self {
        case .text, .word, .none: true
        default: false
        }
    }

    func comes(before other: Value) -> Bool {
        switch (weight, other.weight) {
        case (let a?, let b?): a < b
        case (nil, nil): words < other.words
        case (nil, _?): true
        case (_?, nil): false
        }
    }

    private var weight: Double? {
        switch self {
        case .number(let number), .count(let number, _), .bytes(let number): Double(number)
        // The older, the more.
        case .age(let moment): -Double(moment.microseconds)
        case .bar(let used, let limit, _): Double(used) / Double(max(1, limit))
        case .rate(let rate): rate
        case .none, .text, .word: nil
        }
    }

    private var words: String {
        switch self {
        case .text(let text), .word(let text, _): text
        default: ""
        }
    }
}
