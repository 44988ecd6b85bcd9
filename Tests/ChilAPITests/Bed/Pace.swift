import Foundation

/// So often and no oftener: a client's own slowness.
struct Pace {
    private let interval: Duration
    private var next = ContinuousClock.now

    /// - Parameter perSecond: turns.
    init(perSecond: Double) {
        interval = .nanoseconds(Int64(1e9 / perSecond))
    }

    /// Until it is time for the next turn. What was late is caught up with.
    mutating func wait() {
        next += interval
        let pause = next - .now
        if pause > .zero { usleep(UInt32(pause / .microseconds(1))) }
    }

    /// From now on.
    mutating func restart() { next = .now }
}
