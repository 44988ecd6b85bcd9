/// How far something is, in one line of a terminal.
struct ProgressLine: Equatable, Sendable {
    let what: String
    let done: Int64
    /// `nil`: nobody knows.
    let total: Int64?
    /// Of what it is so much: `tenants`.
    let unit: String
    let milliseconds: Int64

    private static let barMin = 10
    private static let barMax = 30

    /// For a terminal: never wider than that.
    func text(columns: Int, isUTF8: Bool) -> String {
        let name = CleanText.clean(what), numbers = self.numbers
        let room = columns - DisplayWidth.of(name) - DisplayWidth.of(numbers) - 4
        guard let part, room >= Self.barMin else { return DisplayWidth.cut("\(name)  \(numbers)", to: max(0, columns)) }
        let bar = min(Self.barMax, room), full = Int(part * Double(bar))
        let (on, off) = isUTF8 ? ("█", "░") : ("#", ".")
        return "\(name)  " + String(repeating: on, count: full) + String(repeating: off, count: bar - full)
            + "  \(numbers)"
    }

    /// For a log.
    var plain: String { "\(CleanText.clean(what)): \(numbers)" }

    /// From 0 to 1.
    private var part: Double? {
        guard let total else { return nil }
        return total <= 0 ? 1 : min(1, max(0, Double(done) / Double(total)))
    }

    private var numbers: String {
        guard let total, let part else { return "\(SevereAct.grouped(done)) \(unit)" }
        let percent = Int(part * 100)
        return "\(SevereAct.grouped(done)) of \(SevereAct.grouped(total)) \(unit), \(percent) %\(left(part))"
    }

    /// How long it will take, if it goes on so.
    private func left(_ part: Double) -> String {
        guard part > 0.02, part < 1, milliseconds >= 2_000 else { return "" }
        let seconds = Int64(min(Double(milliseconds) / part * (1 - part) / 1_000, 359_999)) + 1
        if seconds < 60 { return ", \(seconds) s left" }
        return seconds < 3_600 ? ", \(seconds / 60) min left" : ", \(seconds / 3_600) h left"
    }
}
