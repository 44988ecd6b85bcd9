import ChilCore
import ChilDatabase
import ChilStore
import ChilTestSupport
import Testing

@Suite struct OperatorTests {
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func directoryShowsWhatTheOperatorSet(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store)
            _ = try await TestTenant(store)
            try await tenant.limit(.drawings, to: 5)
            let entry = try #require(try await TenantDirectory.entry(slug: tenant.slug, from: store.service))
            #expect(
                entry.tenant.id == tenant.id && entry.tenant.state == .active && entry.tenant.timeZone == "Asia/Seoul"
            )
            #expect(entry.providers.map(\.id) == [tenant.provider])
            #expect(entry.providers[0].issuers == [TestTenant.issuer])
            #expect(entry.providers[0].clientIDs == ["app.\(tenant.slug)"])
            #expect(entry.providers[0].algorithms == ["ES256", "RS256"])
            #expect(entry.keys.map(\.keyID) == ["key-1"] && entry.keys[0].publicY == digest(of: 2))
            #expect(entry.limitedMetrics == [.drawings])
            #expect(try await TenantDirectory.entry(id: tenant.id, from: store.service)?.tenant.slug == tenant.slug)
            #expect(try await TenantDirectory.entry(slug: "nobody", from: store.service) == nil)
        }
    }

    @Test func stateChangesOnceAndIsAudited() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            func set(_ state: TenantRecord.State) async throws -> Bool {
                try await TenantSetState(tenant.id, to: state, note: tenant.note()).run(on: store.operatorRole)
            }
            #expect(
                try await [set(.active), set(.suspended), set(.suspended), set(.active)] == [false, true, false, true]
            )
            let states = try await tenant.auditedActions().filter { $0.hasPrefix("tenant.state") }
            #expect(states == ["tenant.state active", "tenant.state suspended"])
        }
    }

    @Test func aTenantMovesToAnotherTimeZone() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            func move(_ zone: String) async throws -> Bool {
                try await TenantSetTimeZone(zone, of: tenant.id, note: tenant.note()).run(on: store.operatorRole)
            }
            func zone(_ tenant: TestTenant) async throws -> String? {
                try await TenantDirectory.entry(slug: tenant.slug, from: store.service)?.tenant.timeZone
            }
            #expect(try await move("Europe/Berlin"))
            #expect(try await move("Europe/Berlin") == false)
            #expect(try await zone(tenant) == "Europe/Berlin")
            #expect(try await zone(other) == "Asia/Seoul")
            let trail = try await AuditTrail(of: tenant.id, countMax: 50).rows(from: store.operatorRole)
            #expect(trail.filter { $0.action == "tenant.time-zone" }.map(\.detail) == ["Europe/Berlin"])
        }
    }

    @Test func sessionsLiveAsTheOperatorSets() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            func set(_ idle: Int64?, _ absolute: Int64?) async throws -> Bool {
                let change = TenantSetSessions.Change(
                    idle: idle.map { .seconds($0) },
                    absolute: absolute.map { .seconds($0) }
                )
                return try await TenantSetSessions(change, of: tenant.id, note: tenant.note()).run(
                    on: store.operatorRole
                )
            }
            func settings(_ tenant: TestTenant) async throws -> SessionRules? {
                try await TenantDirectory.entry(slug: tenant.slug, from: store.service)?.tenant.sessionRules
            }
            let first = SessionRules(idle: .seconds(30 * 86_400), absolute: .seconds(90 * 86_400), countMax: nil)
            #expect(try await settings(tenant) == first)
            let key = try QuotaKey(.sessionsPerUser)
            #expect(try await set(600, nil))
            #expect(try await set(600, nil) == false)
            try await tenant.limit(key, to: 3)
            #expect(
                try await settings(tenant)
                    == SessionRules(idle: .seconds(600), absolute: first.absolute, countMax: 3)
            )
            let limits = try await store.operatorRole.run(SessionLimits(of: [tenant.id, other.id]), .read, of: nil)
            #expect(limits.first { $0.tenant == tenant.id }?.limit == 3)
            #expect(!limits.contains { $0.tenant == other.id })
            #expect(try await store.service.run(SessionLimits(of: [tenant.id]), .read, of: other.id).isEmpty)
            #expect(try await set(nil, 700))
            let unset = QuotaUnset(key, of: tenant.id, note: tenant.note())
            #expect(try await unset.run(on: store.operatorRole) == .removed)
            #expect(
                try await settings(tenant)
                    == SessionRules(idle: .seconds(600), absolute: .seconds(700), countMax: nil)
            )
            for (idle, absolute) in [(599, nil), (701, nil), (nil, 599)] as [(Int64?, Int64?)] {
                let error = await #expect(throws: DatabaseError.self) { _ = try await set(idle, absolute) }
                #expect(error?.constraint == "tenant_session_check")
            }
            #expect(try await settings(other) == first)
            let trail = try await tenant.auditedActions().filter { $0.hasPrefix("tenant.sessions") }
            #expect(
                trail == [
                    "tenant.sessions idle 600 s, absolute 700 s",
                    "tenant.sessions idle 600 s, absolute 7776000 s",
                ]
            )
        }
    }

    @Test func guestsAreServedAsTheOperatorSets() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            func set(_ isServed: Bool?, _ prints: Int32?, _ newGuest: UserID? = nil) async throws -> Bool {
                let change = TenantSetGuest.Change(isServed: isServed, printsPerDay: prints)
                return try await TenantSetGuest(change, of: tenant.id, newGuest: newGuest, note: tenant.note())
                    .run(on: store.operatorRole)
            }
            func guest(_ tenant: TestTenant) async throws -> Guest? {
                try await TenantDirectory.entry(slug: tenant.slug, from: store.service)?.tenant.guest
            }
            #expect(try await guest(tenant) == nil)
            // Nobody can be served as nobody.
            let error = await #expect(throws: DatabaseError.self) { _ = try await set(true, nil) }
            #expect(error?.constraint == "tenant_guest_check")
            let user: UserID = fresh()
            #expect(try await set(true, nil, user))
            #expect(try await guest(tenant)?.user == user)
            #expect(try await guest(tenant)?.printsPerDay == Guest.printsPerDayDefault)
            #expect(try await UserOne(user, of: tenant.id).first(from: store.service) != nil)
            #expect(try await set(true, 30) == false)
            #expect(try await set(nil, 100))
            #expect(try await set(false, nil))
            let off = try #require(try await TenantDirectory.entry(slug: tenant.slug, from: store.service)?.tenant)
            #expect(off.guest == nil && off.knownGuest == user)
            #expect(try await set(true, nil))
            #expect(try await guest(tenant)?.user == user)
            #expect(try await guest(tenant)?.printsPerDay == 100)
            for prints in [0, 100_001] as [Int32] {
                let error = await #expect(throws: DatabaseError.self) { _ = try await set(nil, prints) }
                #expect(error?.constraint == "tenant_guest_prints_check")
            }
            #expect(try await guest(other) == nil)
            let trail = try await tenant.auditedActions().filter { $0.hasPrefix("tenant.guest") }
            #expect(
                trail == [
                    "tenant.guest served, 100 prints a day", "tenant.guest not served, 100 prints a day",
                    "tenant.guest served, 100 prints a day", "tenant.guest served, 30 prints a day",
                ]
            )
        }
    }

    @Test func takenNamesAreConflicts() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let key = TenantKeyRecord(
                keyID: "k",
                state: .active,
                publicX: [1],
                publicY: [1],
                sealedPrivate: [1],
                createdAt: noon
            )
            let again = TenantCreate(
                fresh(),
                slug: tenant.slug,
                name: "x",
                timeZone: "UTC",
                guest: fresh(),
                key: key,
                note: tenant.note()
            )
            await expectConflict("tenant_slug_key") { _ = try await again.run(on: store.operatorRole) }

            // A production client id belongs to one tenant; a development one to each.
            func add(_ client: String, _ target: ClientsAdd.Target, to tenant: TestTenant) async throws {
                try await ClientsAdd([client], to: tenant.id, under: target, by: "t", at: noon, nextAudit: { fresh() })
                    .run(on: store.operatorRole)
            }
            let record = TestTenant.providerRecord(other.provider)
            let taken = "app.\(tenant.slug)"
            await expectConflict("provider_client_production_key") {
                try await add(taken, .existing(record), to: other)
            }
            let twice = "app.\(other.slug)"
            await expectConflict("provider_client_pkey") { try await add(twice, .existing(record), to: other) }
            let same = TestTenant.providerRecord(fresh())
            await expectConflict("provider_issuer_pkey") { try await add("new", .new(same), to: other) }
            for one in [tenant, other] {
                let issuer = ["https://dev.example"]
                let development = TestTenant.providerRecord(fresh(), issuers: issuer, isDevelopment: true)
                try await add("dev.app", .new(development), to: one)
            }

            _ = try await tenant.printer("desk")
            await expectConflict("printer_name_key") { _ = try await tenant.printer("desk") }
            _ = try await other.printer("desk")
        }
    }

    @Test func clientsAndPrintersAreRemoved() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let client = "app.\(tenant.slug)"
            func remove(_ tenant: TestTenant, _ provider: ProviderID) async throws -> Bool {
                try await ClientRemove(client, under: provider, of: tenant.id, note: tenant.note()).run(
                    on: store.operatorRole
                )
            }
            #expect(try await remove(other, other.provider) == false)
            #expect(try await remove(tenant, tenant.provider))
            #expect(try await remove(tenant, tenant.provider) == false)
            // Nobody signed in by the record: it is gone too, and the client id is free for others.
            #expect(try await ProviderList(of: tenant.id).rows(from: store.service).isEmpty)

            let desk = try await tenant.printer("desk"), hall = try await tenant.printer("hall", isDefault: true)
            let printers = try await PrinterList(of: tenant.id).rows(from: store.service)
            #expect(printers.map(\.id) == [hall, desk] && printers.map(\.isDefault) == [true, false])
            let removed = try await PrinterRemove(named: "hall", of: tenant.id, note: tenant.note()).run(
                on: store.operatorRole
            )
            #expect(removed?.id == hall)
            let second = try await PrinterRemove(named: "hall", of: tenant.id, note: tenant.note()).run(
                on: store.operatorRole
            )
            #expect(second == nil)
            #expect(try await PrinterList(of: tenant.id).rows(from: store.service).map(\.id) == [desk])
            let actions = try await tenant.auditedActions()
            #expect(actions.filter { $0.hasPrefix("printer.remove") }.count == 1)
            #expect(actions.filter { $0.hasPrefix("client.remove") }.count == 1)
        }
    }

    @Test func unknownTimeZoneIsRefused() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let key = TenantKeyRecord(
                keyID: "k",
                state: .active,
                publicX: [1],
                publicY: [1],
                sealedPrivate: [1],
                createdAt: noon
            )
            let create = TenantCreate(
                fresh(),
                slug: "zone-\(tenant.slug)",
                name: "x",
                timeZone: "Mars/Base",
                guest: nil,
                key: key,
                note: tenant.note()
            )
            let error = await #expect(throws: DatabaseError.self) { _ = try await create.run(on: store.operatorRole) }
            #expect(error?.sqlState == "22023")
        }
    }

    private func expectConflict(_ constraint: String, _ body: () async throws -> Void) async {
        let error = await #expect(throws: DatabaseError.self) { try await body() }
        #expect(error?.code == .conflict)
        #expect(error?.constraint == constraint)
    }
}
