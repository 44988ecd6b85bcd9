import ChilCore
import ChilDatabase
import ChilTestSupport
import Testing

@testable import ChilStore

/// The deliveries of a tenant: `type subject state attempts`, oldest first.
private struct DeliveryLook: Statement {
    static let sql = SQL(
        """
        select d.type || ' ' || v.subject || ' ' || d.state || ' ' || d.attempts
          from webhook_delivery d
          join webhook_event v on v.tenant_id = $1 and v.event_id = d.event_id and v.type = d.type
         where d.tenant_id = $1 order by d.work_id
        """
    )

    let tenant: TenantID

    func bind(_ values: inout BoundValues) { values.append(tenant) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

private struct Rush: Statement {
    typealias Row = Void
    static let sql = SQL("update work set run_at = now() where tenant_id = $1")
    let tenant: TenantID
    func bind(_ values: inout BoundValues) { values.append(tenant) }
}

/// Events are made with what happened, and deliveries come to an end. On databases of their own: the queue is of all tenants.
@Suite struct WebhookOutboxTests {
    static func endpoint(_ tenant: TestTenant, _ types: [WebhookType]) async throws -> WebhookEndpointID {
        let id: WebhookEndpointID = fresh()
        let draft = WebhookAdd.Draft(
            url: "https://hooks.example/chil",
            types: types,
            allowedPrivateEndpoint: nil,
            sealedSecret: [1, 2, 3]
        )
        try await WebhookAdd(id, to: tenant.id, draft, note: tenant.note()).run(on: tenant.store.operatorRole)
        return id
    }

    static func deliveries(_ tenant: TestTenant) async throws -> [String] {
        try await tenant.store.operatorRole.run(DeliveryLook(tenant: tenant.id), .read, of: tenant.id)
    }

    static func claim(
        _ store: TestStore,
        _ countMax: Int = 10,
        full: [TenantID] = [],
        busy: [(TenantID, WebhookEndpointID)] = []
    ) async throws -> [WorkItem] {
        try await WebhookClaim(
            countMax: countMax,
            lease: .seconds(60),
            holder: "test",
            fullTenants: full,
            busyEndpoints: busy
        ).run(on: store.service)
    }

    static func emit(_ tenant: TestTenant, _ count: Int, _ type: WebhookType = .quotaWarn) async throws {
        for _ in 0..<count {
            let event: WebhookEventID = fresh()
            try await tenant.store.script(
                "select chil_emit(\(tenant.id.rawValue), \(event.rawValue), '\(type.rawValue)', 'quota', '\"used\":8', now())"
            )
        }
    }

    @Test func aUserADrawingAndTheirEndAreToldOnce() async throws {
        try await TestStore.withOwnDatabase { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            _ = try await Self.endpoint(tenant, WebhookType.allCases)
            let signIn = tenant.signIn("person")
            guard
                case .accepted(let user, true) = try await signIn.answer(
                    from: store.service,
                    then: UserCreatedTell(signIn)
                )
            else {
                Issue.record("no user")
                return
            }
            // The same person again is no new user.
            let again = tenant.signIn("person")
            _ = try await again.answer(from: store.service, then: UserCreatedTell(again))
            let create = tenant.create(by: user.id)
            #expect(try await create.answer(from: store.service, then: DrawingCreatedTell(create)) == .created)
            let drawing = create.draft.id
            for _ in 0..<2 {
                let delete = DrawingDelete(
                    drawing,
                    of: user.id,
                    in: tenant.id,
                    note: userNote(),
                    isLimited: false,
                    isTold: true
                )
                _ = try await delete.answer(from: store.service)
            }
            let end = AccountDelete(
                user.id,
                of: tenant.id,
                as: fresh(),
                receiptDigest: freshDigest(),
                pepper: testPepper,
                by: .user(requestID: "r"),
                audit: fresh(),
                at: noon
            )
            _ = try await end.run(on: store.service)
            let (who, what) = (user.id.rawValue, drawing.rawValue)
            #expect(
                try await Self.deliveries(tenant) == [
                    "user.created \(who) pending 0", "drawing.created \(what) pending 0",
                    "drawing.deleted \(what) pending 0", "user.deleted \(who) pending 0",
                ]
            )
            #expect(try await Self.deliveries(other) == [])
        }
    }

    /// A refused create tells nothing, and whoever wants nothing gets nothing.
    @Test func whatDidNotHappenIsNotTold() async throws {
        try await TestStore.withOwnDatabase { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            _ = try await Self.endpoint(tenant, [.drawingCreated])
            try await tenant.limit(.drawings, to: 0)
            let user = try await tenant.user()
            let create = tenant.create(by: user)
            #expect(
                try await create.answer(from: store.service, then: DrawingCreatedTell(create)) == .overQuota(.drawings)
            )
            let foreign = try await other.user()
            let unheard = other.create(by: foreign)
            #expect(try await unheard.answer(from: store.service, then: DrawingCreatedTell(unheard)) == .created)
            let delete = DrawingDelete(
                fresh(),
                of: user,
                in: tenant.id,
                note: userNote(),
                isLimited: true,
                isTold: true
            )
            #expect(try await delete.answer(from: store.service) == false)
            #expect(try await Self.deliveries(tenant) == [])
            #expect(try await Self.deliveries(other) == [])
            #expect(try await Self.claim(store).isEmpty)
        }
    }

