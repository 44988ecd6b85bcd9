/// The words of a command line, sorted into arguments, flags with values, and switches.
struct SortedWords {
    private(set) var arguments: [String] = []
    private(set) var values: [String: [String]] = [:]
    private(set) var toggles: Set<String> = []

    init(_ words: [String], flags: [CommandGuide.Flag], helpName: String) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                arguments += rest
                return
            }
            guard word.utf8.first == UInt8(ascii: "-"), word != "-" else {
                arguments.append(word)
                continue
            }
            let (written, attached) = Self.split(word)
            let name = GlobalFlags.shortNames[written] ?? written
            guard let flag = flags.first(where: { $0.name == name }) else {
                throw .unknown(
                    "flag",
                    written,
                    known: flags.map(\.name),
                    otherwise:
                        "`chiladmin \(helpName) --help` shows the flags; a word that begins with - goes after --."
                )
            }
            guard flag.placeholder != nil else {
                try addToggle(name, attached: attached)
                continue
            }
            if attached == nil, rest.first?.utf8.starts(with: "--".utf8) ?? true {
                throw UsageError(
                    "\(name) needs a value: \(name) \(flag.placeholder ?? "")",
                    hint: "A value that begins with -- is written \(name)=--value."
                )
            }
            try addValue(attached ?? rest.removeFirst(), to: flag)
        }
    }

    private mutating func addToggle(_ name: String, attached: String?) throws(UsageError) {
        guard attached == nil else { throw UsageError("\(name) takes no value") }
        guard toggles.insert(name).inserted else { throw UsageError("\(name) is given twice") }
    }

    private mutating func addValue(_ value: String, to flag: CommandGuide.Flag) throws(UsageError) {
        guard flag.mayRepeat || values[flag.name] == nil else { throw UsageError("\(flag.name) is given twice") }
        values[flag.name, default: []].append(value)
    }

    /// By bytes: as characters, `=` and a combining mark after it would be one.
    static func split(_ word: String) -> (name: String, attached: String?) {
        guard let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (word, nil) }
        return (String(word[..<equals]), String(word[word.utf8.index(after: equals)...]))
    }
}
