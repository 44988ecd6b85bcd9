import ChilCore
import ChilDatabase
import ChilStore
import Testing

@Suite struct ImageEndpointTests {
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func servicesAreAskedInTheirOrder(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let first = try await tenant.imageEndpoint(
                .openai,
                url: "https://a.example/v1",
                party: "openai",
                key: [1, 9]
            )
            let second = try await tenant.imageEndpoint()
            let ahead = try await tenant.imageEndpoint(.localai, url: "https://b.example", position: 1)
            _ = try await tenant.imageEndpoint(.animatedDrawings, url: "https://m.example")
            #expect(try await list(tenant).map(\.id) == [ahead, first, second])
            #expect(try await list(tenant, .motion).map(\.kind) == [.animatedDrawings])
            #expect(try await list(other).isEmpty)
            let endpoint = try #require(try await list(tenant).first { $0.id == first })
            #expect(
                endpoint.sealedKey == [1, 9] && endpoint.disclosedTo == "openai" && endpoint.timeout == .seconds(60)
            )

            #expect(
                try await tenant.change(first) {
                    $0.position = 99
                    $0.model = "gpt-image-1"
                    $0.disclosedTo = ""
                    $0.timeout = .seconds(5)
                }
            )
            let changed = try #require(try await list(tenant).last)
            #expect(changed.id == first && changed.model == "gpt-image-1" && changed.disclosedTo == nil)
            #expect(changed.sealedKey == [1, 9] && changed.timeout == .seconds(5))
            #expect(try await remove(first, other) == false)
            #expect(try await remove(first, tenant))
            #expect(try await remove(first, tenant) == false)
            #expect(try await list(tenant).map(\.id) == [ahead, second])
        }
    }

    @Test func aCircuitOpensAndCloses() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let endpoint = try await tenant.imageEndpoint()
            func note(_ fault: String?, of tenant: TestTenant, at now: Timestamp = noon) async throws -> Int {
                try await ImageEndpointNote(endpoint, of: tenant.id, fault: fault, pausing: .seconds(30), at: now)
                    .touched(on: store.service)
            }
            #expect(try await note("refused", of: other) == 0)
            #expect(try await note("refused", of: tenant) == 1)
            #expect(try await note("refused again", of: tenant) == 1)
            var held = try #require(try await list(tenant).first)
            #expect(held.failures == 2 && held.lastFault == "refused again" && held.pausedUntil == noon + .seconds(30))
            #expect(try await note(nil, of: tenant, at: noon + .seconds(40)) == 1)
            held = try #require(try await list(tenant).first)
            #expect(held.failures == 0 && held.lastFault == nil && held.pausedUntil == nil)
            #expect(held.lastUsedAt == noon + .seconds(40))
            // Well already: not written again at once.
            #expect(try await note(nil, of: tenant, at: noon + .seconds(45)) == 0)
        }
    }

    @Test func settingsAreOfOneTenant() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            func settings(_ tenant: TestTenant) async throws -> GenerationSettings? {
                try await GenerationSettingsOne(of: tenant.id).first(from: store.service)
            }
            #expect(try await settings(tenant) == nil)
            try await GenerationSettingsSet(
                recipe: "{wish}!",
                blockedWords: ["총", "gun"],
                of: tenant.id,
                note: tenant.note()
            )
            .run(on: store.operatorRole)
            try await GenerationSettingsSet(level: .easy, of: tenant.id, note: tenant.note()).run(
                on: store.operatorRole
            )
            #expect(
                try await settings(tenant)
                    == GenerationSettings(recipe: "{wish}!", level: .easy, blockedWords: ["총", "gun"])
            )
            try await GenerationSettingsSet(recipe: "", blockedWords: [], of: tenant.id, note: tenant.note())
                .run(on: store.operatorRole)
            #expect(try await settings(tenant) == GenerationSettings(level: .easy))
            #expect(try await settings(other) == nil)
        }
    }

    private func list(_ tenant: TestTenant, _ purpose: ImagePurpose = .generation) async throws -> [ImageEndpoint] {
        try await ImageEndpointList(for: purpose, of: tenant.id).rows(from: tenant.store.service)
    }

    private func remove(_ endpoint: ImageEndpointID, _ tenant: TestTenant) async throws -> Bool {
        try await ImageEndpointRemove(endpoint, from: tenant.id, note: tenant.note()).run(on: tenant.store.operatorRole)
    }
}
