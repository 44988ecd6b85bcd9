/// Why a run of a program gave nothing.
package enum ChildFault: Error, Hashable, Sendable {
    /// errno of posix_spawn(3), pipe2(2) or memfd_create(2).
    case notStarted(Int32)
    case timedOut
    case outputTooLarge
    /// By the kernel: out of its limits, or a fault of its own. The signal's number.
    case killed(Int32)
    /// It says no: its status and the first line of what it printed on standard error.
    case failed(Int32, String)
}
