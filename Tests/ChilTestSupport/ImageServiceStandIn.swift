import ChilCore
package import ChilHTTP
import ChilLoop

/// A service that makes pictures: answers each request as it is told, and keeps what was asked.
package final class ImageServiceStandIn: Sendable {
    package struct Request: Sendable {
        package let method: String
        package let target: String
        package let authorization: String
        package let contentType: String
        package let body: [UInt8]

        package var text: String { String(decoding: body, as: UTF8.self) }
    }

    package enum Answer: Sendable {
        case json(Status, String)
        case bytes(String, [UInt8])
        case page(Status)
        case redirect(String)
        /// Says that more is to come, and breaks off.
        case half([UInt8])
        /// Never ends, in pieces of 64 KiB.
        case gigantic
        /// After a while, another.
        indirect case slow(Duration, Answer)
        case retryAfter(Status, Int)
    }

    private let listener: Listener
    private let thread: LoopThread
    private let server: HTTPLoop
    private let came = Locked<[Request]>([])
    private let answer: Locked<@Sendable (Request) -> Answer>

    package init(_ answer: @escaping @Sendable (Request) -> Answer) throws {
        let answer = Locked(answer)
        self.answer = answer
        listener = try Listener(on: SocketAddress(numericHost: "127.0.0.1", port: 0)!)
        thread = try LoopThread()
        var limits = ServerLimits()
        limits.idleGrace = .zero
        let came = came
        server = HTTPLoop(listener, limits, LoopBalance(), on: thread.loop) { ImageServiceHandler(answer, came, $0) }
        let (loop, server, listener) = (thread.loop, server, listener)
        Task(executorPreference: loop) {
            try? await server.run()
            // Not before: the loop might take another's connections by a number that is given out anew.
            listener.close()
            loop.stop()
        }
    }

    package var authority: String { "127.0.0.1:\(listener.address.port)" }
    package var url: String { "http://\(authority)" }
    package var exception: AddressGuard.Exception? { AddressGuard.Exception(authority) }
    package var requests: [Request] { came.withLock { $0 } }

    /// From the next request on.
    package func set(_ answer: @escaping @Sendable (Request) -> Answer) { self.answer.withLock { $0 = answer } }

    package func stop() { server.requestStop() }
}

private final class ImageServiceHandler: RequestHandler {
    private let answer: Locked<@Sendable (ImageServiceStandIn.Request) -> ImageServiceStandIn.Answer>
    private let came: Locked<[ImageServiceStandIn.Request]>
    private let loop: EventLoop

    init(
        _ answer: Locked<@Sendable (ImageServiceStandIn.Request) -> ImageServiceStandIn.Answer>,
        _ came: Locked<[ImageServiceStandIn.Request]>,
        _ loop: EventLoop
    ) {
        self.answer = answer
        self.came = came
        self.loop = loop
    }

    func respond(to exchange: Exchange) async -> Response {
        let head = exchange.head
        let body = (try? await exchange.body(atMost: 32 << 20)) ?? []
        func text(_ name: StaticString) -> String {
            head.field(name).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        let request = ImageServiceStandIn.Request(
            method: "\(head.method.name)",
            target: String(decoding: head.target, as: UTF8.self),
            authorization: text("authorization"),
            contentType: text("content-type"),
            body: body
        )
        came.withLock { $0.append(request) }
        return await response(answer.withLock { $0 }(request))
    }

    private func response(_ answer: ImageServiceStandIn.Answer) async -> Response {
        switch answer {
        case .json(let status, let text): return Response(status, "application/json", .bytes(Array(text.utf8)))
        case .bytes(let type, let bytes): return Self.response(.ok, type, .bytes(bytes))
        case .page(let status):
            return Response(status, "text/html", .bytes(Array("<html><body>Bad Gateway</body></html>".utf8)))
        case .redirect(let place):
            var response = Response(.found)
            response.add("Location", place)
            return response
        case .half(let bytes): return Response(.ok, "application/json", .source(HalfBody(bytes)))
        case .gigantic: return Response(.ok, "application/json", .stream(EndlessBody()))
        case .slow(let pause, let answer):
            await loop.sleep(pause)
            return await response(answer)
        case .retryAfter(let status, let seconds):
            var response = Response(status, "application/json", .bytes(Array(#"{"error":"busy"}"#.utf8)))
            response.add("Retry-After", "\(seconds)")
            return response
        }
    }

    private static func response(_ status: Status, _ type: String, _ body: Response.Body) -> Response {
        switch type {
        case "image/gif": Response(status, "image/gif", body)
        case "image/png": Response(status, "image/png", body)
        case "image/jpeg": Response(status, "image/jpeg", body)
        default: Response(status, "application/octet-stream", body)
        }
    }

    func refusal(_ rejection: ChilHTTP.Rejection) -> Response { Response(rejection.status) }
}

private final class HalfBody: BodySource {
    let byteCount: Int
    private let bytes: Locked<[UInt8]?>

    init(_ bytes: [UInt8]) {
        byteCount = bytes.count * 2 + 1
        self.bytes = Locked(bytes)
    }

    func next() async -> [UInt8]? {
        bytes.withLock { bytes in
            defer { bytes = nil }
            return bytes
        }
    }
}

private final class EndlessBody: BodyStream {
    func next() async -> BodyPiece { .bytes([UInt8](repeating: 0x20, count: 64 << 10)) }
}
