/// Pauses between tries: doubling from 50 ms to 1 s, each with ±50 % jitter so that replicas don't come back in step.
struct Backoff {
    private var milliseconds = Self.first

    mutating func next() -> Duration {
        let pause = Int.random(in: milliseconds / 2...milliseconds * 3 / 2)
        milliseconds = min(milliseconds * 2, Self.last)
        return .milliseconds(pause)
    }

    mutating func reset() {
        milliseconds = Self.first
    }

    private static let first = 50
    private static let last = 1_000
}
