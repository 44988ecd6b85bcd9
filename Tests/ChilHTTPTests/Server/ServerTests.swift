import ChilCore
import ChilHTTP
import ChilLoop
import ChilTestSupport
import Foundation
import Testing

/// `/` says hello, `/slow` after 300 ms, `/held` once it is let go, `/echo` gives the body back (64 KiB at most), `/ignore` does not read it.
private final class Probe: RequestHandler {
    /// Of `/held`.
    static let hold = Locked((hasBegun: false, isOver: false))

    func respond(to exchange: Exchange) async -> Response {
        let path = String(decoding: exchange.head.path, as: UTF8.self)
        switch path {
        case "/slow":
            await exchange.loop.sleep(.milliseconds(300))
            return Response(.ok, "text/plain", .bytes(Array("slow".utf8)))
        case "/held":
            Self.hold.withLock { $0.hasBegun = true }
            while Self.hold.withLock({ !$0.isOver }) { await exchange.loop.sleep(.milliseconds(5)) }
            return Response(.ok, "text/plain", .bytes(Array("held".utf8)))
        case "/echo":
            do {
                return Response(.ok, "text/plain", .bytes(try await exchange.body(atMost: 64 << 10)))
            } catch {
                return refusal(error)
            }
        case "/large":
            return Response(
                .ok,
                "text/plain",
                .pieces([[UInt8]](repeating: [UInt8](repeating: 0x61, count: 1 << 20), count: 8))
            )
        case "/source": return Response(.ok, "text/plain", .source(Letters(count: 40, isCutShort: false)))
        case "/broken": return Response(.ok, "text/plain", .source(Letters(count: 40, isCutShort: true)))
        case "/chunks":
            return Response(.ok, "text/plain", .stream(Words(["one", "", "and sixteen more"])))
        case "/chunks-broken": return Response(.ok, "text/plain", .stream(Words(["one"], isWhole: false)))
        case "/ignore": return Response(.ok, "text/plain", .bytes(Array("ignored".utf8)))
        default: return Response(.ok, "text/plain", .bytes(Array("hello".utf8)))
        }
    }

    func refusal(_ rejection: Rejection) -> Response {
        var response = Response(rejection.status, "text/plain", .bytes(Array(rejection.rawValue.utf8)))
        response.closes = true
        return response
    }
}

/// Words that do not say beforehand how many they are; not `isWhole`: they cannot be had all.
private final class Words: BodyStream {
    private let isWhole: Bool
    private let left: Locked<[String]>

    init(_ words: [String], isWhole: Bool = true) {
        left = Locked(words.reversed())
        self.isWhole = isWhole
    }

    func next() async -> BodyPiece {
        if let word = left.withLock({ $0.popLast() }) { return .bytes(Array(word.utf8)) }
        return isWhole ? .end : .broken
    }
}

/// Pieces of a mebibyte, each of one letter; `isCutShort`: there are fewer than it promises.
private final class Letters: BodySource {
    static let made = Locked(0)
    private let count: Int
    private let isCutShort: Bool
    private let given = Locked(0)

    init(count: Int, isCutShort: Bool) {
        self.count = count
        self.isCutShort = isCutShort
    }

    var byteCount: Int { count << 20 }

    func next() async -> [UInt8]? {
        let number = given.withLock { number in
            number += 1
            return number
        }
        Self.made.withLock { $0 = max($0, number) }
        return isCutShort && number == count ? nil : [UInt8](repeating: 0x60 + UInt8(number % 26), count: 1 << 20)
    }
}

private func withServer<Value: Sendable>(
    _ adjust: (inout ServerLimits) -> Void = { _ in },
    _ body: @escaping @Sendable (UInt16, HTTPLoop) throws -> Value
) async throws -> Value {
    var limits = ServerLimits()
    adjust(&limits)
    let listener = try Listener(on: SocketAddress(numericHost: "127.0.0.1", port: 0)!)
    let thread = try LoopThread()
    let server = HTTPLoop(listener, limits, LoopBalance(), on: thread.loop) { _ in Probe() }
    // On the loop from its first step: the other tests keep the shared threads busy.
    let running = Task(executorPreference: thread.loop) { try await server.run() }
    let port = listener.address.port
    // The client blocks: it gets a thread that is nobody's executor.
    let value = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
        Thread.detachNewThread { continuation.resume(with: Result { try body(port, server) }) }
    }
    server.requestStop()
    try await running.value
    thread.loop.stop()
    thread.join()
    listener.close()
    return value
}

