import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// What a provider tells, stored once and acted on once, of two tenants that know the same person.
@Suite struct ProviderEventTests {
    /// What of an identity and its sessions an event may change.
    private struct Person: Statement {
        struct Row: Equatable {
            var liveSessions: Int64
            var endReasons: String
            var token: String
            var relay: Bool?
            var isRevoked: Bool
        }

        static let sql = SQL(
            """
            select (select count(*) from session s where s.tenant_id = $1 and s.user_id = $2 and s.ended_at is null),
                   (select coalesce(string_agg(s.end_reason, ',' order by s.session_id), '') from session s where s.tenant_id = $1 and s.user_id = $2),
                   i.token_state || case when i.sealed_token is null then '' else ' kept' end, i.relay_enabled,
                   i.consent_revoked_at is not null
              from identity i where i.tenant_id = $1 and i.user_id = $2
            """
        )

        let tenant: TenantID
        let user: UserID

        func bind(_ values: inout BoundValues) {
            values.append(tenant)
            values.append(user)
        }

        static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
            Row(
                liveSessions: try row.int64(0),
                endReasons: row.text(1),
                token: row.text(2),
                relay: row.isNull(3) ? nil : try row.bool(3),
                isRevoked: try row.bool(4)
            )
        }
    }

    /// As the exchange of a code leaves it.
    private struct HoldToken: Statement {
        typealias Row = Void
        static let sql = SQL(
            """
            update identity set sealed_token = '\\x01', token_client_id = 'app', token_state = 'held', token_at = $3
             where tenant_id = $1 and user_id = $2
            """
        )
        let tenant: TenantID
        let user: UserID
        let at: Timestamp
        func bind(_ values: inout BoundValues) {
            values.append(tenant)
            values.append(user)
            values.append(at)
        }
    }

    private struct Outcomes: Statement {
        static let sql = SQL(
            "select kind || ' ' || subject || ' ' || coalesce(outcome, 'waits') from provider_event where tenant_id = $1 order by event_id"
        )
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
        static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
    }

    /// A tenant in a database of its own: the queue is shared by all.
    private struct Bed {
        let store: TestStore
        let tenant: TestTenant
        let other: TestTenant

        init(_ store: TestStore) async throws {
            self.store = store
            tenant = try await TestTenant(store)
            other = try await TestTenant(store)
        }

        func take(
            _ effect: ProviderEventTake.Effect,
            of subject: String,
            digest: [UInt8] = freshDigest(),
            happened: Timestamp = noon,
            at now: Timestamp = noon
        ) async throws -> Bool {
            let take = ProviderEventTake(
                .known(effect, of: subject),
                fresh(),
                in: tenant.id,
                provider: tenant.provider,
                digest: digest,
                happened: happened,
                at: now
            )
            return try await ProviderEventTake.run([take], of: tenant.id, on: store.service)[0]
        }

        func claim() async throws -> [WorkItem] {
            try await WorkClaim(countMax: 100, lease: .seconds(60), holder: "test").run(on: store.service)
        }

        /// Acts on all that waits.
        func apply(at now: Timestamp = noon) async throws -> [ProviderEventApply.Outcome] {
            var outcomes: [ProviderEventApply.Outcome] = []
            for item in try await claim() {
                #expect(item.kind == .event && item.tenant == tenant.id)
                outcomes.append(try await apply(item, at: now))
            }
            return outcomes
        }

        func apply(_ item: WorkItem, at now: Timestamp = noon) async throws -> ProviderEventApply.Outcome {
            try await ProviderEventApply(item, receipt: freshDigest(), pepper: testPepper, at: now)
                .answer(from: store.service).outcome
        }

        func person(_ user: UserID, of tenant: TestTenant? = nil) async throws -> Person.Row? {
            let statement = Person(tenant: (tenant ?? self.tenant).id, user: user)
            return try await store.administrator.run(statement, .read, of: nil).first
        }

        func outcomes() async throws -> [String] {
            try await store.administrator.run(Outcomes(tenant: tenant.id), .read, of: nil)
        }

        func holdToken(_ user: UserID, at moment: Timestamp = noon) async throws {
            _ = try await store.administrator.run(HoldToken(tenant: tenant.id, user: user, at: moment), .write, of: nil)
        }
    }

    private static func with(_ body: (Bed) async throws -> Void) async throws {
        for form in DatabaseConfiguration.SegmentForm.allCases {
            try await TestStore.withOwnDatabase(form) { try await body(try await Bed($0)) }
        }
    }

    @Test("P-14 consent-revoked ends the sessions and drops the provider's token")
    func consentRevoked() async throws {
        try await Self.with { bed in
            let user = try await bed.tenant.user("person")
            _ = try await bed.tenant.signIn("person").answer(from: bed.store.service)
            let bystander = try await bed.tenant.user("bystander")
            let namesake = try await bed.other.user("person")
            try await bed.holdToken(user)
            #expect(try await bed.take(.consentRevoked, of: "person"))
            #expect(try await bed.apply() == [.applied])
            #expect(
                try await bed.person(user)
                    == Person.Row(
                        liveSessions: 0,
                        endReasons: "consent-revoked,consent-revoked",
                        token: "dropped",
                        relay: nil,
                        isRevoked: true
                    )
            )
            let untouched = Person.Row(liveSessions: 1, endReasons: "", token: "none", relay: nil, isRevoked: false)
            #expect(try await bed.person(bystander) == untouched)
            #expect(try await bed.person(namesake, of: bed.other) == untouched)
            #expect(try await bed.claim().isEmpty)
            #expect(try await bed.outcomes() == ["consent-revoked person applied"])
            let audit = try await bed.tenant.auditedActions()
            #expect(audit.first == "provider.event consent-revoked: applied: 2 sessions")
        }
    }

    @Test("P-14 an event that comes late undoes nothing that was made after it")
    func late() async throws {
        try await Self.with { bed in
            let later = noon + .seconds(61)
            let user = try await bed.tenant.user("person")
            _ = try await bed.tenant.signIn("person", at: later).answer(from: bed.store.service)
            try await bed.holdToken(user, at: later)
            #expect(try await bed.take(.consentRevoked, of: "person", at: later))
            #expect(try await bed.apply(at: later) == [.applied])
            let person = try #require(try await bed.person(user))
            #expect(person.liveSessions == 1 && person.endReasons == "consent-revoked" && person.token == "held kept")
            #expect(!person.isRevoked)

            // The account is younger than the end of the one before it.
            #expect(try await bed.take(.accountDeleted, of: "person", happened: noon - .seconds(61), at: later))
            #expect(try await bed.apply(at: later) == [.stale])
            #expect(try await bed.person(user) != nil)

            // A provider whose clock is ahead says nothing of the future.
            _ = try await bed.tenant.signIn("person", at: later + .seconds(61)).answer(from: bed.store.service)
            #expect(try await bed.take(.consentRevoked, of: "person", happened: later + .seconds(9_999), at: later))
            #expect(try await bed.apply(at: later) == [.applied])
            #expect(try await bed.person(user)?.liveSessions == 1)
        }
    }

    @Test("P-14 account-delete deletes the account")
    func accountDelete() async throws {
        try await Self.with { bed in
            let user = try await bed.tenant.user("person")
            _ = try await bed.tenant.drawing(by: user)
            try await bed.holdToken(user)
            let namesake = try await bed.other.user("person")
            #expect(try await bed.take(.emailDisabled, of: "person"))
            #expect(try await bed.take(.accountDeleted, of: "person"))
            #expect(Set(try await bed.apply()) == [.applied])
            #expect(try await bed.person(user) == nil)
            #expect(try await UserOne(user, of: bed.tenant.id).first(from: bed.store.service)?.id == nil)
            #expect(try await bed.person(namesake, of: bed.other)?.liveSessions == 1)
            // Nothing names the person any more; the provider has no token of one whom it knows no more.
            let outcomes = try await bed.outcomes()
            #expect(outcomes.allSatisfy { !$0.contains("person") })
            #expect(try await bed.claim().isEmpty)
            #expect(try await bed.tenant.auditedActions().contains("account.delete 1 drawings"))
            // Whoever signs in with that subject now is somebody new.
            let next = try await bed.tenant.user("person", issued: noon + .seconds(1))
            #expect(next != user)
            #expect(try await bed.take(.accountDeleted, of: "nobody"))
            #expect(try await bed.apply() == [.nobody])
            #expect(try await bed.person(next)?.liveSessions == 1)
        }
    }

    @Test("P-14 a duplicate is stored once, and acted on once")
    func duplicates() async throws {
        try await Self.with { bed in
            let user = try await bed.tenant.user("person")
            let digest = freshDigest()
            let isNew = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 { group.addTask { try await bed.take(.consentRevoked, of: "person", digest: digest) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(isNew.count { $0 } == 1)
            let items = try await bed.claim()
            #expect(items.count == 1)
            // Two workers, of which one has lost its lease; then the same once more.
            let outcomes = try await withThrowingTaskGroup(of: ProviderEventApply.Outcome.self) { group in
                for _ in 0..<8 { group.addTask { try await bed.apply(items[0]) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .applied } == 1)
            #expect(outcomes.count { $0 == .lost } == 7)
            #expect(try await bed.person(user)?.endReasons == "consent-revoked")
            #expect(try await bed.take(.consentRevoked, of: "person", digest: digest) == false)
            #expect(try await bed.claim().isEmpty)
        }
    }

    @Test("P-14 the relay address is what was said last, whatever comes last")
    func relay() async throws {
        try await Self.with { bed in
            let user = try await bed.tenant.user("person")
            func say(_ effect: ProviderEventTake.Effect, _ seconds: Int64) async throws -> [ProviderEventApply.Outcome]
            {
                let moment = noon + .seconds(seconds)
                #expect(try await bed.take(effect, of: "person", happened: moment, at: noon + .seconds(100)))
                return try await bed.apply(at: noon + .seconds(100))
            }
            #expect(try await say(.emailDisabled, 10) == [.applied])
            #expect(try await bed.person(user)?.relay == false)
            #expect(try await say(.emailEnabled, 20) == [.applied])
            #expect(try await bed.person(user)?.relay == true)
            #expect(try await say(.emailDisabled, 15) == [.stale])
            #expect(try await bed.person(user)?.relay == true)
            #expect(try await bed.person(user)?.liveSessions == 1)
        }
    }

    /// A kind that is not known is kept for operators, and is no work; what is old is swept, what waits is not.
    @Test func unknownKindsAndTheSweeper() async throws {
        try await Self.with { bed in
            let unknown = ProviderEventTake(
                .unknown("something-new"),
                fresh(),
                in: bed.tenant.id,
                provider: bed.tenant.provider,
                digest: freshDigest(),
                happened: noon,
                at: noon
            )
            let isNew = try await ProviderEventTake.run([unknown], of: bed.tenant.id, on: bed.store.service)
            #expect(isNew == [true])
            #expect(try await bed.claim().isEmpty)
            #expect(try await bed.outcomes() == ["something-new  unknown kind"])
            #expect(try await bed.take(.emailEnabled, of: "nobody"))
            let eventLife = Duration.seconds(30 * 86_400)
            let late = noon + eventLife + .seconds(1)
            #expect(
                try await Sweep(of: bed.tenant.id, at: noon + eventLife).run(on: bed.store.service).providerEvents
                    == 0
            )
            #expect(try await Sweep(of: bed.other.id, at: late).run(on: bed.store.service).providerEvents == 0)
            #expect(try await Sweep(of: bed.tenant.id, at: late).run(on: bed.store.service).providerEvents == 1)
            #expect(try await bed.outcomes() == ["email-enabled nobody waits"])
        }
    }

    /// The other tenant's events are no one's here: not stored, not acted on.
    @Test func theWrongTenantIsRefused() async throws {
        try await Self.with { bed in
            let take = ProviderEventTake(
                .known(.accountDeleted, of: "person"),
                fresh(),
                in: bed.tenant.id,
                provider: bed.tenant.provider,
                digest: freshDigest(),
                happened: noon,
                at: noon
            )
            let error = await #expect(throws: DatabaseError.self) {
                try await ProviderEventTake.run([take], of: bed.other.id, on: bed.store.service)
            }
            #expect(error?.code == .forbidden)
            let waiting = try await bed.claim()
            #expect(waiting.isEmpty)
        }
    }

    @Test func clientsHaveTheirOwners() async throws {
        try await Self.with { bed in
            let owners = try await bed.store.service.run(ClientOwners(of: "app.\(bed.tenant.slug)"), .read, of: nil)
            #expect(owners == [bed.tenant.slug])
            #expect(try await bed.store.service.run(ClientOwners(of: "app"), .read, of: nil) == [])
        }
    }
}

/// Issuers' key sets, of no tenant.
@Suite struct KeySetRowsTests {
    @Test func theNewestIsKept() async throws {
        try await TestStore.withOwnDatabase { store in
            let url = "https://issuer.example/keys"
            func load(_ isException: Bool = false) async throws -> [UInt8]? {
                try await KeySetLoad(url: url, isException: isException).run(on: store.service)?.body
            }
            #expect(try await load() == nil)
            for (body, age) in [([2], 10), ([1], 20), ([3], 5)] as [([UInt8], Int64)] {
                try await KeySetKeep(body, url: url, isException: false, fetchedAt: noon - .seconds(age)).run(
                    on: store.service
                )
            }
            #expect(try await load() == [3])
            #expect(try await load(true) == nil)
            try await KeySetKeep([9], url: url, isException: true, fetchedAt: noon).run(on: store.service)
            #expect(try await load() == [3])
            #expect(try await load(true) == [9])
        }
    }
}
