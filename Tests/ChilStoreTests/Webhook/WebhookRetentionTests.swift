import ChilCore
import ChilDatabase
import ChilTestSupport
import Testing

@testable import ChilStore

private struct EventCount: Statement {
    static let sql = SQL("select count(*) from webhook_event")
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

/// For how long events are kept.
@Suite struct WebhookRetentionTests {
    @Test("P-06 events go by the tenant's own limit, with their deliveries") func eventsGoByTheTenantsLimit()
        async throws
    {
        try await TestStore.withOwnDatabase { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            for one in [tenant, other] {
                _ = try await WebhookOutboxTests.endpoint(one, [.quotaWarn])
                try await WebhookOutboxTests.emit(one, 3)
            }
            let all = try await WebhookOutboxTests.claim(store)
            let items = all.filter { $0.tenant == tenant.id }
            #expect(try await WebhookEnd(items[0], .delivered(status: 200), at: noon).answer(from: store.service))
            #expect(
                try await WebhookEnd(items[1], .dead(pausing: .zero, status: nil, "f"), at: noon).answer(
                    from: store.service
                )
            )
            try await store.script("update webhook_event set at = '2026-06-01T12:00:00Z'")
            func sweep(_ one: TestTenant, _ days: Int) async throws -> Int {
                _ = try await Sweep(of: one.id, at: noon + .seconds(days * 86_400)).run(on: store.service)
                return try await WebhookOutboxTests.deliveries(one).count
            }
            func keep(_ days: Int32?, _ one: TestTenant) async throws {
                _ = try await RetentionSet(.webhooks, to: days, of: one.id, note: one.note()).run(
                    on: store.operatorRole
                )
            }
            try await keep(nil, tenant)
            #expect(try await sweep(tenant, 10_000) == 3, "for ever")
            try await keep(90, tenant)
            #expect(try await sweep(tenant, 90) == 3)
            // What is still to be sent stays, however old.
            #expect(try await sweep(tenant, 91) == 1)
            #expect(try await store.administrator.run(EventCount(), .read, of: nil) == [4])
            // The other has said nothing: what holds for everybody.
            for item in all where item.tenant == other.id {
                #expect(try await WebhookEnd(item, .delivered(status: 200), at: noon).answer(from: store.service))
            }
            #expect(try await sweep(other, 30) == 3)
            #expect(try await sweep(other, 31) == 0)
            #expect(try await store.administrator.run(EventCount(), .read, of: nil) == [1])
        }
    }
}
