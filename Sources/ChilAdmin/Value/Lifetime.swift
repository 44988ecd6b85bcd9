/// How long something lives: `600s`, `45m`, `12h`, `30d`.
struct Lifetime: ArgumentValue, Equatable, Sendable {
    static let expectation = "a length such as 600s, 45m, 12h or 30d, of at most 1825d"

    private static let units: [(letter: Character, seconds: Int64)] = [
        ("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400),
    ]
    private static let secondsMax: Int64 = 1_825 * 86_400

    let seconds: Int64

    init(seconds: Int64) { self.seconds = seconds }

    init?(argument: String) {
        guard let unit = Self.units.first(where: { $0.letter == argument.last }),
            let count = Int64(argument: String(argument.dropLast())), count > 0, count <= Self.secondsMax / unit.seconds
        else { return nil }
        seconds = count * unit.seconds
    }

    /// In the largest unit that divides it.
    var text: String {
        let unit = Self.units.last { seconds.isMultiple(of: $0.seconds) } ?? Self.units[0]
        return "\(seconds / unit.seconds)\(unit.letter)"
    }
}
