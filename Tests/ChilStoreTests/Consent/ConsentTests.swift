import ChilCore
import ChilDatabase
import ChilStore
import Testing

@Suite struct ConsentTests {
    private static let epson = ConsentScope.disclose("epson")

    /// What a guardian says, to the service.
    private static func say(
        _ scopes: [ConsentScope],
        given isGiven: Bool = true,
        by guardian: String? = "guardian-1",
        _ method: ConsentMethod? = .sms,
        notice: Int32? = 1,
        of user: UserID,
        in tenant: TestTenant,
        at now: Timestamp = noon
    ) async throws -> ConsentSay.Outcome {
        try await ConsentSay(
            ConsentSay.Saying(scopes, isGiven: isGiven, guardian: guardian, method: method, notice: notice),
            of: user,
            in: tenant.id,
            as: fresh(),
            by: .user(requestID: "request-7"),
            audit: fresh(),
            at: now
        ).answer(from: tenant.store.service)
    }

    private static func ask(_ scopes: [ConsentScope]?, notice: Int32? = nil, in tenant: TestTenant) async throws {
        let set = TenantSetConsent(scopes: scopes, notice: notice, of: tenant.id, note: tenant.note())
        try await set.run(on: tenant.store.operatorRole)
    }

    private static func upload(by user: UserID, in tenant: TestTenant, asks: Bool = true) async throws
        -> DrawingCreate.Outcome
    {
        let hash = freshDigest()
        return try await DrawingCreate(
            DrawingCreate.Draft(id: fresh(), type: .uploaded, title: nil, prompt: nil),
            of: user,
            in: tenant.id,
            showing: ImageFacts(hash: hash, byteCount: 1, mediaType: "image/png", width: 1, height: 1),
            bytes: [1],
            requestID: nil,
            at: noon,
            isLimited: false,
            asksConsent: asks
        ).answer(from: tenant.store.service)
    }

    private static func print(
        _ drawing: DrawingID,
        by user: UserID,
        on printer: PrinterID,
        as job: PrintJobID = fresh(),
        in tenant: TestTenant
    ) async throws -> PrintJobCreate.Outcome {
        try await PrintJobCreate(
            job,
            of: drawing,
            by: user,
            in: tenant.id,
            on: printer,
            scale: .large,
            copies: 1,
            caller: testCaller,
            at: noon,
            isLimited: false
        ).answer(from: tenant.store.service)
    }

    private static func partyPrinter(_ party: String?, in tenant: TestTenant) async throws -> PrinterID {
        let added = try await PrinterAdd(
            fresh(),
            to: tenant.id,
            name: "of \(party ?? "nobody")",
            uri: "ipp://192.0.2.9/print",
            isDefault: false,
            disclosedTo: party,
            note: tenant.note()
        ).run(on: tenant.store.operatorRole)
        guard case .added(let printer) = added else { throw DatabaseError(.broken, detail: "over a limit") }
        return printer.id
    }

