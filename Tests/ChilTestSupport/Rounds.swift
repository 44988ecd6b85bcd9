import Foundation

/// How often a test repeats what shows the more the oftener it is done.
package enum Rounds {
    /// `CHIL_TEST_ROUNDS` of them; else as many as take little time in a debugging build.
    package static func count(otherwise usual: Int) -> Int {
        ProcessInfo.processInfo.environment["CHIL_TEST_ROUNDS"].flatMap { Int($0) } ?? usual
    }
}
