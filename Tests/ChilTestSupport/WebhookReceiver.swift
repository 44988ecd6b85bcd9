import ChilCore
package import ChilHTTP
import ChilLoop

/// A tenant's server: answers each request as it is told, and keeps what came.
package final class WebhookReceiver: Sendable {
    package struct Letter: Sendable {
        package let id: String
        package let timestamp: String
        package let signature: String
        package let contentType: String
        package let body: [UInt8]

        /// What is signed.
        package var signed: [UInt8] { Array("\(id).\(timestamp).".utf8) + body }
        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    package enum Answer: Sendable {
        case status(Status, body: Int = 0)
        case redirect(String)
        case silence
    }

    private let listener: Listener
    private let thread: LoopThread
    private let server: HTTPLoop
    private let came = Locked<[Letter]>([])
    private let answer: Locked<Answer>

    package init(_ answer: Answer) throws {
        let answer = Locked(answer)
        self.answer = answer
        listener = try Listener(on: SocketAddress(numericHost: "127.0.0.1", port: 0)!)
        thread = try LoopThread()
        var limits = ServerLimits()
        limits.idleGrace = .zero
        let came = came
        server = HTTPLoop(listener, limits, LoopBalance(), on: thread.loop) { loop in
            Handler(answer, came, loop)
        }
        let (loop, server, listener) = (thread.loop, server, listener)
        Task(executorPreference: loop) {
            try? await server.run()
            // Not before: its descriptor could be another test's by then, while the loop still waits for it.
            listener.close()
            loop.stop()
        }
    }

    package var authority: String { "127.0.0.1:\(listener.address.port)" }
    package var url: String { "http://\(authority)/hook" }
    package var exception: AddressGuard.Exception? { AddressGuard.Exception(authority) }
    package var letters: [Letter] { came.withLock { $0 } }

    /// From the next request on.
    package func set(_ answer: Answer) { self.answer.withLock { $0 = answer } }

    package func stop() {
        server.requestStop()
    }
}

private final class Handler: RequestHandler {
    private let answer: Locked<WebhookReceiver.Answer>
    private let came: Locked<[WebhookReceiver.Letter]>
    private let loop: EventLoop

    init(_ answer: Locked<WebhookReceiver.Answer>, _ came: Locked<[WebhookReceiver.Letter]>, _ loop: EventLoop) {
        self.answer = answer
        self.came = came
        self.loop = loop
    }

    func respond(to exchange: Exchange) async -> Response {
        let head = exchange.head
        let body = (try? await exchange.body(atMost: 1 << 20)) ?? []
        let letter = WebhookReceiver.Letter(
            id: head.text(of: "webhook-id"),
            timestamp: head.text(of: "webhook-timestamp"),
            signature: head.text(of: "webhook-signature"),
            contentType: head.text(of: "content-type"),
            body: body
        )
        came.withLock { $0.append(letter) }
        switch answer.withLock({ $0 }) {
        case .status(let status, let count):
            return Response(status, "text/plain", .bytes([UInt8](repeating: 0x61, count: count)))
        case .redirect(let place):
            var response = Response(.found)
            response.add("Location", place)
            return response
        case .silence:
            await loop.sleep(.seconds(30))
            return Response(.noContent)
        }
    }

    func refusal(_ rejection: ChilHTTP.Rejection) -> Response { Response(rejection.status) }
}

extension RequestHead {
    fileprivate func text(of name: StaticString) -> String {
        field(name).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