    @Test("P-01 without consent nothing is kept; each method counts", arguments: ConsentMethod.allCases)
    func uploadsWait(_ method: ConsentMethod) async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let (ann, bob) = (try await tenant.user("ann"), try await tenant.user("bob"))
            // The same person at another tenant, which asks for nothing.
            let elsewhere = try await other.user("ann")
            #expect(try await Self.upload(by: ann, in: tenant) == .created)
            try await Self.ask([.collect], in: tenant)
            let missing = ConsentLack(scope: .collect, notice: 1)
            #expect(try await Self.upload(by: ann, in: tenant) == .noConsent(missing))
            #expect(try await Self.upload(by: elsewhere, in: other) == .created)
            #expect(try await Self.say([.collect], method, of: ann, in: tenant) == .recorded)
            #expect(try await Self.upload(by: ann, in: tenant) == .created)
            #expect(try await Self.upload(by: bob, in: tenant) == .noConsent(missing))
            let said = try await ConsentList(of: ann, in: tenant.id).rows(from: store.service)
            #expect(said.map(\.method) == [method] && said.map(\.guardian) == ["guardian-1"])
            #expect(try await ConsentList(of: ann, in: other.id).rows(from: store.service).isEmpty)
        }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func consentOfAnotherTenantsIsNone(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let ann = try await tenant.user("ann")
            try await Self.ask([.collect], in: tenant)
            try await Self.ask([.collect], in: other)
            // The other tenant has no such user, whoever says it.
            #expect(try await Self.say([.collect], of: ann, in: other) == .missing)
            #expect(try await Self.upload(by: ann, in: tenant) == .noConsent(ConsentLack(scope: .collect, notice: 1)))
        }
    }

    @Test("P-02 a raised notice is asked for anew") func aRaisedNoticeIsAskedForAnew() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let (ann, elsewhere) = (try await tenant.user(), try await other.user())
            for place in [tenant, other] { try await Self.ask([.collect], in: place) }
            #expect(try await Self.say([.collect], notice: 2, of: ann, in: tenant) == .noSuchNotice)
            #expect(try await Self.say([.collect], of: ann, in: tenant) == .recorded)
            #expect(try await Self.say([.collect], of: elsewhere, in: other) == .recorded)
            try await Self.ask(nil, notice: 2, in: tenant)
            #expect(try await Self.upload(by: ann, in: tenant) == .noConsent(ConsentLack(scope: .collect, notice: 2)))
            #expect(try await Self.upload(by: elsewhere, in: other) == .created)
            // What was said under the old one once more is no consent to the new one.
            #expect(try await Self.say([.collect], of: ann, in: tenant) == .unchanged)
            #expect(try await Self.upload(by: ann, in: tenant) == .noConsent(ConsentLack(scope: .collect, notice: 2)))
            #expect(try await Self.say([.collect], notice: 2, of: ann, in: tenant) == .recorded)
            #expect(try await Self.upload(by: ann, in: tenant) == .created)
            // A lower version does not bring the old consents back.
            try await Self.ask(nil, notice: 1, in: tenant)
            let policy = try await store.service.run(TenantByID(id: tenant.id), .read, of: nil).first?.consentPolicy
            #expect(policy == ConsentPolicy(scopes: [.collect], notice: 2))
        }
    }

    @Test("P-03 consent to keep is none to hand over") func consentToKeepIsNoneToHandOver() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let (ann, elsewhere) = (try await tenant.user(), try await other.user())
            let drawing = try await tenant.drawing(by: ann), foreign = try await other.drawing(by: elsewhere)
            let own = try await Self.partyPrinter(nil, in: tenant)
            let epson = try await Self.partyPrinter("epson", in: tenant)
            let hp = try await Self.partyPrinter("hp", in: tenant)
            let foreignEpson = try await Self.partyPrinter("epson", in: other)
            // A printer of a party's is like any other while the tenant asks for nothing.
            #expect(try await Self.print(drawing, by: ann, on: epson, in: tenant) == .created(epson))
            try await Self.ask([.collect, Self.epson], in: tenant)
            #expect(try await Self.say([.collect], of: ann, in: tenant) == .recorded)
            #expect(try await Self.upload(by: ann, in: tenant) == .created)
            let missing = ConsentLack(scope: Self.epson, notice: 1)
            #expect(try await Self.print(drawing, by: ann, on: epson, in: tenant) == .noConsent(missing))
            #expect(try await Self.print(drawing, by: ann, on: own, in: tenant) == .created(own))
            #expect(try await Self.print(drawing, by: ann, on: hp, in: tenant) == .created(hp))
            #expect(try await Self.print(foreign, by: elsewhere, on: foreignEpson, in: other) == .created(foreignEpson))
            #expect(try await Self.say([Self.epson], of: ann, in: tenant) == .recorded)
            #expect(try await Self.print(drawing, by: ann, on: epson, in: tenant) == .created(epson))
        }
    }

    @Test("P-04 consent that is taken back ends at once, and its rows stay") func whatIsTakenBackEnds() async throws {
        try await TestStore.withOwnDatabase { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            for place in [tenant, other] { try await Self.ask([.collect, Self.epson], in: place) }
            var jobs: [PrintJobID] = []
            for place in [tenant, other] {
                let ann = try await place.user("ann")
                let printer = try await Self.partyPrinter("epson", in: place)
                #expect(try await Self.say([.collect, Self.epson], of: ann, in: place) == .recorded)
                let drawing = try await place.drawing(by: ann)
                jobs.append(fresh())
                #expect(
                    try await Self.print(drawing, by: ann, on: printer, as: jobs.last!, in: place) == .created(printer)
                )
            }
            // Somebody works on both.
            let claim = WorkClaim(countMax: 8, lease: .seconds(60), holder: "test")
            let held = try await claim.run(on: store.service)
            #expect(Set(held.map(\.subject)) == Set(jobs.map(\.rawValue)))
            let ann = try await tenant.user("ann")
            #expect(
                try await Self.say(
                    [.collect, Self.epson],
                    given: false,
                    by: nil,
                    nil,
                    notice: nil,
                    of: ann,
                    in: tenant
                )
                    == .recorded
            )
            for scope in [ConsentScope.collect, Self.epson] {
                let isMissing = try await ConsentMissing(scope, of: ann, in: tenant.id).answer(from: store.service)
                #expect(isMissing)
            }
            #expect(try await Self.upload(by: ann, in: tenant) == .noConsent(ConsentLack(scope: .collect, notice: 1)))
            // The job is due again, and whoever worked on it writes nothing more; the other tenant's goes on.
            for item in held {
                let isTheirs = item.tenant == tenant.id
                let step = PrintJobAdvance(
                    item,
                    to: .submitting,
                    reason: nil,
                    machine: "x",
                    again: .seconds(60),
                    at: noon
                )
                #expect(try await step.answer(from: store.service).isStored == !isTheirs)
            }
            #expect(try await claim.run(on: store.service).map(\.subject) == [jobs[0].rawValue])

            // Taken back again, or never given: nothing is written.
            #expect(
                try await Self.say([.collect], given: false, by: nil, nil, notice: nil, of: ann, in: tenant)
                    == .unchanged
            )
            let said = try await ConsentList(of: ann, in: tenant.id).rows(from: store.service)
            #expect(said.map(\.isGiven).filter { $0 }.count == 2 && said.count == 4)
            #expect(
                try await tenant.auditedActions().filter { $0.hasPrefix("consent") } == [
                    "consent.withdraw collect disclose:epson", "consent.give collect disclose:epson, sms, notice 1",
                ]
            )
            // Given anew, it holds.
            #expect(try await Self.say([.collect], of: ann, in: tenant) == .recorded)
            #expect(try await Self.upload(by: ann, in: tenant) == .created)
        }
    }

    /// The order is the database's: of many who say it at once, one row is written for each change.
    @Test func manyAtOnceHaveAnOrder() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let (ann, elsewhere) = (try await tenant.user(), try await other.user())
            #expect(try await Self.say([.collect], of: elsewhere, in: other) == .recorded)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        _ = try await Self.say([.collect], given: number % 2 == 0, of: ann, in: tenant)
                    }
                }
                try await group.waitForAll()
            }
            let said = try await store.administrator.run(Sequences(tenant: tenant.id, user: ann), .read, of: nil)
            #expect(said.map(\.0) == Array(1...Int64(said.count)))
            #expect(zip(said, said.dropFirst()).allSatisfy { $0.1 != $1.1 })
            let ofOther = try await store.administrator.run(
                Sequences(tenant: other.id, user: elsewhere),
                .read,
                of: nil
            )
            #expect(ofOther.map(\.0) == [1])
        }
    }

    /// Whoever makes a drawing by the function and does not say that consent is none of the tenant's matters is asked for it.
    @Test func theGateIsInTheFunction() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            try await Self.ask([.collect], in: tenant)
            for (place, expected) in [(tenant, "consent 1 collect"), (other, "created")] {
                let user = try await place.user()
                let verdict = try await store.service.run(
                    PlainCreate(tenant: place.id, user: user),
                    .write,
                    of: place.id
                )
                #expect(verdict == [expected])
            }
        }
    }

    private struct PlainCreate: Statement {
        static let sql = SQL(
            """
            select chil_create_drawing($1, $2, $3, 'UPLOADED', null, null, sha256('x'), 1, 'image/png', 1, 1, 'x', null, $4)
            """
        )
        let tenant: TenantID
        let user: UserID
        func bind(_ values: inout BoundValues) {
            values.append(tenant)
            values.append(user)
            values.append(fresh(DrawingID.self))
            values.append(noon)
        }
        static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
    }

    @Test("consent is only added to, by whoever is not the owner") func consentIsOnlyAddedTo() async throws {
        try await TestStore.with { store in
            for role in ["chil_service", "chil_operator"] {
                let rights = try await store.administrator.run(Rights(role: role), .read, of: nil)
                #expect(
                    rights == [
                        "consent INSERT", "consent SELECT", "consent_guardian INSERT", "consent_guardian SELECT",
                    ]
                )
            }
        }
    }

    private struct Sequences: Statement {
        static let sql = SQL(
            "select sequence::bigint, is_given from consent where tenant_id = $1 and user_id = $2 order by sequence"
        )
        let tenant: TenantID
        let user: UserID
        func bind(_ values: inout BoundValues) {
            values.append(tenant)
            values.append(user)
        }
        static func row(_ row: ResultRow) throws(DatabaseError) -> (Int64, Bool) { (try row.int64(0), try row.bool(1)) }
    }

    private struct Rights: Statement {
        static let sql = SQL(
            """
            select distinct table_name || ' ' || privilege_type from information_schema.role_column_grants
             where grantee = $1::text and table_name in ('consent', 'consent_guardian')
             union
            select table_name || ' ' || privilege_type from information_schema.role_table_grants
             where grantee = $1::text and table_name in ('consent', 'consent_guardian')
             order by 1
            """
        )
        let role: String
        func bind(_ values: inout BoundValues) { values.append(role) }
        static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
    }
}
