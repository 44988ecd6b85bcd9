import ChilCore
import ChilDatabase
import ChilStore
import ChilTestSupport
import Testing

@Suite struct ErasureTests {
    private static let day = Duration.seconds(86_400)

    private static func open(for user: UserID, in tenant: TestTenant) async throws -> ErasureRequest? {
        try await ErasureOpen(fresh(), for: user, of: tenant.id, reference: "letter-17", note: tenant.note())
            .run(on: tenant.store.operatorRole)
    }

    private static func sweep(_ tenant: TestTenant, at now: Timestamp) async throws -> RetentionSweep.Removed {
        try await RetentionSweep(of: tenant.id, audit: fresh(), at: now).run(on: tenant.store.service)
    }

    private static func requests(of tenant: TestTenant) async throws -> [ErasureRequest] {
        try await ErasureRequestList(of: tenant.id, includesClosed: true).rows(from: tenant.store.operatorRole)
    }

    @Test("P-10 a request is due in ten days; the audit says once that it is late") func aRequestIsDue() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let ann = try await tenant.user("ann")
            #expect(try await Self.open(for: ann, in: other) == nil, "a user of another tenant's")
            let request = try #require(try await Self.open(for: ann, in: tenant))
            #expect(request.dueAt == noon + Self.day * 10 && request.state == .open && request.reference == "letter-17")
            #expect(try await Self.open(for: ann, in: tenant) == nil, "one is open")
            #expect(
                !request.isOverdue(at: noon + Self.day * 10)
                    && request.isOverdue(at: noon + Self.day * 10 + .seconds(1))
            )

            #expect(try await Self.sweep(tenant, at: noon + Self.day * 10).overdue == 0)
            #expect(try await Self.sweep(other, at: noon + Self.day * 11).overdue == 0)
            #expect(try await Self.sweep(tenant, at: noon + Self.day * 11).overdue == 1)
            #expect(try await Self.sweep(tenant, at: noon + Self.day * 12).overdue == 0)
            let late = try await AuditTrail(of: tenant.id, countMax: 100).rows(from: store.operatorRole)
                .filter { $0.action == "erasure.overdue" }
            #expect(late.count == 1 && late.first?.target == "\(ann.rawValue)")
            #expect(late.first?.detail == "request \(request.id.rawValue)")
            #expect(try await Self.requests(of: other).isEmpty)
        }
    }

    @Test("P-10 the end of the account ends the request, whoever ended it") func theEndOfTheAccountEndsIt() async throws
    {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let (ann, bob) = (try await tenant.user("ann"), try await tenant.user("bob"))
            let elsewhere = try await Self.open(for: other.user("ann"), in: other)
            let request = try #require(try await Self.open(for: ann, in: tenant))
            let refused = try #require(try await Self.open(for: bob, in: tenant))
            let delete = tenant.delete(ann, at: noon + Self.day)
            #expect(try await delete.run(on: store.service) == .deleted(drawings: 0))
            let closed = try await ErasureRequestOne(request.id, of: tenant.id).first(from: store.operatorRole)
            #expect(closed?.state == .done && closed?.reference == nil && closed?.closedAt == noon + Self.day)

            let close = ErasureClose(
                refused.id,
                of: tenant.id,
                as: .refused(because: "not the guardian"),
                note: tenant.note()
            )
            let refusal = try await close.run(on: store.operatorRole)
            #expect(refusal?.state == .refused && refusal?.reason == "not the guardian" && refusal?.reference == nil)
            #expect(try await close.run(on: store.operatorRole) == nil)
            #expect(try await Self.requests(of: tenant).map(\.state).contains(.open) == false)
            // Asked again, it is a request again.
            #expect(try await Self.open(for: bob, in: tenant) != nil)
            // What is over is kept as receipts are.
            let late = try await Self.sweep(tenant, at: noon + Self.day * 402)
            #expect(late.erasureRequests == 2)
            #expect(try await Self.requests(of: tenant).map(\.state) == [.open])
            #expect(try await Self.requests(of: other) == [elsewhere])
        }
    }

    @Test("P-15 whose data was there, in one question") func whoIsAffected() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            func user(_ name: String, in place: TestTenant, at now: Timestamp) async throws -> UserID {
                guard case .accepted(let user, _) = try await place.signIn(name, at: now).answer(from: store.service)
                else { throw DatabaseError(.broken, detail: "sign-in refused") }
                return user.id
            }
            let before = try await user("before", in: tenant, at: noon - Self.day * 5)
            let gone = try await user("gone", in: tenant, at: noon - Self.day * 5)
            let during = try await user("during", in: tenant, at: noon)
            let after = try await user("after", in: tenant, at: noon + Self.day * 5)
            _ = try await user("elsewhere", in: other, at: noon)
            for (person, moment) in [(gone, noon - Self.day * 3), (during, noon + Self.day * 2)] {
                let delete = tenant.delete(person, at: moment)
                #expect(try await delete.run(on: store.service) == .deleted(drawings: 0))
            }
            func affected(_ data: AffectedUsers.Data = .account) async throws -> [UserID] {
                try await AffectedUsers(
                    of: tenant.id,
                    since: noon - Self.day,
                    until: noon + Self.day,
                    data: data,
                    after: UserID(rawValue: 0)
                ).rows(from: store.operatorRole).map(\.id)
            }
            #expect(try await affected() == [before, during])
            _ = after
            #expect(try await affected(.drawings) == [during], "who is gone counts whatever it had")
            _ = try await tenant.drawing(by: before)
            #expect(try await affected(.drawings) == [before, during])
            #expect(try await affected(.sessions) == [before, during])
            for data in [AffectedUsers.Data.consents, .printJobs] { #expect(try await affected(data) == [during]) }
        }
    }
}
