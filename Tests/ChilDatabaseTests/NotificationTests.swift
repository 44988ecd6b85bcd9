import ChilCore
import ChilDatabase
import ChilLoop
import ChilTestSupport
import Testing

private struct Notify: Statement {
    static let sql = SQL("select pg_notify('driver', $1)")
    let payload: String
    func bind(_ values: inout BoundValues) { values.append(payload) }
}

@Suite struct NotificationTests {
    @Test func aNotificationIsHeardAndTheViewIsFresh() async throws {
        let url = try TestCluster.administratorURL()
        let heard = Locked<[String]>([])
        let freshness = NotificationFreshness()
        try await withDatabase { database in
            let loop = database.loop
            await LoopHome(loop).run { loop in
                let listener = NotificationListener(
                    url: url,
                    channel: "driver",
                    on: loop,
                    freshness: freshness,
                    received: { payload in heard.withLock { $0.append(payload) } },
                    reconnected: {}
                )
                listener.open()
                await awaitUntil(.seconds(5)) { freshness.vouches(for: .max, at: loop.monotonicNow) }
                _ = try? await database.run(Notify(payload: "session 1 2"), .write, of: nil)
                await awaitUntil(.seconds(5)) { heard.withLock { !$0.isEmpty } }
                // Longer than one beat is good for: there are more of them.
                await loop.sleep(.milliseconds(400))
                let isFresh = await awaitUntil(.seconds(1)) { freshness.vouches(for: .max, at: loop.monotonicNow) }
                #expect(isFresh)
                listener.close()
                #expect(!freshness.vouches(for: .max, at: loop.monotonicNow))
            }
        }
        #expect(heard.withLock { $0 } == ["session 1 2"])
    }

    /// What is read while LISTEN is on its way may end without a word.
    @Test func nothingReadBeforeListeningIsVouchedFor() async throws {
        let url = try TestCluster.administratorURL()
        let freshness = NotificationFreshness()
        let begun = Locked<[Int64]>([])
        try await withDatabase { database in
            await LoopHome(database.loop).run { loop in
                let listener = NotificationListener(
                    url: url,
                    channel: "driver",
                    on: loop,
                    freshness: freshness,
                    received: { _ in },
                    reconnected: { begun.withLock { $0.append(loop.monotonicNow) } }
                )
                listener.open()
                await awaitUntil(.seconds(5)) {
                    if freshness.vouches(for: .max, at: loop.monotonicNow) { return true }
                    #expect(!freshness.vouches(for: loop.monotonicNow, at: loop.monotonicNow))
                    return false
                }
                let now = loop.monotonicNow
                let listened = begun.withLock { $0 }
                #expect(listened.count == 1)
                #expect(listened.allSatisfy { !freshness.vouches(for: $0, at: now) })
                #expect(freshness.vouches(for: now, at: now))
                listener.close()
            }
        }
    }
}
