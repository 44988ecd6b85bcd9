/// The page behind `?`.
enum HelpText {
    static func lines(isReadOnly: Bool) -> [DetailLine] {
        let moving: [(String, String)] = [
            ("up down j k", "a row up or down; at the end the next page comes"),
            ("PgUp PgDn ^B ^F", "a page up or down"),
            ("g G Home End", "the first page; the last row"),
            ("Enter", "into: tenants, users, sessions, drawings, picture; printers, jobs"),
            ("Esc", "unmark, then forget the filter, then back"),
            ("1 2 3 4 5 6", "users, sessions, drawings, printers, jobs, audit of the tenant"),
            (":", "a list by name, :users SLUG; Tab completes, :q quits"),
            ("/", "only rows with this text; of tenants slug and name, of users name and address"),
        ]
        let looking: [(String, String)] = [
            ("d", "describe"), ("y", "the same as JSON"), ("Space", "mark: what is done is done to all marked"),
            ("Shift + letter", "sort this page by the column with the underlined letter; again: the other way"),
            ("^R ^L", "ask again now; paint anew"), ("^Z", "to the shell; fg comes back"),
            ("q ^C", "quit"),
        ]
        var lines = (moving + looking).map { DetailLine($0.0, $0.1) }
        guard !isReadOnly else {
            return lines + [DetailLine("", ""), DetailLine("", "This console is read-only: nothing is changed.")]
        }
        lines.append(DetailLine("", ""))
        for act in Act.allCases {
            let severe = act.isSevere ? " (the slug is to be typed)" : ""
            lines.append(DetailLine("\(act.noun.rawValue): \(act.key.label)", act.word + severe))
        }
        return lines
    }
}

extension Key {
    /// As hints name it.
    var label: String {
        switch self {
        case .text(let character): String(character)
        case .control(let letter): "^" + String(letter).uppercased()
        default: ""
        }
    }
}
