import ChilLoop
import ChilTestSupport
import Glibc
import Testing

@Suite struct ConnectTests {
    @Test func aClosedPortRefuses() async throws {
        let listener = try Listener(on: .anyLoopbackPort)
        listener.close()
        try await withLoop { loop, _ in
            await #expect(throws: ByteStream.ConnectFailure.refused(ECONNREFUSED)) {
                _ = try await ByteStream.connect(to: listener.address, within: Duration.seconds(1).patient, on: loop)
            }
        }
    }

    /// A queue that is full drops what knocks: the client hears nothing.
    @Test func aSilentHostTimesOut() async throws {
        let listener = try Listener(on: .anyLoopbackPort)
        defer { listener.close() }
        #expect(listen(listener.descriptor, 0) == 0)
        try await withLoop { loop, _ in
            var waiting: [ByteStream] = []
            defer { for stream in waiting { stream.close() } }
            var failure: ByteStream.ConnectFailure?
            let begin = loop.monotonicNow
            while failure == nil, waiting.count < 8 {
                do {
                    waiting.append(
                        try await ByteStream.connect(to: listener.address, within: .milliseconds(50), on: loop)
                    )
                } catch let error as ByteStream.ConnectFailure {
                    failure = error
                }
            }
            #expect(failure == .timedOut)
            #expect(loop.monotonicNow - begin >= 50_000_000)
            #expect(loop.monotonicNow - begin < Int64(Duration.seconds(4).patient / .nanoseconds(1)))
        }
    }
}
