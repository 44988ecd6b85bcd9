import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop
import ChilTestSupport
import Foundation
import Testing

/// The server's side of TLS, tried with OpenSSL's own client and with ours.
@Suite struct TLSServerTests {
    /// `/` says hello, `/large` gives four mebibytes of letters, `/echo` gives the body back.
    private final class Probe: RequestHandler {
        static let large = (0..<4).flatMap { [UInt8](repeating: 0x61 + UInt8($0), count: 1 << 20) }

        func respond(to exchange: Exchange) async -> Response {
            switch String(decoding: exchange.head.path, as: UTF8.self) {
            case "/large": return Response(.ok, "text/plain", .bytes(Self.large))
            case "/echo":
                do {
                    return Response(.ok, "text/plain", .bytes(try await exchange.body(atMost: 4 << 20)))
                } catch {
                    return refusal(error)
                }
            default: return Response(.ok, "text/plain", .bytes(Array("hello".utf8)))
            }
        }

        func refusal(_ rejection: Rejection) -> Response {
            var response = Response(rejection.status, "text/plain", .bytes(Array(rejection.rawValue.utf8)))
            response.closes = true
            return response
        }
    }

    private static func identity(_ name: TestCertificates.Name) throws -> TLSIdentity {
        let files = try TestCertificates.shared()
        return try TLSIdentity(
            certificates: Array(try Data(contentsOf: URL(filePath: files.certificate(name)))),
            key: Array(try Data(contentsOf: URL(filePath: files.key(name))))
        )
    }

    private static func context(_ names: TestCertificates.Name...) throws -> TLSServerContext {
        try TLSServerContext(try names.map(identity))
    }

