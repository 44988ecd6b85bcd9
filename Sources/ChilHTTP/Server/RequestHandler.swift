import ChilLoop

/// What a server does with its requests. One per loop; not `Sendable`.
package protocol RequestHandler: AnyObject {
    /// Answers one request. The requests of one connection come strictly one after another.
    func respond(to exchange: Exchange) async -> Response

    /// The answer to bytes that are no request, or to a body that is refused while it is read.
    func refusal(_ rejection: Rejection) -> Response

    /// Long-lived work beside the requests, on the same loop. Returns after `stop()`.
    func background() async

    /// The server stops: no new connections come, running requests go on.
    func stop()

    /// The last connection is closed: `background()` shall return.
    func requestsAreDone()
}

extension RequestHandler {
    package func background() async {}
    package func stop() {}
    package func requestsAreDone() {}
}
