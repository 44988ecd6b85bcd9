import ChilCrypto
import ChilLoop
import ChilTestSupport
import Glibc
import Testing

@Suite struct TLSTransferTests {
    @Test(arguments: ["-tls1_2", "-tls1_3"]) func aMebibyteGoesThereAndComesBack(version: String) async throws {
        let server = try OpenSSLServer(.good, "-rev", [version])
        let lines = (0..<1_024).map { number in
            (0..<1_023).map { UInt8(ascii: "a") + UInt8((number * 31 + $0 * 7) % 26) }
        }
        let sent = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
        let expected = lines.flatMap { $0.reversed() + [UInt8(ascii: "\n")] }
        let received = try await withTLS(to: server) { stream, loop, home in
            let deadline = loop.deadline(in: .seconds(4))
            // Both on the loop's thread, in turn.
            nonisolated(unsafe) let stream = stream
            async let isSent = home.run { _ in await stream.send(sent, deadline: deadline) }
            let received = await stream.receiveAll(upTo: sent.count, until: deadline)
            #expect(await isSent)
            return received
        }
        #expect(received.outcome == .bytes(sent.count))
        #expect(received.bytes == expected)
    }

    @Test func aGoodbyeIsTheEnd() async throws {
        let server = try OpenSSLServer(.good, "-www")
        let received = try await withTLS(to: server) { stream, loop, _ in
            let deadline = loop.deadline(in: .seconds(2))
            #expect(await stream.send(Array("GET / HTTP/1.0\r\n\r\n".utf8), deadline: deadline))
            let received = await stream.receiveAll(upTo: 1 << 20, until: deadline)
            #expect(await stream.receiveAll(upTo: 1, until: deadline).outcome == .ended)
            return received
        }
        #expect(received.outcome == .ended)
        #expect(received.bytes.starts(with: "HTTP/1.0 200 ok".utf8))
    }

    @Test func aCutIsToldFromAnEnd() async throws {
        let server = try OpenSSLServer()
        try await withTLS(to: server) { stream, loop, _ in
            let deadline = loop.deadline(in: .seconds(2))
            #expect(await stream.exchangeLine("abc", until: deadline) == "cba\n")
            server.kill(SIGKILL)
            let received = await stream.receiveAll(upTo: 10, until: deadline)
            #expect(received.outcome == .truncated)
            #expect(received.bytes == [])
        }
    }

    @Test func silenceTimesOutAndTheStreamGoesOn() async throws {
        let server = try OpenSSLServer()
        try await withTLS(to: server) { stream, loop, _ in
            let short = loop.deadline(in: .milliseconds(30))
            #expect(await stream.receiveAll(upTo: 1, until: short).outcome == .timedOut)
            #expect(loop.monotonicNow >= short)
            #expect(await stream.exchangeLine("abc", until: loop.deadline(in: .seconds(3))) == "cba\n")
        }
    }

    @Test func aPeerThatStopsReadingTimesOut() async throws {
        let server = try OpenSSLServer()
        try await withTLS(to: server) { stream, loop, _ in
            #expect(await stream.exchangeLine("abc", until: loop.deadline(in: .seconds(3))) == "cba\n")
            server.kill(SIGSTOP)
            let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 32 << 20)
            #expect(await !stream.send(bytes, deadline: loop.deadline(in: .milliseconds(300))))
            #expect(stream.sendError == .timedOut)
        }
    }

    @Test func closingWakesWhoReceives() async throws {
        let server = try OpenSSLServer()
        try await withTLS(to: server) { stream, loop, _ in
            loop.after(.milliseconds(5)) { stream.close() }
            let deadline = loop.deadline(in: .seconds(2))
            #expect(await stream.receiveAll(upTo: 1, until: deadline).outcome == .failed(.interrupted))
            #expect(await stream.receiveAll(upTo: 1, until: deadline).outcome == .failed(.interrupted))
            #expect(await !stream.send([1], deadline: deadline))
            #expect(stream.sendError == .interrupted)
        }
    }
}
