/// Values by text, the oldest forgotten when there are too many: an issuer that runs for weeks stays small.
struct BoundedTable<Value: Sendable>: Sendable {
    private var values: [String: Value] = [:]
    private var order: [String] = []
    private var first = 0
    private let countMax: Int

    init(countMax: Int) {
        self.countMax = countMax
    }

    subscript(_ key: String) -> Value? { values[key] }

    /// A key is a fresh secret, so it is never there already.
    mutating func add(_ value: Value, for key: String) {
        values[key] = value
        order.append(key)
        guard order.count - first > countMax else { return }
        values[order[first]] = nil
        first += 1
        if first > countMax {
            order.removeFirst(first)
            first = 0
        }
    }

    /// Changes a value that is there.
    mutating func change(_ key: String, _ change: (inout Value) -> Void) {
        guard var value = values[key] else { return }
        change(&value)
        values[key] = value
    }

    mutating func removeAll(where isOver: (Value) -> Bool) {
        for (key, value) in values where isOver(value) { values[key] = nil }
    }

    var all: [Value] { order[first...].compactMap { values[$0] } }
}
