import ChilCore
import ChilHTTP

extension APIService {
    /// `GET events`: what happens to the caller's drawings and prints, as it happens, for as long as the session lives.
    func events(_ call: Call) async throws -> Response {
        let session = try await session(call)
        // HEAD's answer has the same head, and nobody asks for the body.
        let body: Response.Body =
            call.head.method == .head
            ? .bytes([])
            : .held(
                try live.listener(
                    for: session,
                    call.tenant.slug.text,
                    last: call.head.field(KnownField.lastEventID).map { Array($0) },
                    at: call.now
                )
            )
        var response = Response(.ok, "text/event-stream", body)
        response.add("Cache-Control", "no-store")
        // nginx would keep the events back until it has a buffer full.
        response.add("X-Accel-Buffering", "no")
        return response
    }
}
