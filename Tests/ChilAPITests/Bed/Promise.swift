import ChilTestSupport
import Foundation

/// What the architecture promises in time ("What every part promises", "One thread per core"). Here alone, for all tests.
enum Promise {
    /// A revocation, a changed setting: felt on every loop of every service.
    static let news = Duration.seconds(1)
    /// An answer while the database is away: 2 s, and something for a busy machine.
    static let refusal = Duration.milliseconds(2_300)
    /// Served again once the database is back.
    static let recovery = Duration.seconds(5)
}

/// Identity tokens tell whole seconds: one of the very second in which consent was revoked, or an account ended, signs nobody in.
func waitForNextSecond() {
    let second = Int(Date().timeIntervalSince1970)
    waitUntil(.seconds(2)) { Int(Date().timeIntervalSince1970) > second }
}
