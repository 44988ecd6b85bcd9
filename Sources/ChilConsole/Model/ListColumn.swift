/// A column of a list.
struct ListColumn: Sendable {
    let title: String
    let widthMin: Int
    /// Of what is left over, so many parts.
    let share: Int
    let isTrailing: Bool
    /// Where there is little room, the highest goes first; 0 stays.
    let rank: Int
    /// The key that sorts by it, with Shift.
    let letter: Character

    init(_ title: String, _ widthMin: Int, share: Int = 0, trailing: Bool = false, rank: Int = 0, _ letter: Character) {
        self.title = title
        self.widthMin = widthMin
        self.share = share
        isTrailing = trailing
        self.rank = rank
        self.letter = letter
    }

    static func all(of noun: Noun) -> [ListColumn] {
        switch noun {
        case .overview, .tenants:
            [
                ListColumn("TENANT", 14, share: 2, "T"), ListColumn("NAME", 10, share: 3, rank: 8, "N"),
                ListColumn("STATE", 9, rank: 3, "S"), ListColumn("REQ/S", 6, trailing: true, rank: 1, "R"),
                ListColumn("SIGN-INS", 8, trailing: true, rank: 5, "I"),
                ListColumn("DRAWN", 6, trailing: true, rank: 4, "D"),
                ListColumn("JOBS", 5, trailing: true, rank: 2, "J"),
                ListColumn("QUOTA", 14, share: 1, rank: 6, "Q"), ListColumn("ALARMS", 9, share: 3, rank: 7, "A"),
                ListColumn("AGE", 4, trailing: true, rank: 9, "G"),
            ]
        case .users:
            [
                ListColumn("USER", 16, "U"), ListColumn("STATE", 6, "S"), ListColumn("NAME", 10, share: 2, "N"),
                ListColumn("EMAIL", 12, share: 3, rank: 5, "E"),
                ListColumn("DEVICES", 7, trailing: true, rank: 3, "V"),
                ListColumn("DRAWN", 6, trailing: true, rank: 4, "D"),
                ListColumn("AGE", 4, trailing: true, rank: 6, "G"),
            ]
        case .sessions:
            [
                ListColumn("SESSION", 16, "I"), ListColumn("USER", 16, rank: 3, "U"),
                ListColumn("DEVICE", 10, share: 2, "D"), ListColumn("ADDRESS", 12, share: 1, rank: 5, "A"),
                ListColumn("STATE", 8, "S"), ListColumn("USED", 5, trailing: true, rank: 2, "E"),
                ListColumn("AGE", 4, trailing: true, rank: 4, "G"),
            ]
        case .drawings:
            [
                ListColumn("DRAWING", 16, "D"), ListColumn("TITLE", 12, share: 3, "T"),
                ListColumn("KIND", 9, rank: 5, "K"), ListColumn("STATUS", 7, "S"),
                ListColumn("SIZE", 9, trailing: true, rank: 8, "Z"),
                ListColumn("BYTES", 7, trailing: true, rank: 7, "B"),
                ListColumn("OWNER", 16, rank: 9, "O"), ListColumn("AGE", 4, trailing: true, rank: 4, "G"),
            ]
        case .printers:
            [
                ListColumn("PRINTER", 12, share: 2, "P"), ListColumn("STATE", 8, "S"),
                ListColumn("LIVE", 11, rank: 3, "L"), ListColumn("PAPER", 6, "A"), ListColumn("INK", 6, "I"),
                ListColumn("WAITING", 7, trailing: true, rank: 4, "W"),
                ListColumn("REASONS", 10, share: 3, rank: 9, "R"), ListColumn("SEEN", 4, trailing: true, rank: 8, "E"),
            ]
        case .jobs:
            [
                ListColumn("JOB", 16, "J"), ListColumn("STATE", 14, "S"),
                ListColumn("REASON", 10, share: 2, rank: 8, "R"), ListColumn("PRINTER", 10, share: 1, rank: 3, "P"),
                ListColumn("USER", 16, rank: 9, "U"), ListColumn("COPIES", 6, trailing: true, rank: 10, "C"),
                ListColumn("AGE", 4, trailing: true, rank: 4, "G"),
            ]
        case .queue:
            [
                ListColumn("TENANT", 14, share: 1, "T"), ListColumn("KIND", 8, "K"),
                ListColumn("SUBJECT", 16, rank: 6, "S"), ListColumn("DUE", 8, trailing: true, "D"),
                ListColumn("TRIES", 5, trailing: true, rank: 2, "R"),
                ListColumn("TAKEN BY", 12, share: 2, rank: 5, "B"),
            ]
        case .audit:
            [
                ListColumn("AT", 8, "A"), ListColumn("WHO", 12, share: 1, "W"), ListColumn("ACTION", 14, share: 1, "C"),
                ListColumn("TARGET", 10, share: 1, rank: 1, "T"), ListColumn("DETAIL", 10, share: 2, rank: 2, "D"),
            ]
        case .services:
            [
                ListColumn("REPLICA", 14, share: 2, "R"), ListColumn("RELEASE", 8, "E"),
                ListColumn("ROLES", 10, rank: 9, "O"), ListColumn("LOOPS", 5, trailing: true, rank: 8, "L"),
                ListColumn("REQ/S", 7, trailing: true, "Q"), ListColumn("LOAD", 10, rank: 3, "D"),
                ListColumn("MEMORY", 8, trailing: true, rank: 7, "M"),
                ListColumn("UP", 4, trailing: true, rank: 6, "U"),
                ListColumn("SEEN", 4, trailing: true, "S"),
            ]
        case .database:
            [ListColumn("WHAT", 22, "W"), ListColumn("IS", 14, share: 1, "I")]
        }
    }

    /// Which have room, each with its place and width.
    static func laid(_ columns: [ListColumn], in width: Int) -> [(index: Int, x: Int, width: Int)] {
        var kept = Array(columns.indices)
        func needed() -> Int { kept.reduce(max(0, kept.count - 1)) { $0 + columns[$1].widthMin } }
        while needed() > width, kept.count > 1 {
            guard let worst = kept.max(by: { columns[$0].rank < columns[$1].rank }), columns[worst].rank > 0 else {
                break
            }
            kept.removeAll { $0 == worst }
        }
        let shares = kept.reduce(0) { $0 + columns[$1].share }
        let spare = max(0, width - needed())
        var x = 0
        return kept.map { index in
            let wide = columns[index].widthMin + (shares == 0 ? 0 : spare * columns[index].share / shares)
            defer { x += wide + 1 }
            return (index, x, min(wide, max(0, width - x)))
        }
    }
}
