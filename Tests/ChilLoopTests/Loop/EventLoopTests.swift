import ChilCore
import ChilLoop
import ChilTestSupport
import Glibc
import Testing

@Suite struct EventLoopTests {
    @Test func timersFireInOrderAndCancelledOnesDoNot() async throws {
        let fired = try await withLoop { loop, _ in
            var fired: [Int] = []
            loop.after(Duration.milliseconds(150).patient) { fired.append(150) }
            loop.after(.milliseconds(5)) {
                fired.append(5)
                loop.after(.milliseconds(5)) { fired.append(10) }
            }
            let cancelled = loop.after(Duration.milliseconds(100).patient) { fired.append(100) }
            loop.after(.milliseconds(1)) { loop.cancel(cancelled) }
            await loop.sleep(Duration.milliseconds(160).patient)
            return fired
        }
        #expect(fired == [5, 10, 150])
    }

    @Test func everyGoesOnUntilItAnswersFalse() async throws {
        let count = try await withLoop { loop, _ in
            var count = 0
            loop.every(.milliseconds(1)) {
                count += 1
                return count < 3
            }
            while count < 3 { await loop.sleep(.milliseconds(1)) }
            await loop.sleep(.milliseconds(5))
            return count
        }
        #expect(count == 3)
    }

    @Test func callsFromOtherThreadsRunOnTheLoopInOrder() async throws {
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            thread.join()
        }
        let loop = thread.loop
        #expect(!loop.isCurrentThread)
        let seen = Locked<[(Int, Bool)]>([])
        await withCheckedContinuation { continuation in
            for number in 0..<1_000 {
                loop.post { seen.withLock { $0.append((number, loop.isCurrentThread)) } }
            }
            loop.post { continuation.resume() }
        }
        let calls = seen.withLock { $0 }
        #expect(calls.map(\.0) == Array(0..<1_000))
        #expect(calls.allSatisfy { $0.1 })
    }

    @Test func jobsFromOtherThreadsRunOnTheLoop() async throws {
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            thread.join()
        }
        let home = LoopHome(thread.loop)
        let answers = await withTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    await home.run { loop in
                        let before = loop.isCurrentThread
                        await Task.yield()
                        await loop.sleep(.milliseconds(1))
                        return before && loop.isCurrentThread
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: true, count: 100))
        #expect(!thread.loop.isCurrentThread)
    }

    /// Without the preference a continuation would come back by way of the global pool, which may be busy.
    @Test func whatRunsAtHomePrefersTheLoop() async throws {
        let prefersLoop = try await withLoop { loop, _ in
            await loop.sleep(.milliseconds(1))
            return withUnsafeCurrentTask { $0?.unownedTaskExecutor == loop.asUnownedTaskExecutor() }
        }
        #expect(prefersLoop)
    }

    @Test func aTaskMayPreferTheLoop() async throws {
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            thread.join()
        }
        let loop = thread.loop
        let isOnLoop = await Task(executorPreference: loop) { @concurrent in loop.isCurrentThread }.value
        #expect(isOnLoop)
    }

    @Test func jobsThatEnqueueJobsDoNotKeepTimersWaiting() async throws {
        let turns = try await withLoop { loop, home in
            let isOver = Locked(false)
            async let spinning = home.run { _ in
                var turns = 0
                while !isOver.withLock({ $0 }) {
                    turns += 1
                    await Task.yield()
                }
                return turns
            }
            await loop.sleep(.milliseconds(10))
            isOver.withLock { $0 = true }
            return await spinning
        }
        #expect(turns > 0)
    }

    @Test func whatAsksAtTheTurnsEndIsToldOnce() async throws {
        final class Ender: TurnEnder {
            var count = 0
            func turnEnds() { count += 1 }
        }
        let counts = try await withLoop { loop, _ in
            let ender = Ender()
            loop.atTurnEnd(ender)
            let before = ender.count
            await loop.sleep(.milliseconds(3))
            return [before, ender.count]
        }
        #expect(counts == [0, 1])
    }
}
