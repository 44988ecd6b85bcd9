/// When the revocation of a provider's token is tried again: soon at first, then once an hour, for a day.
enum RevocationSchedule {
    /// After so many failures it is given up: the pauses below are 24 hours at most together.
    static let failuresMax = 32

    private static let first = Duration.seconds(10)
    private static let longest = Duration.seconds(3_600)

    /// - Parameters:
    ///   - failures: so far, from 1.
    ///   - jitter: from 0 to 1, so that what failed together does not come together again: the pause is between half of it and all.
    /// - Returns: nil: no more.
    static func pause(after failures: Int, jitter: Double) -> Duration? {
        guard failures < failuresMax else { return nil }
        let doublings = min(max(failures - 1, 0), 16)
        let full = min(first * (1 << doublings), longest)
        return full / 2 + full * jitter / 2
    }
}
