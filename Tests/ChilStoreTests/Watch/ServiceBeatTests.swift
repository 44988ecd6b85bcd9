import ChilCore
import ChilDatabase
import Testing

@testable import ChilStore

@Suite struct ServiceBeatTests {
    private static func beat(_ replica: String) -> ServiceBeat {
        ServiceBeat(
            replica: replica,
            release: "0.1.0",
            roles: "all",
            loops: 2,
            startedAt: Timestamp(seconds: 1_700_000_000)
        )
    }

    @Test func aServiceIsSeenWhileItSaysSo() async throws {
        try await TestStore.withOwnDatabase { store in
            var beat = Self.beat("one")
            beat.requests = 7
            beat.minutes = [1, 2, 3]
            beat.busy = [(TenantID(rawValue: 9), 5), (TenantID(rawValue: 8), 4)]
            try await beat.write(on: store.service)
            try await Self.beat("two").write(on: store.service)
            beat.requests = 8
            try await beat.write(on: store.service)
            let rows = try await store.operatorRole.run(ServiceBeatList(), .read, of: nil)
            #expect(rows.map(\.beat.replica) == ["one", "two"])
            #expect(rows.first?.beat == beat)
            #expect(rows.map(\.isThere) == [true, true])
            try await store.script(
                "update service_beat set seen_at = now() - interval '2 minutes' where replica = 'two'"
            )
            let later = try await store.operatorRole.run(ServiceBeatList(), .read, of: nil)
            #expect(later.map(\.isThere) == [true, false])
        }
    }

    @Test func whoIsGoneIsRemoved() async throws {
        try await TestStore.withOwnDatabase { store in
            for replica in ["one", "two", "three"] { try await Self.beat(replica).write(on: store.service) }
            try await ServiceBeat.remove("one", on: store.service)
            try await store.script(
                "update service_beat set seen_at = now() - interval '61 minutes' where replica = 'two'"
            )
            try await Self.beat("three").write(on: store.service)
            let rows = try await store.operatorRole.run(ServiceBeatList(), .read, of: nil)
            #expect(rows.map(\.beat.replica) == ["three"])
        }
    }

    /// It is bounded, whatever a service says.
    @Test func aBeatIsSmall() async throws {
        try await TestStore.withOwnDatabase { store in
            var beat = Self.beat("one")
            beat.minutes = (0..<500).map { Int32($0) }
            beat.busy = (1...5_000).map { (TenantID(rawValue: Int64($0)), 1) }
            try await beat.write(on: store.service)
            let row = try #require(try await store.operatorRole.run(ServiceBeatList(), .read, of: nil).first)
            #expect(row.beat.minutes == (440..<500).map { Int32($0) })
            #expect(row.beat.busy.count == ServiceBeat.tenantsMax)
        }
    }
}
