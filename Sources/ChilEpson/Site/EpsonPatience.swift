/// How long Epson Connect is waited for. All of it fits into the lease that a worker has on a job's step.
package struct EpsonPatience: Sendable {
    /// One call, from the first system call to the last byte.
    package var call = Duration.seconds(20)
    /// The same for a token.
    package var token = Duration.seconds(20)
    /// A page, all attempts to upload it together.
    package var upload = Duration.seconds(70)

    package init() {}
}
