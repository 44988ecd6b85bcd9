import ChilCore
import ChilDatabase
import ChilStore
import ChilTestSupport
import Testing

/// Tokens of a printer's account at Epson: one gets a new one at a time, it is kept before it is used, and it is one tenant's.
@Suite struct EpsonAccountTests {
    private static func draft(_ name: String, _ kind: PrinterRecord.Kind = .epsonV2) -> EpsonPrinterAdd.Draft {
        EpsonPrinterAdd.Draft(
            name: name,
            kind: kind,
            isDefault: false,
            disclosedTo: "epson",
            address: kind == .epsonV1 ? "a@print.epsonconnect.com" : nil,
            clientID: "client",
            sealedSecret: [1, 2, 3],
            sealedAPIKey: kind == .epsonV2 ? [4] : nil,
            apiURL: "https://api.epsonconnect.com",
            authURL: "https://auth.epsonconnect.com",
            uploadURL: "https://upload.epsonconnect.com",
            isPrivate: false
        )
    }

    static func add(_ name: String, to tenant: TestTenant) async throws -> PrinterID {
        let id: PrinterID = fresh()
        let added = try await EpsonPrinterAdd(id, to: tenant.id, draft(name), note: tenant.note())
            .run(on: tenant.store.operatorRole)
        guard case .added(let record) = added else { throw DatabaseError(.conflict, detail: "\(added)") }
        #expect(record.kind == .epsonV2 && record.disclosedTo == "epson")
        return id
    }

    private static func account(_ printer: PrinterID, _ tenant: TestTenant) async throws -> EpsonAccount? {
        try await EpsonAccountLoad(of: printer, in: tenant.id).first(from: tenant.store.service)
    }

    private static func lease(
        _ printer: PrinterID,
        _ tenant: TestTenant,
        known: Int64,
        for length: Duration = .seconds(60)
    )
        async throws -> Int64?
    {
        try await EpsonTokenLease(of: printer, in: tenant.id, known: known, for: length).first(
            from: tenant.store.service
        )
    }

    private static func store(_ mark: UInt8, _ printer: PrinterID, _ tenant: TestTenant, under lease: Int64)
        async throws
        -> Int64?
    {
        try await EpsonTokenStore(
            under: lease,
            of: printer,
            in: tenant.id,
            sealedRefresh: [mark],
            sealedAccess: [mark, mark],
            until: noon + .seconds(3_600),
            deviceID: nil,
            at: noon
        ).first(from: tenant.store.service)
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func oneRenewsAtATime(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let printer = try await Self.add("home", to: tenant), foreign = try await Self.add("home", to: other)
            #expect(try await Self.account(printer, other) == nil)
            #expect(try await Self.lease(printer, other, known: 0) == nil)
            let first = try #require(try await Self.lease(printer, tenant, known: 0))
            #expect(try await Self.lease(printer, tenant, known: 0) == nil, "another has it")
            #expect(try await Self.lease(foreign, other, known: 0) != nil, "of another tenant nobody has")
            #expect(try await Self.store(7, printer, other, under: first) == nil)
            #expect(try await Self.store(7, printer, tenant, under: first) == 1)
            let kept = try #require(try await Self.account(printer, tenant))
            #expect(kept.sealedRefresh == [7] && kept.sealedAccess == [7, 7] && kept.tokenNumber == 1)
            #expect(try await Self.lease(printer, tenant, known: 0) == nil, "there is a newer token")

            // Whoever slept past the lease stores nothing over the next one's.
            let slow = try #require(try await Self.lease(printer, tenant, known: 1, for: .zero))
            let next = try #require(
                try await awaitLease { try await Self.lease(printer, tenant, known: 1) }
            )
            #expect(try await Self.store(8, printer, tenant, under: slow) == nil)
            try await EpsonTokenGiveUp(under: slow, of: printer, in: tenant.id, fault: "late", at: noon)
                .touched(on: store.service)
            #expect(try await Self.account(printer, tenant)?.fault == nil)
            try await EpsonTokenGiveUp(
                under: next,
                of: printer,
                in: tenant.id,
                fault: "reauthorization-required",
                at: noon
            ).touched(on: store.service)
            #expect(try await Self.account(printer, tenant)?.fault == "reauthorization-required")

            // What its owner gives anew counts, and ends what is under way.
            let lost = try #require(try await Self.lease(printer, tenant, known: 1))
            func authorize(_ tenant: TestTenant) async throws -> PrinterID? {
                try await EpsonAuthorize(
                    printer,
                    of: tenant.id,
                    sealedRefresh: [9],
                    sealedAccess: [9, 9],
                    until: noon,
                    note: tenant.note()
                ).first(from: store.operatorRole)
            }
            #expect(try await authorize(other) == nil)
            #expect(try await authorize(tenant) == printer)
            #expect(try await Self.store(6, printer, tenant, under: lost) == nil)
            let anew = try #require(try await Self.account(printer, tenant))
            #expect(anew.sealedRefresh == [9] && anew.fault == nil && anew.tokenNumber == 2)

            #expect(
                try await EpsonIdleAccounts(of: tenant.id, since: noon + .seconds(1), countMax: 9).rows(
                    from: store.service
                ) == [printer]
            )
            #expect(
                try await EpsonIdleAccounts(of: tenant.id, since: noon, countMax: 9).rows(from: store.service).isEmpty
            )
            #expect(
                try await EpsonIdleAccounts(of: other.id, since: noon + .seconds(1), countMax: 9).rows(
                    from: store.service
                ).isEmpty
            )
        }
    }

    /// The lease is over at once, by PostgreSQL's clock.
    private func awaitLease(_ ask: () async throws -> Int64?) async throws -> Int64? {
        var lease: Int64?
        try await awaitUntil(.seconds(5)) {
            lease = try await ask()
            return lease != nil
        }
        return lease
    }

    @Test func secretsAreSealedAnew() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let printer = try await Self.add("home", to: tenant)
            let lease = try #require(try await Self.lease(printer, tenant, known: 0))
            _ = try await Self.store(7, printer, tenant, under: lease)
            var seen: Set<String> = []
            for value in try await SealedValuesOfOthers(than: 200, of: tenant.id, after: nil, countMax: 50)
                .rows(from: store.operatorRole) where value.column.hasPrefix("epson_account.")
            {
                seen.insert(value.column)
                #expect(value.key == "\(printer.rawValue)")
                #expect(try await SealedValueReplace(value, of: tenant.id, by: [200]).answer(from: store.operatorRole))
                #expect(try await !SealedValueReplace(value, of: tenant.id, by: [201]).answer(from: store.operatorRole))
            }
            #expect(seen == [EpsonAccount.secretColumn, EpsonAccount.apiKeyColumn, EpsonAccount.refreshColumn])
            let account = try #require(try await Self.account(printer, tenant))
            #expect(account.sealedSecret == [200] && account.sealedAPIKey == [200] && account.sealedRefresh == [200])
        }
    }

    @Test func aPrinterWithoutRoomHasNoAccount() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            try await tenant.limit(.printers, to: 0)
            let id: PrinterID = fresh()
            let added = try await EpsonPrinterAdd(id, to: tenant.id, Self.draft("home"), note: tenant.note())
                .run(on: store.operatorRole)
            guard case .overQuota = added else {
                Issue.record("\(added)")
                return
            }
            #expect(try await Self.account(id, tenant) == nil)
        }
    }
}
