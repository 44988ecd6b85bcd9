import ChilCore

/// A value as the text of a cell.
enum ValueText {
    static func of(_ value: Value, at now: Timestamp) -> (text: String, tone: Tone) {
        switch value {
        case .none: ("-", .dim)
        case .text(let text): (text, .plain)
        case .word(let word, let tone): (word, tone)
        case .number(let number): (String(number), number == 0 ? .dim : .plain)
        case .count(let number, let most): (number >= most ? "\(most)+" : String(number), number == 0 ? .dim : .plain)
        case .bytes(let count): (bytes(count), .plain)
        case .age(let moment): (age(of: moment, at: now), .plain)
        case .bar(let used, let limit, _): (percent(used, limit), tone(used, limit))
        case .rate(let rate): (self.rate(rate), rate == 0 ? .dim : .plain)
        }
    }

    static func tone(_ used: Int64, _ limit: Int64) -> Tone {
        let share = limit <= 0 ? 1 : Double(used) / Double(limit)
        return share >= 0.95 ? .alarm : share >= 0.8 ? .warning : .good
    }

    static func percent(_ used: Int64, _ limit: Int64) -> String {
        guard limit > 0 else { return used > 0 ? "full" : "0%" }
        let percent = Double(used) / Double(limit) * 100
        return percent > 999 ? ">999%" : "\(Int(percent))%"
    }

    static func rate(_ rate: Double) -> String {
        guard rate > 0 else { return "0" }
        guard rate < 10 else { return String(Int(rate + 0.5)) }
        let tenths = Int(rate * 10 + 0.5)
        return tenths == 0 ? "<0.1" : "\(tenths / 10).\(tenths % 10)"
    }

    static func bytes(_ count: Int64) -> String {
        var (value, unit) = (count, 0)
        while value >= 10_000, unit < units.count - 1 {
            value /= 1_024
            unit += 1
        }
        return "\(value)\(units[unit])"
    }

    private static let units = ["B", "K", "M", "G", "T"]

    /// In four cells at most.
    static func age(of moment: Timestamp, at now: Timestamp) -> String {
        let seconds = now.seconds - moment.seconds
        let ahead = seconds < 0 ? "+" : ""
        switch abs(seconds) {
        case 0..<100: return ahead + "\(abs(seconds))s"
        case 100..<6_000: return ahead + "\(abs(seconds) / 60)m"
        case 6_000..<172_800: return ahead + "\(abs(seconds) / 3_600)h"
        case 172_800..<86_400_000: return ahead + "\(abs(seconds) / 86_400)d"
        default: return ">2y"
        }
    }
}

extension Tone {
    var ink: Ink {
        switch self {
        case .plain: .plain
        case .dim: .dim
        case .good: .good
        case .warning: .warning
        case .alarm: .alarm
        }
    }
}
