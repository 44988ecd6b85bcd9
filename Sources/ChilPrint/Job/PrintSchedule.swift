import ChilCore

/// When what is tried again. Pure: the same counts give the same delays.
package enum PrintSchedule {
    /// How long a job may wait for its printer, from the moment it is asked for.
    package static let lifetime = Duration.seconds(3 * 86_400)
    /// How long the printer is asked what became of a page whose answer was lost.
    package static let verifyingMax = Duration.seconds(15 * 60)
    /// How long a printer is asked that does not list a job whose page may have reached it.
    package static let tracingMax = Duration.seconds(30)
    /// How long a printer is left alone that may hold half of a page: until it has noticed that no more comes.
    package static let settling = Duration.seconds(3)
    /// How long a cancelation is pursued beyond the deadline.
    package static let cancelingMax = Duration.seconds(10 * 60)
    /// Polls that fail one after the other before a job is called blocked: a single lost answer is nothing.
    package static let failuresUntilOffline = 2

    private static let retrySeconds: [Int64] = [1, 1, 2, 3, 5, 8, 13, 21, 34, 60, 120, 300]
    private static let pollSeconds: [Int64] = [1, 1, 2, 2, 3, 3, 5, 5, 8, 10]

    /// The wait after the `failures`-th failure in a row, counted from 1.
    package static func retryDelay(failures: Int) -> Duration {
        .seconds(retrySeconds[min(max(failures, 1), retrySeconds.count) - 1])
    }

    /// The wait before the next poll, after `polls` of them: a page takes seconds, a queue minutes.
    package static func pollDelay(polls: Int) -> Duration {
        .seconds(pollSeconds[min(max(polls, 0), pollSeconds.count - 1)])
    }
}
