import ChilCore
import ChilHTTP
import ChilLoop

@testable import ChilS3

/// A store that answers what it is told, in order, the last for ever; and keeps what came.
final class StandInStore: Sendable {
    enum Reply: Sendable {
        case status(Status, String = "", etag: String? = nil)
        /// As many bytes as are asked for, of a pattern that `pattern(_:)` gives.
        case bytes
        /// Half of an answer, then nothing.
        case half
        case silence
    }

    struct Came: Sendable, Equatable {
        let line: String
        let byteCount: Int
    }

    private let listener: Listener
    private let thread: LoopThread
    private let server: HTTPLoop
    private let replies: Locked<[Reply]>
    private let cameSoFar = Locked<[Came]>([])

    init(_ replies: [Reply]) throws {
        self.replies = Locked(replies)
        listener = try Listener(on: SocketAddress(numericHost: "127.0.0.1", port: 0)!)
        thread = try LoopThread()
        var limits = ServerLimits()
        limits.idleGrace = .zero
        let (pending, came) = (self.replies, cameSoFar)
        server = HTTPLoop(listener, limits, LoopBalance(), on: thread.loop) { Handler(pending, came, $0) }
        let (loop, server, listener) = (thread.loop, server, listener)
        Task(executorPreference: loop) {
            try? await server.run()
            // Not before: the descriptor's number may be another listener's at once, and this server would take its connections.
            listener.close()
            loop.stop()
        }
    }

    func stop() {
        server.requestStop()
    }

    var came: [Came] { cameSoFar.withLock { $0 } }
    var lines: [String] { came.map(\.line) }

    var place: S3Place {
        S3Place(
            origin: HTTPURL("http://127.0.0.1:\(listener.address.port)")!,
            bucket: "pictures",
            region: "us-east-1",
            credentials: S3Credentials(id: "id", secret: Array("secret".utf8))
        )
    }

    static func pattern(_ range: Range<Int>) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0 &* 31) } }

    private final class Handler: RequestHandler {
        private let replies: Locked<[Reply]>
        private let came: Locked<[Came]>
        private let loop: EventLoop

        init(_ replies: Locked<[Reply]>, _ came: Locked<[Came]>, _ loop: EventLoop) {
            self.replies = replies
            self.came = came
            self.loop = loop
        }

        func respond(to exchange: Exchange) async -> Response {
            let head = exchange.head
            let body = (try? await exchange.body(atMost: 32 << 20)) ?? []
            came.withLock {
                $0.append(
                    Came(
                        line: "\(head.method.name) \(String(decoding: head.target, as: UTF8.self))",
                        byteCount: body.count
                    )
                )
            }
            let reply = replies.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            switch reply {
            case .status(let status, let text, let etag):
                var response = Response(status, "application/xml", .bytes(Array(text.utf8)))
                if let etag { response.add("ETag", etag) }
                return response
            case .bytes:
                let words = head.field("range").map { String(decoding: $0, as: UTF8.self) } ?? ""
                let ends = words.dropFirst(6).split(separator: "-").compactMap { Int($0) }
                guard ends.count == 2 else { return Response(.badRequest) }
                let bytes = StandInStore.pattern(ends[0]..<ends[1] + 1)
                return Response(.partialContent, "image/png", .bytes(bytes))
            case .half: return Response(.partialContent, "image/png", .source(HalfSource()))
            case .silence:
                await loop.sleep(.seconds(30))
                return Response(.noContent)
            }
        }

        func refusal(_ rejection: ChilHTTP.Rejection) -> Response { Response(rejection.status) }
    }

    private final class HalfSource: BodySource {
        let byteCount = 1_000
        private let isGiven = Locked(false)

        func next() async -> [UInt8]? {
            isGiven.withLock { isGiven in
                defer { isGiven = true }
                return isGiven ? nil : [UInt8](repeating: 1, count: 500)
            }
        }
    }
}
