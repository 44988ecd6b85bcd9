import ChilCore
import ChilLoop
import ChilTestSupport
import Testing

@testable import ChilDatabase

/// Addresses that libpq cannot read are told before anybody connects, and what they hold is not.
@Suite struct DatabaseAddressTests {
    @Test(arguments: [
        "postgresql://chil_service@localhost/chil",
        "postgres://chil_service:p%40ss%2Fw%25@[::1]:5433/chil?sslmode=require",
        "postgresql://a:1,b:2/chil", "postgresql:///chil?host=/run/postgresql&user=chil_service", "postgresql://",
        "host=/run/postgresql dbname=chil password='a b@c/d'", "chil", "postgresql://u:pa?ss@host/chil",
    ])
    func whatLibpqReadsIsRight(_ url: String) {
        #expect(DatabaseAddress(url).fault == nil)
    }

    @Test(arguments: [
        "postgresql://chil_service:hush%zz@localhost/chil", "postgresql://chil_service:hush%00@localhost/chil",
        "postgresql://u@[::1/hush", "postgresql://u@localhost/chil?hush=1", "postgresql://u@localhost/chil?hush",
        "host=localhost password='hush", "host=localhost hush", "hush=1", "postgresql://u:a@hush@localhost/chil",
        "postgresql://u:hush/x@localhost/chil", "postgresql://u:12/hush@localhost/chil", "host=localhost port=hush",
    ])
    func whatItCannotReadIsToldWithoutIt(_ url: String) throws {
        let fault = try #require(DatabaseAddress(url).fault)
        #expect(!fault.contains("hush"), "\(fault)")
        #expect(fault.hasPrefix("cannot be read (libpq: ") || fault == "is cut in the wrong place", "\(fault)")
        #expect(!fault.hasSuffix("libpq: )"), "\(fault)")
    }

    /// By a lane, and by the one that listens.
    @Test func whyThereIsNoConnectionIsHeard() async throws {
        let thread = try LoopThread()
        defer { thread.loop.stop() }
        let lanes = Locked<[String?]>([])
        let listener = Locked<[String?]>([])
        var configuration = DatabaseConfiguration(url: "host=/nonexistent dbname=x password=hush")
        configuration.heardOfConnecting = { failure in lanes.withLock { $0.append(failure) } }
        let settings = configuration
        let isHeard = await LoopHome(thread.loop).run { loop in
            let client = DatabaseClient(settings, on: loop)
            client.open()
            defer { client.close() }
            let listening = NotificationListener(
                url: settings.url,
                channel: "chil",
                on: loop,
                freshness: NotificationFreshness(),
                received: { _ in },
                reconnected: {},
                heardOfConnecting: { failure in listener.withLock { $0.append(failure) } }
            )
            listening.open()
            defer { listening.close() }
            return await awaitUntil(.seconds(5)) {
                lanes.withLock { $0.count } > 1 && listener.withLock { $0.count } > 0
            }
        }
        #expect(isHeard)
        for said in lanes.withLock({ $0 }) + listener.withLock({ $0 }) {
            #expect(said?.contains("/nonexistent") == true)
            #expect(said?.contains("hush") == false && said?.contains("\n") == false)
        }
    }
}
