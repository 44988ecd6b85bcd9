/// What one loop's server gives its clients. Every wait and every size has an end.
package struct ServerLimits: Sendable {
    package var head = RequestHeadParser.Limits.standard
    /// Connections per loop; one more waits in the kernel's queue.
    package var connectionsMax = 8_192
    /// Between the first byte of a head and its last.
    package var headPatience = Duration.seconds(10)
    /// Between an answer and the next request.
    package var idlePatience = Duration.seconds(75)
    /// Between two pieces of a body.
    package var bodyPatience = Duration.seconds(15)
    /// From the first to the last byte of a body.
    package var bodyTotal = Duration.seconds(300)
    /// For one piece of an answer (an image's have 256 KiB), from when the client lets the server wait until it has taken it all.
    package var writePatience = Duration.seconds(30)
    /// An unread body up to this size is read and dropped to keep the connection; above it the connection closes.
    package var drainBytesMax = 64 << 10
    /// After an answer that closes: how long, and how much, the client may still send before the socket is closed under it.
    package var lingerPatience = Duration.seconds(2)
    package var lingerBytesMax = 8 << 20
    /// When stopping: how long an idle connection may still begin a request.
    package var idleGrace = Duration.milliseconds(500)
    /// When stopping: how long running requests may take.
    package var stopPatience = Duration.seconds(30)

    package init() {}
}
