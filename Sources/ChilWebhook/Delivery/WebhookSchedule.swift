/// When a delivery is tried again, and for how long an endpoint that is down is left alone.
package enum WebhookSchedule {
    /// After the first attempt, the second, … (Standard Webhooks, "Retries"): three days and a half together.
    package static let pauses: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1_800), .seconds(7_200), .seconds(18_000), .seconds(36_000),
        .seconds(50_400),
        .seconds(72_000), .seconds(86_400),
    ]
    /// What failed so often is dead.
    package static let attemptsMax = pauses.count + 1

    private static let outageFirst = Duration.seconds(5)
    private static let outageLongest = Duration.seconds(300)
    /// An endpoint that answers, though not well.
    package static let refusalPause = Duration.seconds(1)

    /// - Parameters:
    ///   - failures: so far, from 1.
    ///   - jitter: from 0 to 1, so that what failed together does not come together again: up to a fifth more.
    /// - Returns: nil: no more.
    package static func pause(after failures: Int, jitter: Double) -> Duration? {
        guard failures >= 1, failures <= pauses.count else { return nil }
        return pauses[failures - 1] * (1 + jitter / 5)
    }

    /// - Parameter failures: of the endpoint in a row before this one.
    package static func outagePause(after failures: Int) -> Duration {
        min(outageFirst * (1 << min(max(failures, 0), 6)), outageLongest)
    }
}
