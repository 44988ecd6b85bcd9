import ChilLoop
import Glibc
import Testing

@Suite struct StreamAlarmTests {
    @Test func aWaitEndsAtItsDeadline() async throws {
        try await withLoop { loop, _ in
            let (stream, peer) = try await StreamPair.unix.make(on: loop)
            let alarm = StreamAlarm(for: stream)
            defer {
                alarm.disarm()
                stream.close()
                close(peer)
            }
            #expect(stream.readText().0 == .wouldBlock)
            let deadline = loop.deadline(in: .milliseconds(5))
            #expect(await alarm.waitReadable(until: deadline) == .timedOut)
            #expect(loop.monotonicNow >= deadline)
            #expect(await alarm.waitReadable(until: deadline) == .timedOut)
        }
    }

    @Test(arguments: [[500, 100], [100, 200], [100, 150, 200], [100, 100]])
    func deadlinesMayMoveEitherWay(_ milliseconds: [Int]) async throws {
        try await withLoop { loop, _ in
            let (stream, peer) = try await StreamPair.unix.make(on: loop)
            let alarm = StreamAlarm(for: stream)
            defer {
                alarm.disarm()
                stream.close()
                close(peer)
            }
            #expect(stream.readText().0 == .wouldBlock)
            let deadlines = milliseconds.map { loop.deadline(in: .milliseconds($0)) }
            // All but the last wait end early by a byte; the timer that they leave must serve the last.
            for deadline in deadlines.dropLast() {
                loop.after(.milliseconds(1)) { send(peer, "x", 1, 0) }
                #expect(await alarm.waitReadable(until: deadline) == .ready)
                #expect(stream.readText() == (.bytes(1), "x"))
            }
            let last = try #require(deadlines.last)
            #expect(await alarm.waitReadable(until: last) == .timedOut)
            #expect(loop.monotonicNow >= last)
            #expect(loop.monotonicNow < last + 300_000_000)
        }
    }
}
