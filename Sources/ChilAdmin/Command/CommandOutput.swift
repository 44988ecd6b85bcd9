/// Which members a command's answer has: for `--field`, the documentation and completion.
struct CommandOutput: Equatable, Sendable {
    /// In the order of JSON.
    let fields: [String]
    /// Those of a table.
    let listed: [String]
    /// What `-o name` writes.
    let name: String

    init<Row: ListingRow>(_ row: Row.Type) {
        fields = Row.columns.map(\.key)
        listed = Row.columns.filter(\.isListed).map(\.key)
        name = Row.nameKey
    }

    /// `slug,name`, given once or several times, as `gh --json` takes them.
    func chosen(_ words: [String], with format: OutputFormat) throws(UsageError) -> [String] {
        let chosen = words.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        for field in chosen where !fields.contains(field) {
            let others = fields.isEmpty ? "It has no members." : "It has \(fields.joined(separator: ", "))."
            throw .unknown("field", field, known: fields, otherwise: others)
        }
        guard format != .name || chosen.isEmpty else {
            throw UsageError("--field and -o name are given together", hint: "-o name is --field \(name) --no-headers.")
        }
        return chosen
    }
}
