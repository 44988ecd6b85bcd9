import ChilCore
import ChilDatabase
import ChilLoop
import ChilTestSupport
import Synchronization
import Testing

private struct Notify: Statement {
    static let sql = SQL("select pg_notify('driver', $1)")
    let payload: String
    func bind(_ values: inout BoundValues) { values.append(payload) }
}

@Suite struct NotificationTests {
    @Test func aNotificationIsHeardAndTheViewIsFresh() async throws {
        let url = try TestCluster.administratorURL()
        let heard = Mutex<[String]>([])
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
                while !freshness.isFresh(at: loop.monotonicNow) { await loop.sleep(.milliseconds(10)) }
                _ = try? await database.run(Notify(payload: "session 1 2"), .write, of: nil)
                await loop.sleep(.milliseconds(300))
                #expect(freshness.isFresh(at: loop.monotonicNow))
                listener.close()
                #expect(!freshness.isFresh(at: loop.monotonicNow))
            }
        }
        #expect(heard.withLock { $0 } == ["session 1 2"])
    }
}
