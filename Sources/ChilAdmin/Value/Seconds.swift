/// A length in whole seconds, negative ones too: a token that expired before it was made is a test's input.
struct Seconds: ArgumentValue, Equatable, Sendable {
    static let magnitudeMax: Int64 = 3_155_760_000
    static let expectation = "a whole number of seconds within a century"

    let count: Int64

    init(_ count: Int64) { self.count = count }

    init?(argument: String) {
        guard let count = Int64(argument: argument), count.magnitude <= Self.magnitudeMax else { return nil }
        self.count = count
    }
}