    private static func withServer<Value: Sendable>(
        _ names: [TestCertificates.Name] = [.good],
        _ adjust: (inout ServerLimits) -> Void = { _ in },
        _ body: @escaping @Sendable (UInt16, TLSDoor) throws -> Value
    ) async throws -> Value {
        var limits = ServerLimits()
        adjust(&limits)
        let door = TLSDoor(try TLSServerContext(try names.map(identity)))
        let listener = try Listener(on: SocketAddress(numericHost: "127.0.0.1", port: 0)!)
        let thread = try LoopThread()
        let server = HTTPLoop(listener, limits, LoopBalance(), door, on: thread.loop) { _ in Probe() }
        let running = Task(executorPreference: thread.loop) { try await server.run() }
        let port = listener.address.port
        // The client blocks: it gets a thread that is nobody's executor.
        let value = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
            Thread.detachNewThread { continuation.resume(with: Result { try body(port, door) }) }
        }
        server.requestStop()
        try await running.value
        thread.loop.stop()
        thread.join()
        listener.close()
        return value
    }

    // MARK: Handshakes

    struct Handshake: CustomTestStringConvertible {
        let name: String
        let options: [String]
        var isAnswered = true
        /// A part of what `s_client` shows.
        var shows = ""

        var testDescription: String { name }
    }

    static let handshakes = [
        Handshake(name: "TLS 1.3", options: ["-tls1_3"], shows: "TLSv1.3"),
        Handshake(name: "TLS 1.2", options: ["-tls1_2"], shows: "TLSv1.2"),
        Handshake(
            name: "TLS 1.1",
            options: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"],
            isAnswered: false,
            shows: "alert protocol version"
        ),
        Handshake(
            name: "no forward secrecy",
            options: ["-tls1_2", "-cipher", "AES128-GCM-SHA256"],
            isAnswered: false,
            shows: "alert handshake failure"
        ),
        Handshake(
            name: "CBC",
            options: ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA256"],
            isAnswered: false,
            shows: "alert handshake failure"
        ),
        Handshake(
            name: "ChaCha20",
            options: ["-tls1_2", "-cipher", "ECDHE-ECDSA-CHACHA20-POLY1305"],
            shows: "ECDHE-ECDSA-CHACHA20-POLY1305"
        ),
        Handshake(name: "HTTP/1.1 by ALPN", options: ["-alpn", "http/1.1"], shows: "ALPN protocol: http/1.1"),
        Handshake(name: "the better of two", options: ["-alpn", "h2,http/1.1"], shows: "ALPN protocol: http/1.1"),
        Handshake(name: "HTTP/2 alone", options: ["-alpn", "h2"], isAnswered: false, shows: "no application protocol"),
        Handshake(
            name: "a name that begins so",
            options: ["-alpn", "http/1.10"],
            isAnswered: false,
            shows: "no application protocol"
        ),
        Handshake(name: "no name", options: ["-noservername"], shows: "subject=CN = idp.test"),
        Handshake(name: "the first's name", options: ["-servername", "idp.test"], shows: "subject=CN = idp.test"),
        Handshake(name: "the other's name", options: ["-servername", "other.test"], shows: "subject=CN = other.test"),
        Handshake(name: "in capitals", options: ["-servername", "OTHER.Test"], shows: "subject=CN = other.test"),
        Handshake(name: "a wildcard", options: ["-servername", "a.wild.test"], shows: "subject=CN = idp.test"),
        Handshake(name: "nobody's name", options: ["-servername", "evil.example"], shows: "subject=CN = idp.test"),
    ]

    @Test(arguments: handshakes)
    func clientsAreMetSo(_ row: Handshake) async throws {
        let client = try await Self.withServer([.good, .other]) { port, _ in try OpenSSLClient(port, row.options) }
        #expect(client.isAnswered == row.isAnswered, "\(client.text)")
        #expect(client.text.contains(row.shows), "\(client.text)")
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func aSessionIsTakenUpAgain(_ version: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "chil-session-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let (first, second) = try await Self.withServer { port, _ in
            (
                try OpenSSLClient(port, [version, "-sess_out", file]),
                try OpenSSLClient(port, [version, "-sess_in", file])
            )
        }
        #expect(first.isAnswered && first.text.contains("New, "), "\(first.text)")
        #expect(second.isAnswered && second.text.contains("Reused, "), "\(second.text)")
    }

    /// Whoever asks to renegotiate is not heard (RFC 9325 §3.5).
    @Test func nothingIsRenegotiated() async throws {
        let client = try await Self.withServer { port, _ in
            try OpenSSLClient(port, ["-tls1_2"], "R\n" + OpenSSLClient.request)
        }
        #expect(!client.isAnswered, "\(client.text)")
    }

    // MARK: Silence and noise

    /// Before the handshake is done nothing is served, and nobody is waited for long.
    @Test(arguments: [
        ("nothing", [UInt8]()), ("half a record", [0x16, 3, 1, 2, 0, 1]),
        ("HTTP", Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)),
        ("noise", [UInt8](repeating: 0xa5, count: 70_000)), ("an alert", [0x15, 3, 3, 0, 2, 2, 40]),
    ])
    func whoIsNoClientIsLet(_ name: String, _ bytes: [UInt8]) async throws {
        let (isEnded, other) = try await Self.withServer([.good], { $0.headPatience = .milliseconds(300) }) { port, _ in
            let socket = try ClientSocket(to: port)
            socket.send(bytes)
            var came: [UInt8] = []
            while let more = socket.receive(), !more.isEmpty { came += more }
            return (!String(decoding: came, as: UTF8.self).contains("HTTP/1.1"), try OpenSSLClient(port))
        }
        #expect(isEnded)
        #expect(other.isAnswered, "\(other.text)")
    }

    /// Key updates that nobody reads the answers of, and that bring no request.
    @Test func keyUpdatesAreNoLife() async throws {
        let text = try await Self.withServer { port, _ in
            try OpenSSLClient(port, ["-tls1_3"], String(repeating: "K\n", count: 20) + OpenSSLClient.request).text
        }
        #expect(text.contains("KEYUPDATE"))
    }

    // MARK: What is sent

    private static func connect(
        _ port: UInt16,
        host: String = "idp.test",
        on loop: EventLoop
    ) async throws -> TLSStream {
        let context = try TLSClientContext(extraAuthorities: try TestCertificates.shared().authority)
        let socket = try await ByteStream.connect(
            to: SocketAddress(family: .ipv4, octets: [127, 0, 0, 1], port: port),
            within: Duration.seconds(5).patient,
            on: loop
        )
        return try await TLSStream.connect(over: socket, context, host: host, within: Duration.seconds(5).patient)
    }

    /// Blocks: not on a thread of the pool.
    private static func asClient<Value: Sendable>(
        _ body: @escaping @Sendable (EventLoop) async throws -> Value
    ) throws -> Value {
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            thread.join()
        }
        let answer = Locked<Result<Value, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task(executorPreference: thread.loop) {
            let result: Result<Value, any Error>
            do { result = .success(try await body(thread.loop)) } catch { result = .failure(error) }
            answer.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        return try answer.withLock { try $0!.get() }
    }

    private static func exchange(_ stream: TLSStream, _ loop: EventLoop, _ request: [UInt8], until suffix: [UInt8])
        async -> [UInt8]
    {
        let deadline = loop.monotonicNow + Int64(Duration.seconds(20).patient / .nanoseconds(1))
        guard await stream.send(request, deadline: deadline) else { return [] }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        defer { buffer.deallocate() }
        var came: [UInt8] = []
        while !came.suffix(suffix.count).elementsEqual(suffix) {
            guard case .bytes(let count) = await stream.receive(into: buffer, deadline: deadline) else { break }
            came += buffer[..<count]
        }
        return came
    }

    @Test func mebibytesComeWholeBothWays() async throws {
        let body = (0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) } + Array("the end".utf8)
        let (large, echo) = try await Self.withServer { port, _ in
            try Self.asClient { loop in
                let stream = try await Self.connect(port, on: loop)
                defer { stream.close() }
                let head = "Host: x\r\n"
                let large = await Self.exchange(
                    stream,
                    loop,
                    Array("GET /large HTTP/1.1\r\n\(head)\r\n".utf8),
                    until: [UInt8](repeating: 0x64, count: 1 << 20)
                )
                let asked = "POST /echo HTTP/1.1\r\n\(head)Content-Length: \(body.count)\r\n\r\n"
                let echo = await Self.exchange(stream, loop, Array(asked.utf8) + body, until: Array("the end".utf8))
                return (large, echo)
            }
        }
        #expect(large.suffix(4 << 20).elementsEqual(Probe.large))
        #expect(echo.suffix(body.count).elementsEqual(body))
    }

    /// Several in one record.
    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let came = try await Self.withServer { port, _ in
            try Self.asClient { loop in
                let stream = try await Self.connect(port, on: loop)
                defer { stream.close() }
                let one = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n"
                return await Self.exchange(
                    stream,
                    loop,
                    Array("\(one)abc\(one)def\(one)ghi".utf8),
                    until: Array("ghi".utf8)
                )
            }
        }
        let text = String(decoding: came, as: UTF8.self)
        #expect(text.components(separatedBy: "\r\n\r\n").dropFirst().map { $0.prefix(3) } == ["abc", "def", "ghi"])
    }

    /// Who is connected stays so; who comes afterwards sees the new certificate.
    @Test func certificatesAreChangedWhileItServes() async throws {
        let (before, after, held, second) = try await Self.withServer { port, door in
            try Self.asClient { loop in
                let stream = try await Self.connect(port, on: loop)
                defer { stream.close() }
                let request = Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
                let before = await Self.exchange(stream, loop, request, until: Array("hello".utf8))
                door.change(to: try Self.context(.other))
                let after = await Self.exchange(stream, loop, request, until: Array("hello".utf8))
                var held = false
                do {
                    try await Self.connect(port, on: loop).close()
                    held = true
                } catch {}
                let fresh = try await Self.connect(port, host: "other.test", on: loop)
                defer { fresh.close() }
                return (before, after, held, await Self.exchange(fresh, loop, request, until: Array("hello".utf8)))
            }
        }
        #expect(before.suffix(5).elementsEqual("hello".utf8) && after.suffix(5).elementsEqual("hello".utf8))
        #expect(!held, "the old name is the new certificate's no more")
        #expect(second.suffix(5).elementsEqual("hello".utf8))
    }

    // MARK: Files

    @Test func filesThatDoNotFitAreRefused() throws {
        let files = try TestCertificates.shared()
        func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }
        let (certificate, key) = (try bytes(files.certificate(.good)), try bytes(files.key(.good)))
        let rows: [(name: String, certificates: [UInt8], key: [UInt8])] = [
            ("nothing", [], []), ("no key", certificate, []), ("no certificate", [], key),
            ("the other way round", key, certificate), ("another's key", certificate, try bytes(files.key(.other))),
            ("half a certificate", Array(certificate.prefix(certificate.count / 2)), key),
            ("a certificate and a half", certificate + Array(certificate.prefix(certificate.count / 2)), key),
            ("too many", [[UInt8]](repeating: certificate, count: 12).flatMap { $0 }, key),
        ]
        for row in rows {
            let fault = #expect(throws: TLSFault.self, "\(row.name)") {
                try TLSIdentity(certificates: row.certificates, key: row.key)
            }
            #expect(fault?.code == .badIdentity, "\(row.name)")
        }
        #expect(throws: TLSFault.self) { try TLSServerContext([]) }
        // OpenSSL takes no key of 1,024 bits for a server's (SSL_CTX_set_security_level(3)).
        #expect(throws: TLSFault.self) { try TLSServerContext([try Self.identity(.weakKey)]) }
    }
}
