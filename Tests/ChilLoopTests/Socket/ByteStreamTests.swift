import ChilLoop
import Glibc
import Testing

@Suite struct ByteStreamTests {
    @Test(arguments: StreamPair.allCases) func carriesBytesBothWays(_ pair: StreamPair) async throws {
        try await withLoop { loop, _ in
            let (stream, peer) = try await pair.make(on: loop)
            defer { stream.close() }
            #expect(stream.readText().0 == .wouldBlock)
            #expect(stream.writeText("ping") == .bytes(4))
            var bytes = [UInt8](repeating: 0, count: 16)
            #expect(recv(peer, &bytes, 16, 0) == 4)
            #expect(send(peer, "pong!", 5, 0) == 5)
            #expect(await stream.waitReadable() == .ready)
            #expect(stream.readText() == (.bytes(5), "pong!"))
            #expect(stream.readText().0 == .wouldBlock)
            close(peer)
            #expect(await stream.waitReadable() == .ready)
            #expect(stream.readText().0 == .ended)
            #expect(stream.readText().0 == .ended)
        }
    }

    enum End: CaseIterable, Sendable { case shutdown, close }

    /// A short read says that the socket is empty, but after the peer's end no further event comes.
    @Test(arguments: StreamPair.allCases, End.allCases)
    func theEndInOneEventWithDataIsSeen(_ pair: StreamPair, _ end: End) async throws {
        try await withLoop { loop, _ in
            let (stream, peer) = try await pair.make(on: loop)
            defer { stream.close() }
            #expect(stream.readText().0 == .wouldBlock)
            // Nothing awaits in between: the loop sees both in one event.
            #expect(send(peer, "last", 4, 0) == 4)
            switch end {
            case .shutdown: #expect(Glibc.shutdown(peer, Int32(SHUT_WR)) == 0)
            case .close: #expect(Glibc.close(peer) == 0)
            }
            #expect(await stream.waitReadable() == .ready)
            #expect(stream.readText() == (.bytes(4), "last"))
            #expect(stream.readText().0 == .ended)
            if end == .shutdown { close(peer) }
        }
    }

    @Test func theEndThatWasThereBeforeTheStreamIsSeen() async throws {
        try await withLoop { loop, _ in
            let (first, peer) = try await StreamPair.unix.make(on: loop)
            let descriptor = dup(first.descriptor)
            first.close()
            #expect(send(peer, "last", 4, 0) == 4)
            close(peer)
            let stream = try ByteStream(takingOwnershipOf: descriptor, on: loop)
            defer { stream.close() }
            #expect(stream.readText() == (.bytes(4), "last"))
            #expect(await stream.waitReadable() == .ready)
            #expect(stream.readText().0 == .ended)
        }
    }

    @Test(arguments: StreamPair.allCases) func aFullSocketBlocksUntilThePeerReads(_ pair: StreamPair) async throws {
        try await withLoop { loop, _ in
            let (stream, peer) = try await pair.make(on: loop)
            defer {
                stream.close()
                close(peer)
            }
            let block = String(repeating: "x", count: 64 << 10)
            var written = 0
            while case .bytes(let count) = stream.writeText(block) { written += count }
            #expect(written > 0)
            #expect(stream.writeText("y") == .wouldBlock)
            loop.after(.milliseconds(1)) {
                var bytes = [UInt8](repeating: 0, count: written)
                var left = written
                while left > 0 {
                    let count = recv(peer, &bytes, left, 0)
                    if count <= 0 { break }
                    left -= count
                }
            }
            #expect(await stream.waitWritable() == .ready)
            #expect(stream.writeText("y") == .bytes(1))
        }
    }

    @Test func aSweepWakesWhoIsLate() async throws {
        try await withLoop { loop, _ in
            let (stream, peer) = try await StreamPair.unix.make(on: loop)
            defer {
                stream.close()
                close(peer)
            }
            #expect(stream.readText().0 == .wouldBlock)
            stream.readDeadline = 1_000
            var isOver = false
            loop.after(.milliseconds(1)) {
                stream.sweep(at: 0)
                stream.sweep(at: 999)
            }
            // Whoever was woken before runs before.
            loop.after(.milliseconds(5)) {
                #expect(!isOver)
                stream.sweep(at: 1_000)
            }
            #expect(await stream.waitReadable() == .timedOut)
            isOver = true
        }
    }

    /// Else its reader would go on with a descriptor that may be another's by then.
    @Test func aStreamThatIsClosedInTheTurnThatWokeItIsClosed() async throws {
        try await withLoop { loop, _ in
            let (stream, peer) = try await StreamPair.unix.make(on: loop)
            defer { close(peer) }
            #expect(stream.readText().0 == .wouldBlock)
            loop.after(.milliseconds(1)) {
                stream.descriptorIsReady(.readable)
                stream.close()
            }
            #expect(await stream.waitReadable() == .interrupted)
        }
    }

    /// The server closes what does not end by itself, and the handler answers later: into nobody's connection.
    @Test func aClosedStreamTouchesNobodysDescriptor() async throws {
        try await withLoop { loop, _ in
            var ends: [Int32] = [-1, -1]
            try #require(
                socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0
            )
            defer { for end in ends { close(end) } }
            var isReused = false
            // Other tests may be faster to take the number.
            for _ in 0..<100 where !isReused {
                let (stream, peer) = try await StreamPair.unix.make(on: loop)
                stream.close()
                let reused = fcntl(ends[0], F_DUPFD, stream.descriptor)
                isReused = reused == stream.descriptor
                #expect(stream.writeText("for another") == .failed(EBADF))
                stream.endWriting()
                #expect(stream.readText() == (.failed(EBADF), ""))
                close(peer)
                close(reused)
            }
            #expect(isReused)
            var byte: UInt8 = 0
            #expect(recv(ends[1], &byte, 1, 0) == -1 && errno == EAGAIN)
        }
    }

    @Test func closingAndInterruptingWakeTheReader() async throws {
        try await withLoop { loop, _ in
            let (stream, peer) = try await StreamPair.unix.make(on: loop)
            defer { close(peer) }
            #expect(stream.readText().0 == .wouldBlock)
            loop.after(.milliseconds(1)) { stream.interruptReader() }
            #expect(await stream.waitReadable() == .interrupted)
            loop.after(.milliseconds(1)) { stream.close() }
            #expect(await stream.waitReadable() == .interrupted)
            #expect(await stream.waitReadable() == .interrupted)
            #expect(await stream.waitWritable() == .interrupted)
        }
    }
}
