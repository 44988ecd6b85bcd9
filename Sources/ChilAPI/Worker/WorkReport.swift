import ChilCore
import ChilStore

/// What a worker says of itself in the log every few minutes: what became of the prints that it carried, and how far the queue is behind.
/// Not `Sendable`: it lives on the worker's loop.
final class WorkReport {
    static let interval = Duration.seconds(300)

    /// When all tenants were last swept.
    var sweptAt: Timestamp?
    private var ended: [PrintJobState: Int64] = [:]
    private var reasons: [String: Int64] = [:]
    /// From asking to the end, of those that were printed. Bounded: of many, those that came last.
    private var lengths: [Int64] = []

    private static let lengthsMax = 10_000
    private static let reasonsMax = 20

    /// A print has come to its end.
    func ended(_ state: PrintJobState, _ reason: String?, askedAt: Timestamp, at now: Timestamp) {
        ended[state, default: 0] += 1
        if let reason, reasons.count < Self.reasonsMax || reasons[reason] != nil { reasons[reason, default: 0] += 1 }
        guard state == .completed else { return }
        if lengths.count >= Self.lengthsMax { lengths.removeFirst(Self.lengthsMax / 2) }
        lengths.append(max(0, (now - askedAt).wholeMicroseconds / 1_000))
    }

    /// The line's fields, and from here on anew; `nil`: there is nothing to say.
    func take(due: Int64, ageSeconds: Int64) -> [(StaticString, String)]? {
        guard due > 0 || !ended.isEmpty else { return nil }
        var fields: [(StaticString, String)] = [("due", "\(due)"), ("oldestDueSeconds", "\(ageSeconds)")]
        for (state, name) in Self.names {
            if let count = ended[state] { fields.append((name, "\(count)")) }
        }
        if !reasons.isEmpty {
            let texts = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key)=\($0.value)" }
            fields.append(("reasons", texts.joined(separator: " ")))
        }
        if !lengths.isEmpty {
            let sorted = lengths.sorted()
            fields.append(("printMedianMs", "\(sorted[(sorted.count * 50 + 99) / 100 - 1])"))
            fields.append(("print95Ms", "\(sorted[(sorted.count * 95 + 99) / 100 - 1])"))
        }
        (ended, reasons, lengths) = ([:], [:], [])
        return fields
    }

    private static let names: [(PrintJobState, StaticString)] = [
        (.completed, "completed"), (.failed, "failed"), (.canceled, "canceled"), (.expired, "expired"),
        (.outcomeUnknown, "outcomeUnknown"),
    ]
}