@Suite struct ServerTests {
    @Test func aConnectionServesOneRequestAfterAnother() async throws {
        let text = try await withServer { port, _ in
            let client = try ClientSocket(to: port)
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            let first = client.read(until: "hello")
            client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return first + client.readToEnd()
        }
        #expect(text.components(separatedBy: "HTTP/1.1 200 OK\r\n").count == 3)
        #expect(text.components(separatedBy: "Connection: close\r\n").count == 2)
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let text = try await withServer { port, _ in
            let client = try ClientSocket(to: port)
            client.send(
                "GET /slow HTTP/1.1\r\nHost: x\r\n\r\nPOST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
                    + "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            )
            return client.readToEnd()
        }
        let bodies = text.components(separatedBy: "\r\n\r\n").dropFirst().map { $0.prefix(5) }
        #expect(bodies == ["slowH", "abcHT", "hello"])
    }

    @Test func headHasTheLengthAndNoBody() async throws {
        let text = try await withServer { port, _ in
            let client = try ClientSocket(to: port)
            client.send("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return client.readToEnd()
        }
        #expect(text.contains("Content-Length: 5\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    @Test func aBodyThatIsTooLargeIsRefusedBeforeItIsRead() async throws {
        let text = try await withServer { port, _ in
            let client = try ClientSocket(to: port)
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\nExpect: 100-continue\r\n\r\n")
            return client.readToEnd()
        }
        #expect(text.hasPrefix("HTTP/1.1 413 "))
        #expect(!text.contains("100 Continue"))
        #expect(text.contains("Connection: close\r\n"))
    }

    @Test func aLargeUploadStillReadsItsRefusal() async throws {
        let text = try await withServer { port, _ in
            let client = try ClientSocket(to: port)
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n")
            client.send([UInt8](repeating: 0x61, count: 4_000_000))
            return client.readToEnd()
        }
        #expect(text.hasPrefix("HTTP/1.1 413 "))
    }

    @Test func chunksOverTheLimitAreRefused() async throws {
        let text = try await withServer { port, _ in
            let client = try ClientSocket(to: port)
            client.send("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<10 { client.send("2710\r\n" + String(repeating: "a", count: 10_000) + "\r\n") }
            return client.readToEnd()
        }
        #expect(text.hasPrefix("HTTP/1.1 413 "))
    }

    @Test func continueIsSentWhenTheBodyIsWanted() async throws {
        let text = try await withServer { port, _ in
            let client = try ClientSocket(to: port)
            client.send(
                "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
            )
            let first = client.read(until: "\r\n\r\n")
            client.send("abc")
            return first + client.readToEnd()
        }
        #expect(text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
        #expect(text.hasSuffix("\r\n\r\nabc"))
    }

    @Test func anUnreadSmallBodyKeepsTheConnection() async throws {
        let text = try await withServer { port, _ in
            let client = try ClientSocket(to: port)
            client.send("POST /ignore HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12345")
            let first = client.read(until: "ignored")
            client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return first + client.readToEnd()
        }
        #expect(text.hasSuffix("hello"))
    }

    @Test func afterAFramingErrorNothingMoreIsRead() async throws {
        let text = try await withServer { port, _ in
            let client = try ClientSocket(to: port)
            client.send("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
            return client.readToEnd()
        }
        #expect(text.hasPrefix("HTTP/1.1 400 "))
        #expect(text.components(separatedBy: "HTTP/1.1 ").count == 2)
        #expect(text.contains("Connection: close\r\n"))
    }

    @Test func aSlowHeadIsCutOff() async throws {
        let elapsed = try await withServer({ $0.headPatience = .milliseconds(300) }) { port, _ in
            let client = try ClientSocket(to: port)
            let begun = ContinuousClock.now
            client.send("GET / HTTP/1.1\r\nHost:")
            _ = client.readToEnd()
            return ContinuousClock.now - begun
        }
        // Far under the 10 s that a head has otherwise; the sweep and a busy machine add to the 300 ms.
        #expect(elapsed < Duration.seconds(6).patient)
    }

    @Test func aSlowReaderGetsItAll() async throws {
        let count = try await withServer { port, _ in
            let client = try ClientSocket(to: port)
            client.send("GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            // The client's own pause: meanwhile the sockets' buffers fill up.
            Thread.sleep(forTimeInterval: 0.3)
            return client.readToEnd().utf8.count
        }
        #expect(count > 8 << 20)
    }

    @Test func aSourceIsAskedAsTheClientTakes() async throws {
        let (made, count, broken) = try await withServer { port, _ in
            let client = try ClientSocket(to: port)
            client.send("GET /source HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            // The client's own pause: meanwhile as much is made as there is room for.
            Thread.sleep(forTimeInterval: 0.3)
            let made = Letters.made.withLock { $0 }
            let count = client.readToEnd().utf8.count
            let other = try ClientSocket(to: port)
            other.send("GET /broken HTTP/1.1\r\nHost: x\r\n\r\n")
            return (made, count, other.readToEnd().utf8.count)
        }
        // Sockets' buffers take some; the rest is not made yet.
        #expect(made < 30)
        #expect(count > 40 << 20)
        #expect(broken > 38 << 20 && broken < 40 << 20)
    }

    @Test(arguments: [
        // RFC 9112 §7.1; HTTP/1.0 knows no chunks, and the close is the end.
        (
            "whole", "GET /chunks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            "Transfer-Encoding: chunked", "\r\n\r\n3\r\none\r\n10\r\nand sixteen more\r\n0\r\n\r\n"
        ),
        (
            "broken off", "GET /chunks-broken HTTP/1.1\r\nHost: x\r\n\r\n",
            "Transfer-Encoding: chunked", "\r\n\r\n3\r\none"
        ),
        (
            "for HTTP/1.0", "GET /chunks HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n",
            "Connection: close", "\r\n\r\noneand sixteen more"
        ),
        (
            "its head alone", "HEAD /chunks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            "Transfer-Encoding: chunked", "close\r\n\r\n"
        ),
        (
            "with another request behind it",
            "GET /chunks HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            "0\r\n\r\nHTTP/1.1 200 OK", "\r\n\r\nhello"
        ),
    ])
    func aBodyOfUnknownLengthGoesInChunks(_ row: (name: String, request: String, has: String, end: String)) async throws
    {
        let answer = try await withServer { port, _ in
            let client = try ClientSocket(to: port)
            client.send(row.request)
            return client.readToEnd()
        }
        #expect(answer.contains(row.has) && answer.hasSuffix(row.end), "\(row.name): \(answer)")
        #expect(
            !answer.hasPrefix("HTTP/1.1 200 OK") || row.name.hasPrefix("with") || !answer.contains("Content-Length")
        )
    }

    @Test(arguments: [("a body", true), ("an answer", false)])
    func dripsDoNotHoldAConnection(_ what: String, _ isBody: Bool) async throws {
        let elapsed = try await withServer({
            $0.bodyTotal = .milliseconds(500)
            $0.writePatience = .milliseconds(500)
        }) { port, _ in
            let client = try ClientSocket(to: port)
            let begun = ContinuousClock.now
            if isBody {
                client.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
                // A byte every 5 ms, for as long as they are taken: minutes, if nobody ended it.
                #expect(waitUntil(.seconds(60)) { !client.send("x") })
            } else {
                client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
                // The client's own pause, far longer than the server's patience.
                Thread.sleep(forTimeInterval: Double(2 * Patience.factor))
                #expect(client.readToEnd().utf8.count < 8 << 20)
            }
            return ContinuousClock.now - begun
        }
        #expect(elapsed < Duration.seconds(60).patient, "\(what)")
    }

    @Test func stoppingFinishesWhatRuns() async throws {
        let (held, idle) = try await withServer({ $0.idleGrace = Duration.milliseconds(500).patient }) { port, server in
            let busy = try ClientSocket(to: port)
            let idle = try ClientSocket(to: port)
            idle.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = idle.read(until: "hello")
            busy.send("GET /held HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(waitUntil(.seconds(5)) { Probe.hold.withLock { $0.hasBegun } })
            server.requestStop()
            // What was posted before has run then: the server stops.
            let isStopping = DispatchSemaphore(value: 0)
            server.withHandler { _ in isStopping.signal() }
            isStopping.wait()
            // Under way while the server stops: still answered.
            idle.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            let last = idle.readToEnd()
            Probe.hold.withLock { $0.isOver = true }
            return (busy.readToEnd(), last)
        }
        #expect(held.hasPrefix("HTTP/1.1 200 OK\r\n") && held.hasSuffix("held"))
        #expect(idle.hasPrefix("HTTP/1.1 200 OK\r\n") && idle.contains("Connection: close\r\n"))
    }
}
