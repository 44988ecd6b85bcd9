/// What a command is called, takes and is for: the reader of its words and its help are both made from this.
struct CommandGuide: Sendable {
    /// A word that is given by its place.
    struct Argument: Sendable {
        /// In capitals, as the usage line shows it.
        let name: String
        let summary: String
    }

    /// A word that is given by name, `--name value` or `--name=value`; without a placeholder it is a switch.
    struct Flag: Sendable {
        enum Need: Sendable { case optional, required }

        let name: String
        let placeholder: String?
        let need: Need
        let mayRepeat: Bool
        let summary: String

        static func flag(_ name: String, _ placeholder: String, repeats: Bool = false, _ summary: String) -> Self {
            Self(name: name, placeholder: placeholder, need: .optional, mayRepeat: repeats, summary: summary)
        }

        static func required(_ name: String, _ placeholder: String, repeats: Bool = false, _ summary: String) -> Self {
            Self(name: name, placeholder: placeholder, need: .required, mayRepeat: repeats, summary: summary)
        }

        static func toggle(_ name: String, _ summary: String) -> Self {
            Self(name: name, placeholder: nil, need: .optional, mayRepeat: false, summary: summary)
        }
    }

    /// One command line, and what it does.
    struct Example: Sendable {
        let line: String
        let does: String

        init(_ line: String, _ does: String) {
            self.line = line
            self.does = does
        }
    }

    /// Noun and verb; `migrate` is a verb alone.
    let path: [String]
    let summary: String
    let examples: [Example]
    var arguments: [Argument] = []
    var flags: [Flag] = []
    /// Sentences that end the page: limits, what it touches, what it does not.
    var remarks: [String] = []

    var name: String { path.joined(separator: " ") }

    /// `chiladmin tenant create SLUG [--name NAME]`
    var usage: String {
        var words = ["chiladmin"] + path + arguments.map(\.name)
        for flag in flags {
            let repeats = flag.mayRepeat ? "…" : ""
            let text = flag.placeholder.map { "\(flag.name) \($0)\(repeats)" } ?? flag.name
            words.append(flag.need == .required ? text : "[\(text)]")
        }
        return words.joined(separator: " ")
    }
}
