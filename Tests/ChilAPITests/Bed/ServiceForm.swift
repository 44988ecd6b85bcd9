import Testing

/// How the service talks to PostgreSQL: both forms of a segment, both ways to name statements.
enum ServiceForm: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case implicitNamed = "implicit named"
    case explicitNamed = "explicit named"
    case implicitUnnamed = "implicit unnamed"
    case explicitUnnamed = "explicit unnamed"

    var testDescription: String { rawValue }

    var settings: [String: String] {
        let words = rawValue.split(separator: " ").map(String.init)
        // Two loops where most tests run, one elsewhere: connections are what a cluster has few of.
        return [
            "CHIL_SEGMENT": words[0], "CHIL_STATEMENTS": words[1], "CHIL_LOOPS": self == .implicitNamed ? "2" : "1",
        ]
    }
}
