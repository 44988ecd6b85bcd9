import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// What happens to what a person has is written for that person, with it or not at all.
@Suite struct UserEventTests {
    private static func events(of user: UserID, in tenant: TestTenant, after: UserEventID = UserEventID(rawValue: 0))
        async throws
        -> [UserEvent]
    {
        try await UserEventPage(of: user, in: tenant.id, after: after, countMax: 100).rows(from: tenant.store.service)
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func whatHappensIsToldToItsOwner(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.withOwnDatabase(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), sibling = try await tenant.user("sibling")
            let stranger = try await other.user()
            let drawing: DrawingID = fresh(), job: PrintJobID = fresh()
            _ = try await tenant.create(by: owner, id: drawing, type: .scanned).answer(from: store.service)
            _ = try await tenant.printer(isDefault: true)
            _ = try await PrintJobCreate(
                job,
                of: drawing,
                by: owner,
                in: tenant.id,
                on: nil,
                scale: .small,
                copies: 1,
                caller: testCaller,
                at: noon + .seconds(1),
                isLimited: false
            ).answer(from: store.service)
            let claimed = try await WorkClaim(countMax: 1, lease: .seconds(60), holder: "test").run(on: store.service)
            let item = try #require(claimed.first)
            for (state, reason, second) in [
                (PrintJobState.blocked, "paper \"A4\"\nempty", 2), (.blocked, "paper \"A4\"\nempty", 3),
                (.completed, nil, 4),
            ] {
                let step = PrintJobAdvance(
                    item,
                    to: state,
                    reason: reason,
                    machine: "step",
                    again: state == .completed ? nil : .seconds(60),
                    at: noon + .seconds(Int64(second))
                )
                #expect(try await step.answer(from: store.service).isStored)
            }
            let rename = DrawingRename(
                drawing,
                of: owner,
                in: tenant.id,
                to: "a \"cat\"",
                seen: noon,
                at: noon + .seconds(5)
            )
            let renamed = try #require(try await rename.first(from: store.service))
            #expect(renamed.updatedAt == noon + .seconds(5))
            // It is not as it was seen any more: nothing is changed, and nothing said.
            #expect(try await rename.first(from: store.service) == nil)
            let delete = DrawingDelete(
                drawing,
                of: owner,
                in: tenant.id,
                note: UserNote(audit: fresh(), requestID: "request-3", at: noon + .seconds(6)),
                isLimited: false
            )
            #expect(try await delete.answer(from: store.service))
            #expect(try await delete.answer(from: store.service) == false)

            let told = try await Self.events(of: owner, in: tenant)
            let print = "\"printJobId\":\(job.rawValue),\"drawingId\":\(drawing.rawValue)"
            #expect(
                told.map { "\($0.type) \($0.data)" } == [
                    "drawing.created \"drawingId\":\(drawing.rawValue),\"type\":\"SCANNED\",\"status\":\"READY\"",
                    "print-job.updated \(print),\"status\":\"queued\"",
                    // A step that changes nothing says nothing.
                    "print-job.updated \(print),\"status\":\"blocked\",\"reason\":\"paper \\\"A4\\\"\\nempty\"",
                    "print-job.updated \(print),\"status\":\"completed\"",
                    "drawing.updated \"drawingId\":\(drawing.rawValue),\"type\":\"SCANNED\",\"status\":\"READY\"",
                    "drawing.deleted \"drawingId\":\(drawing.rawValue)",
                ]
            )
            #expect(told.map(\.at) == [0, 1, 2, 4, 5, 6].map { noon + .seconds($0) })
            #expect(try await Self.events(of: owner, in: tenant, after: told[2].id) == Array(told[3...]))
            #expect(try await Self.events(of: sibling, in: tenant).isEmpty)
            #expect(try await Self.events(of: stranger, in: other).isEmpty)
            // The number of somebody else's is no key to what they have.
            #expect(try await Self.events(of: owner, in: other).isEmpty)
        }
    }

    @Test func whatIsRefusedIsNotTold() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), stranger = try await other.user()
            try await tenant.limit(.drawings, to: 1)
            let first = try await tenant.create(by: owner).answer(from: store.service)
            let second = try await tenant.create(by: owner).answer(from: store.service)
            #expect(first == .created && second == .overQuota(.drawings))
            #expect(try await Self.events(of: owner, in: tenant).count == 1)
            _ = try await other.drawing(by: stranger)
            #expect(try await Self.events(of: stranger, in: other).count == 1)
        }
    }

    @Test func manyInOneMillisecondAreAllThere() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), stranger = try await other.user()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<40 { group.addTask { _ = try await tenant.drawing(by: owner) } }
                try await group.waitForAll()
            }
            let told = try await Self.events(of: owner, in: tenant)
            #expect(told.count == 40 && Set(told.map(\.id)).count == 40)
            #expect(Set(told.map(\.at)) == [noon])
            #expect(try await Self.events(of: stranger, in: other).isEmpty)
        }
    }

    @Test func aLookShowsNothingWithoutALiveSession() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let session: SessionID = fresh(), foreign: SessionID = fresh()
            let owner = try await tenant.user(session: session)
            _ = try await tenant.user("sibling", session: foreign)
            _ = try await tenant.drawing(by: owner)
            func look(_ session: SessionID, in tenant: TestTenant, at now: Timestamp = noon) async throws -> Int? {
                let page = UserEventPage(of: owner, in: tenant.id, after: UserEventID(rawValue: 0), countMax: 10)
                return try await LiveLook(page, with: session).run(on: store.service, at: now)?.count
            }
            #expect(try await look(session, in: tenant) == 1)
            #expect(try await look(foreign, in: tenant) == nil)
            #expect(try await look(fresh(), in: tenant) == nil)
            #expect(try await look(session, in: other) == nil)
            #expect(try await look(session, in: tenant, at: noon + .seconds(1_000)) == nil)
        }
    }

    @Test func eventsGoWithTheAccountAndAfterADay() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), sibling = try await tenant.user("sibling")
            let stranger = try await other.user()
            for (tenant, user) in [(tenant, owner), (tenant, sibling), (other, stranger)] {
                _ = try await tenant.drawing(by: user)
            }
            _ = try await tenant.delete(owner).run(on: store.service)
            #expect(try await Self.events(of: owner, in: tenant).isEmpty)
            #expect(try await Self.events(of: sibling, in: tenant).count == 1)

            // A number's chance bits are behind its millisecond.
            for (moment, count) in [(UserEvent.life, 0), (UserEvent.life + .milliseconds(1), 1)] {
                let removed = try await Sweep(of: tenant.id, at: noon + moment).run(on: store.service)
                #expect(removed.userEvents == count)
            }
            #expect(try await Self.events(of: sibling, in: tenant).isEmpty)
            #expect(try await Self.events(of: stranger, in: other).count == 1)
        }
    }
}
