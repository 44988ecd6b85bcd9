import Foundation

/// How long tests wait for what has to come.
///
/// A wait is a bound, not a pause: on a quiet machine nothing takes that long. Sanitized builds are several times slower, so
/// `scripts/test` lengthens every wait for them by `CHIL_TEST_PATIENCE`, a whole number. What is asserted stays the same.
package enum Patience {
    /// What each wait is multiplied by.
    package static let factor: Int = {
        let given = ProcessInfo.processInfo.environment["CHIL_TEST_PATIENCE"].flatMap { Int($0) } ?? 1
        return max(1, given)
    }()
}

extension Duration {
    /// The most that may pass until something is so: this long, or longer where all is slower.
    package var patient: Duration { self * Patience.factor }
}

/// Asks again and again, up to `patience`, lengthened where all is slower. True when it has become so.
///
/// - Parameter begun: what `patience` counts from.
@discardableResult
package func waitUntil(
    _ patience: Duration,
    since begun: ContinuousClock.Instant = .now,
    _ isSo: () throws -> Bool
) rethrows -> Bool {
    let end = begun + patience.patient
    while true {
        if try isSo() { return true }
        if ContinuousClock.now > end { return false }
        usleep(5_000)
    }
}

/// The same where asking is asynchronous.
@discardableResult
package func awaitUntil(_ patience: Duration, _ isSo: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + patience.patient
    while true {
        if try await isSo() { return true }
        if ContinuousClock.now > end { return false }
        try? await Task.sleep(for: .milliseconds(5))
    }
}
