/// One column of a table and one member of a JSON object: both are made from the same value.
struct Column<Row: Sendable>: Sendable {
    /// The JSON member; published, never renamed. The table's heading is made from it: `createdAt` is `CREATED AT`.
    let key: String
    /// Long or rarely wanted values are left out of lists; `-o wide`, `show` and JSON have them.
    let isListed: Bool
    let value: @Sendable (Row) -> Field

    init(_ key: String, listed: Bool = true, _ value: @escaping @Sendable (Row) -> Field) {
        self.key = key
        isListed = listed
        self.value = value
    }

    var heading: String {
        var heading = ""
        for letter in key.unicodeScalars {
            if letter.properties.isUppercase { heading.append(" ") }
            heading += letter.properties.uppercaseMapping
        }
        return heading
    }

    /// A time, by its name: `at`, `createdAt`, `pausedUntil`.
    var isMoment: Bool { key == "at" || key.hasSuffix("At") || key.hasSuffix("Until") }

    /// Whether a terminal that is too narrow may get less of it: never of a time, nor of what is typed again.
    var mayBeCut: Bool { !isMoment && !Self.typedAgain.contains(key) }

    /// What to do next: a sentence that is worth nothing when half of it is cut.
    var isAdvice: Bool { key == "remedy" }

    private static var typedAgain: Set<String> {
        [
            "slug", "tenant", "printer", "scanner", "plan", "clientId", "keyId", "token", "secret", "code", "key",
            "certificate", "cursor", "head", "uuid", "state", "status", "action", "event", "metric", "scope", "window",
            "class", "kind", "method", "level", "step", "outcome", "path", "serial", "recipe", "context",
        ]
    }
}
