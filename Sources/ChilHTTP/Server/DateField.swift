import ChilCore

/// The Date field's value, written anew once a second (RFC 9110 §5.6.7).
struct DateField {
    private(set) var bytes: [UInt8] = []
    private var second: Int64 = -1

    mutating func update(at now: Timestamp) {
        guard now.seconds != second else { return }
        second = now.seconds
        bytes = HTTPDate.format(now)
    }
}
