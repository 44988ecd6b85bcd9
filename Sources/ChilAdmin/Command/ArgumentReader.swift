/// Hands the words of a command line to a command: by place in order, by flag in any order.
///
/// All words are sorted out before the first is read, so a misspelt flag is an error even where another word is missing too.
/// Flags may stand anywhere; `--` ends them; names are never abbreviated. A value may begin with one dash but not with two:
/// then it is written `--flag=--value`.
struct ArgumentReader {
    private let guide: CommandGuide
    private var arguments: ArraySlice<String>
    private var values: [String: [String]]
    private var toggles: Set<String>
    private var argumentsRead = 0

    /// - Throws: `UsageError` for an unknown flag, a flag without its value, a value for a switch, or a flag given twice.
    init(_ words: [String], guide: CommandGuide) throws(UsageError) {
        let sorted = try SortedWords(words, flags: guide.flags + GlobalFlags.all, helpName: guide.name)
        self.guide = guide
        arguments = sorted.arguments[...]
        values = sorted.values
        toggles = sorted.toggles
    }

    /// The next word by place; the guide's argument of that place names it in the error.
    mutating func next<Value: ArgumentValue>(as type: Value.Type = Value.self) throws(UsageError) -> Value {
        let name = argumentsRead < guide.arguments.count ? guide.arguments[argumentsRead].name : "a word"
        argumentsRead += 1
        guard let word = arguments.popFirst() else { throw missing(name) }
        return try Self.read(word, name)
    }

    /// As `next`, where the word may be left out.
    mutating func optionalNext<Value: ArgumentValue>() throws(UsageError) -> Value? {
        arguments.isEmpty ? nil : try next()
    }

    /// The value of a flag that must be there.
    mutating func required<Value: ArgumentValue>(_ flag: String) throws(UsageError) -> Value {
        guard let value: Value = try optional(flag) else { throw missing(flag) }
        return value
    }

    mutating func optional<Value: ArgumentValue>(_ flag: String) throws(UsageError) -> Value? {
        guard let word = values.removeValue(forKey: flag)?.first else { return nil }
        return try Self.read(word, flag)
    }

    /// All values of a flag that may repeat, in the order given; empty if it is not there.
    mutating func all<Value: ArgumentValue>(_ flag: String) throws(UsageError) -> [Value] {
        var read: [Value] = []
        for word in values.removeValue(forKey: flag) ?? [] {
            read.append(try Self.read(word, flag))
        }
        return read
    }

    /// As `all`, but at least one.
    mutating func atLeastOne<Value: ArgumentValue>(_ flag: String) throws(UsageError) -> [Value] {
        let read: [Value] = try all(flag)
        guard !read.isEmpty else { throw missing(flag) }
        return read
    }

    mutating func isSet(_ toggle: String) -> Bool {
        toggles.remove(toggle) != nil
    }

    /// To be called when everything was read: a word too many is an error.
    func finish() throws(UsageError) {
        guard let word = arguments.first else { return }
        throw UsageError("'\(word)' is one word too many", hint: "Usage: \(guide.usage)")
    }

    private func missing(_ name: String) -> UsageError {
        UsageError("\(name) is missing", hint: "Usage: \(guide.usage)")
    }

    private static func read<Value: ArgumentValue>(_ word: String, _ name: String) throws(UsageError) -> Value {
        guard let value = Value(argument: word) else {
            throw UsageError("\(name): \(Value.complaint(about: word))", hint: Value.hint(about: word))
        }
        return value
    }
}