    @Test func aReusedRefreshTokenIsToldOnce() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store)
            _ = try await TestTenant(store)
            _ = try await Self.endpoint(tenant, [.sessionReuse])
            let session: SessionID = fresh()
            let user = try await tenant.user(session: session)
            func refresh(_ counter: Int32, at now: Timestamp) async throws -> SessionRefresh.Outcome {
                let refresh = SessionRefresh(
                    session,
                    of: tenant.id,
                    counter: counter,
                    audit: fresh(),
                    caller: testCaller,
                    at: now,
                    living: SessionRules(idle: .seconds(1_000), absolute: .seconds(10_000), countMax: nil)
                )
                return try await refresh.answer(from: store.service, then: SessionReuseTell(refresh))
            }
            _ = try await refresh(1, at: noon)
            _ = try await refresh(2, at: noon)
            #expect(try await Self.deliveries(tenant) == [])
            #expect(try await refresh(1, at: noon + .seconds(1)) == .reused)
            #expect(try await refresh(1, at: noon + .seconds(2)) == .ended)
            #expect(try await Self.deliveries(tenant) == ["session.reuse \(user.rawValue) pending 0"])
        }
    }

    @Test func aPrintJobsTurnsAreTold() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store)
            _ = try await TestTenant(store)
            _ = try await Self.endpoint(tenant, [.printBlocked, .printCompleted, .printFailed])
            let owner = try await tenant.user()
            let printer = try await tenant.printer(isDefault: true)
            let job: PrintJobID = fresh()
            let create = PrintJobCreate(
                job,
                of: try await tenant.drawing(by: owner),
                by: owner,
                in: tenant.id,
                on: printer,
                scale: .large,
                copies: 1,
                caller: testCaller,
                at: noon,
                isLimited: false
            )
            _ = try await create.answer(from: store.service)
            let item = try #require(
                try await WorkClaim(countMax: 1, lease: .seconds(60), holder: "t").run(on: store.service).first
            )
            var step = 0
            for state: PrintJobState in [.submitting, .blocked, .blocked, .printing, .blocked, .completed] {
                step += 1
                let advance = PrintJobAdvance(
                    item,
                    to: state,
                    reason: state == .blocked ? "media-empty" : nil,
                    machine: "m",
                    again: state == .completed ? nil : .seconds(1),
                    at: noon + .seconds(step)
                )
                #expect(try await advance.answer(from: store.service).isStored)
            }
            let number = job.rawValue
            #expect(
                try await Self.deliveries(tenant) == [
                    "print.blocked \(number) pending 0", "print.blocked \(number) pending 0",
                    "print.completed \(number) pending 0",
                ]
            )
            #expect(
                try await tenant.auditedActions().filter { $0.hasPrefix("print-job.end") } == [
                    "print-job.end completed"
                ]
            )
        }
    }

    /// A backlog of one endpoint leaves the turns of the others.
    @Test func theQueueIsTakenInTurns() async throws {
        try await TestStore.withOwnDatabase { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let loud = try await Self.endpoint(tenant, [.quotaWarn])
            let quiet = try await Self.endpoint(other, [.quotaWarn])
            try await Self.emit(tenant, 30)
            try await Self.emit(other, 1)
            let first = try await Self.claim(store)
            #expect(first.filter { $0.tenant == tenant.id }.count == WebhookClaim.countPerEndpoint)
            #expect(first.filter { $0.tenant == other.id }.map(\.subject) == [quiet.rawValue])
            #expect(try await Self.claim(store, busy: [(tenant.id, loud)]).isEmpty)
            #expect(try await Self.claim(store, full: [tenant.id]).isEmpty)
            #expect(try await Self.claim(store).count == WebhookClaim.countPerEndpoint)
            // The other work's claim does not see them.
            #expect(try await WorkClaim(countMax: 100, lease: .seconds(1), holder: "t").run(on: store.service).isEmpty)
        }
    }

    @Test func aDeliveryIsTriedAgainThenDeadThenReplayed() async throws {
        try await TestStore.withOwnDatabase { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let endpoint = try await Self.endpoint(tenant, [.quotaWarn])
            try await Self.emit(tenant, 1)
            let first = try #require(try await Self.claim(store).first)
            let task = try #require(try await WebhookLoad(first).first(from: store.service))
            #expect(task.event.type == "quota.warn" && task.event.data == "\"used\":8" && task.isPending)
            #expect(task.endpoint.types == ["quota.warn"] && task.tenantSlug == tenant.slug)
            let again = WebhookEnd.Outcome.again(
                after: .seconds(5),
                pausing: .seconds(5),
                status: 500,
                "it answered 500"
            )
            #expect(try await WebhookEnd(first, again, at: noon).answer(from: store.service))
            #expect(try await Self.claim(store).isEmpty)
            _ = try await store.administrator.run(Rush(tenant: tenant.id), .write, of: nil)
            let second = try #require(try await Self.claim(store).first)
            // The lease of before is over.
            #expect(try await !WebhookEnd(first, .delivered(status: 200), at: noon).answer(from: store.service))
            let dead = WebhookEnd.Outcome.dead(pausing: .zero, status: nil, "no answer in time: the peer is slow")
            #expect(try await WebhookEnd(second, dead, at: noon).answer(from: store.service))
            let list = try await WebhookDeliveryList(of: tenant.id, state: .dead, countMax: 10).rows(
                from: store.operatorRole
            )
            #expect(list.map(\.attempts) == [2] && list.first?.lastFault == "no answer in time: the peer is slow")
            #expect(try await WebhookEndpointList(of: tenant.id).first(from: store.operatorRole)?.failures == 2)

            func replay(_ one: TestTenant, _ event: WebhookEventID?) async throws -> Int64 {
                try await WebhookReplay(of: one.id, to: nil, event: event, note: one.note()).answer(
                    from: store.operatorRole
                )
            }
            #expect(try await replay(other, nil) == 0)
            #expect(try await replay(tenant, nil) == 1)
            #expect(try await replay(tenant, nil) == 0)
            let third = try #require(try await Self.claim(store).first)
            #expect(third.subject == endpoint.rawValue)
            #expect(try await WebhookEnd(third, .delivered(status: 204), at: noon).answer(from: store.service))
            #expect(try await Self.deliveries(tenant).map { $0.hasSuffix("delivered 1") } == [true])
            #expect(try await WebhookEndpointList(of: tenant.id).first(from: store.operatorRole)?.failures == 0)
            // One event also if it was delivered.
            #expect(try await replay(tenant, list.first?.event) == 1)
            #expect(try await tenant.auditedActions().filter { $0.hasPrefix("webhook.replay") }.count == 2)
        }
    }

    /// 410: what is pending for it is dead, and it hears nothing more until an operator enables it.
    @Test func anEndpointThatIsGoneIsDisabled() async throws {
        try await TestStore.withOwnDatabase { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let endpoint = try await Self.endpoint(tenant, [.quotaWarn])
            let foreign = try await Self.endpoint(other, [.quotaWarn])
            try await Self.emit(tenant, 3)
            try await Self.emit(other, 1)
            let items = try await Self.claim(store, 10, busy: [(other.id, foreign)])
            let gone = WebhookEnd.Outcome.gone(status: 410, "it answered 410 Gone", audit: fresh())
            #expect(try await WebhookEnd(try #require(items.first), gone, at: noon).answer(from: store.service))
            #expect(try await Self.deliveries(tenant).allSatisfy { $0.contains(" dead ") })
            try await Self.emit(tenant, 1)
            #expect(try await Self.deliveries(tenant).count == 3)
            #expect(try await WebhookTypeList(of: tenant.id).rows(from: store.service).isEmpty)
            #expect(try await tenant.auditedActions().contains("webhook.disable it answered 410 Gone"))
            // The rest of the address may be a secret.
            #expect(try await tenant.auditedActions().contains("webhook.add https://hooks.example + 5 characters"))
            #expect(
                try await WebhookSet(.enable, of: endpoint, in: other.id, note: other.note()).run(
                    on: store.operatorRole
                ) == false
            )
            #expect(
                try await WebhookSet(.enable, of: endpoint, in: tenant.id, note: tenant.note()).run(
                    on: store.operatorRole
                )
            )
            #expect(try await tenant.auditedActions().contains("webhook.enable https://hooks.example + 5 characters"))
            try await Self.emit(tenant, 1)
            #expect(try await Self.deliveries(tenant).count == 4)
            #expect(try await Self.deliveries(other).map { $0.contains("pending") } == [true])
        }
    }

    /// However much is pending for an endpoint that is gone: it is disabled at once, and sweeps end the rest in pieces.
    @Test func anEndpointThatIsGoneIsDisabledWhateverIsPending() async throws {
        try await TestStore.withOwnDatabase { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            for one in [tenant, other] {
                _ = try await Self.endpoint(one, [.quotaWarn])
                try await store.script(
                    "select chil_emit(\(one.id.rawValue), n, 'quota.warn', 'quota', '\"used\":8', now()) from generate_series(1, 2500) n"
                )
            }
            func pending(_ one: TestTenant) async throws -> Int {
                try await Self.deliveries(one).count { $0.contains(" pending ") }
            }
            let item = try #require(try await Self.claim(store).first { $0.tenant == tenant.id })
            let gone = WebhookEnd.Outcome.gone(status: 410, "it answered 410 Gone", audit: fresh())
            #expect(try await WebhookEnd(item, gone, at: noon).answer(from: store.service))
            #expect(try await WebhookEndpointList(of: tenant.id).first(from: store.operatorRole)?.state == .disabled)
            #expect(try await WebhookTypeList(of: tenant.id).rows(from: store.service).isEmpty)
            #expect(try await pending(tenant) == 1_499)
            // Each that a worker meets meanwhile is dead, and puts nothing off.
            let next = try #require(try await Self.claim(store).first { $0.tenant == tenant.id })
            let dead = WebhookEnd.Outcome.dead(pausing: .zero, status: nil, "the endpoint is disabled")
            #expect(try await WebhookEnd(next, dead, at: noon).answer(from: store.service))
            var left: [Int] = []
            for _ in 0..<4 {
                left.append(try await Sweep(of: tenant.id, at: noon, countMax: 500).run(on: store.service).webhooks)
            }
            #expect(left == [500, 500, 498, 0])
            #expect(try await pending(tenant) == 0)
            #expect(try await pending(other) == 2_500)
        }
    }

    /// Of what is more than may wait, who was due first is dead, and can be replayed.
    @Test func soMuchMayWaitForAnEndpoint() async throws {
        try await TestStore.withOwnDatabase { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            for one in [tenant, other] {
                _ = try await Self.endpoint(one, [.quotaWarn])
                try await Self.emit(one, 8)
            }
            #expect(try await Sweep(of: tenant.id, at: noon, pendingMax: 8).run(on: store.service).webhooks == 0)
            #expect(
                try await Sweep(of: tenant.id, at: noon, countMax: 2, pendingMax: 5).run(on: store.service).webhooks
                    == 2
            )
            #expect(
                try await Sweep(of: tenant.id, at: noon, countMax: 2, pendingMax: 5).run(on: store.service).webhooks
                    == 1
            )
            let (lost, kept) = ("quota.warn quota dead 0", "quota.warn quota pending 0")
            #expect(
                try await Self.deliveries(tenant)
                    == Array(repeating: lost, count: 3) + Array(repeating: kept, count: 5)
            )
            #expect(try await Self.deliveries(other) == Array(repeating: kept, count: 8))
            let replay = WebhookReplay(of: tenant.id, to: nil, event: nil, note: tenant.note())
            #expect(try await replay.answer(from: store.operatorRole) == 3)
        }
    }

    /// An outage puts off what is due for the endpoint, and for no other.
    @Test func anOutagePausesItsEndpointAlone() async throws {
        try await TestStore.withOwnDatabase { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let loud = try await Self.endpoint(tenant, [.quotaWarn])
            _ = try await Self.endpoint(other, [.quotaWarn])
            try await Self.emit(tenant, 20)
            try await Self.emit(other, 1)
            let item = try #require(try await Self.claim(store, 1).first)
            #expect(item.tenant == tenant.id)
            let again = WebhookEnd.Outcome.again(after: .seconds(5), pausing: .seconds(60), status: nil, "timedOut")
            #expect(try await WebhookEnd(item, again, at: noon).answer(from: store.service))
            #expect(try await Self.claim(store).map(\.tenant) == [other.id])
            let endpoint = try await WebhookEndpointList(of: tenant.id).first(from: store.operatorRole)
            #expect(endpoint?.pausedUntil == noon + .seconds(60) && endpoint?.id == loud)
        }
    }
}
