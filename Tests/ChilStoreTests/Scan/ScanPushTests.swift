import ChilCore
import ChilDatabase
import Testing

@testable import ChilStore

/// Pushes that come again, from the same scanner or another.
@Suite struct ScanPushTests {
    private typealias Hall = ScanTests.Hall
    private typealias Sheet = ScanTests.Sheet

    /// A person's drawing, with an address for its printed page.
    private struct Session {
        let hall: Hall
        let drawing: DrawingID
        let digest = freshDigest()

        init(_ hall: Hall) async throws {
            self.hall = hall
            drawing = try await hall.tenant.drawing(by: hall.owner)
            #expect(try await open(by: hall) == .opened(until: noon + .seconds(7_200)))
        }

        func open(by hall: Hall) async throws -> ScanSessionCreate.Outcome? {
            try await ScanSessionCreate(
                digest,
                for: drawing,
                of: hall.owner,
                in: hall.tenant.id,
                at: noon,
                until: noon + .seconds(7_200)
            ).first(from: hall.store.service)
        }

        func door(at now: Timestamp = noon) async throws -> ScanDoor? { try await hall.door(digest, at: now) }

        func receive(_ sheet: Sheet, _ push: [UInt8], at now: Timestamp = noon) async throws -> ScanReceive.Outcome {
            let opened = ScanDoor(owner: hall.owner, scanner: nil, source: drawing, serial: nil)
            return try await hall.receive(sheet, push: push, through: opened, digest, at: now)
        }
    }

    /// Pages that wait, without work.
    private struct ManyScans: Statement {
        typealias Row = Void
        static let sql = SQL(
            """
            insert into scan (tenant_id, scan_id, owner_id, hash, byte_count, media_type, received_at)
            select $1, n, $2, sha256(int8send(n)), 1, 'image/jpeg', $3 from generate_series(1, $4::bigint) as n
            """
        )
        let hall: ScanTests.Hall
        let count: Int
        func bind(_ values: inout BoundValues) {
            values.append(hall.tenant.id)
            values.append(hall.owner)
            values.append(noon)
            values.append(Int64(count))
        }
    }

    private struct NoScans: Statement {
        typealias Row = Void
        static let sql = SQL("delete from scan where tenant_id = $1")
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
    }

    @Test func aSessionTakesThePagesOfOnePush() async throws {
        try await TestStore.with { store in
            let hall = try await Hall(store), other = try await Hall(store)
            let session = try await Session(hall)
            #expect(try await session.open(by: other) == .noDrawing)
            let door = try #require(try await session.door())
            #expect(door.owner == hall.owner && door.source == session.drawing && door.scanner == nil)
            #expect(door.serial == nil)
            #expect(try await other.door(session.digest) == nil)
            let push = freshDigest(), pages = [Sheet(10), Sheet(600_000), Sheet(20)]
            #expect(try await session.receive(pages[0], push) == .received)
            // Its scanner had no answer, and comes again with all pages; another push finds nobody.
            let soon = noon + .seconds(600)
            #expect(try await session.door(at: soon) == door)
            #expect(try await session.receive(pages[0], push, at: soon) == .repeated)
            #expect(try await session.receive(pages[1], push, at: soon) == .received)
            #expect(try await session.receive(pages[2], freshDigest(), at: soon) == .noDoor)
            // From its first use on, however often it comes.
            #expect(try await session.door(at: noon + .seconds(900)) == nil)
            #expect(try await session.door(at: noon + .seconds(7_200)) == nil)
            #expect(try await hall.rows() == "waiting,waiting 1 1 2 2")
            _ = try await Sweep(of: hall.tenant.id, at: noon + .seconds(7_201)).run(on: store.service)
            #expect(try await session.receive(pages[2], push) == .noDoor)
        }
    }

    @Test("what is not kept leaves the address unused", arguments: ["full", "unstaged", "repeated", "consent"])
    func whatIsNotKeptLeavesTheAddressUnused(_ why: String) async throws {
        try await TestStore.with { store in
            let hall = try await Hall(store), other = try await Hall(store)
            let session = try await Session(hall), page = Sheet(600_000)
            switch why {
            case "full":
                let many = ManyScans(hall: hall, count: ScanReceive.waitingMax)
                _ = try await store.administrator.run(many, .write, of: nil)
                #expect(try await session.receive(page, freshDigest()) == .full)
                #expect(try await other.receive(Sheet(10)) == .received)
                _ = try await store.administrator.run(NoScans(tenant: hall.tenant.id), .write, of: nil)
            case "unstaged":
                let receive = ScanReceive(
                    fresh(),
                    push: freshDigest(),
                    through: try #require(try await session.door()),
                    session.digest,
                    of: hall.tenant.id,
                    showing: page.facts,
                    bytes: nil,
                    requestID: nil,
                    at: noon
                )
                #expect(try await receive.answer(from: store.service) == .unstaged)
            case "repeated":
                let known = Sheet(10)
                #expect(try await hall.receive(known) == .received)
                #expect(try await session.receive(known, freshDigest()) == .repeated)
            default:
                try await require([.collect], in: hall.tenant)
                guard case .noConsent = try await session.receive(page, freshDigest()) else {
                    Issue.record("kept without consent")
                    return
                }
                try await require([], in: hall.tenant)
            }
            // Long after: as if nothing had come.
            let later = noon + .seconds(3_600)
            #expect(try await session.door(at: later) != nil)
            #expect(try await session.receive(page, freshDigest(), at: later) == .received)
        }
    }

    private func require(_ scopes: [ConsentScope], in tenant: TestTenant) async throws {
        try await TenantSetConsent(scopes: scopes, notice: 1, of: tenant.id, note: tenant.note())
            .run(on: tenant.store.operatorRole)
    }

    /// What one person has is nothing to another: no answer tells of it, and each has their own.
    @Test func theSamePageOfTwoPeopleIsTwo() async throws {
        try await TestStore.withOwnDatabase { store in
            let hall = try await Hall(store), stranger = try await Hall(store)
            let sibling = try await Hall(beside: hall, name: "sibling")
            for page in [Sheet(700), Sheet(600_000)] {
                for one in [hall, sibling, stranger] { #expect(try await one.receive(page) == .received) }
                for one in [hall, sibling, stranger] { #expect(try await one.receive(page) == .repeated) }
            }
            #expect(try await hall.rows() == "waiting,waiting,waiting,waiting 0 0 4 4")
            var owners: [UserID] = []
            for _ in 0..<6 {
                let item = try await hall.item()
                owners.append(try #require(try await ScanLoad(item).first(from: store.service)).owner)
                let shown = Sheet(300)
                let settle = ScanSettle(
                    item,
                    as: fresh(),
                    titled: nil,
                    showing: shown.facts,
                    bytes: shown.bytes,
                    at: noon
                )
                #expect(try await settle.answer(from: store.service) == .created)
            }
            #expect(Set(owners).count == 3)
            #expect(try await hall.rows() == "done,done,done,done 4 8 0 0")
            #expect(try await stranger.rows() == "done,done 2 4 0 0")
        }
    }

    /// Of a person who scans without end others notice nothing.
    @Test func oneTenantTakesOnlySomeTurns() async throws {
        try await TestStore.withOwnDatabase { store in
            let hall = try await Hall(store), other = try await Hall(store)
            for _ in 0..<6 { #expect(try await hall.receive(Sheet(10)) == .received) }
            #expect(try await other.receive(Sheet(10)) == .received)
            func claim(full: [TenantID] = []) async throws -> [TenantID] {
                let share = ShareClaim(
                    countMax: 8,
                    lease: .seconds(60),
                    holder: "test",
                    fullTenants: full,
                    countPerTenant: 2
                )
                return try await ScanClaim(share).run(on: store.service).map(\.tenant)
            }
            let items = try await claim()
            #expect(items.count { $0 == hall.tenant.id } == 2 && items.count { $0 == other.tenant.id } == 1)
            #expect(try await claim(full: [hall.tenant.id]).isEmpty)
            #expect(try await WorkClaim(countMax: 10, lease: .zero, holder: "test").run(on: store.service).isEmpty)
            #expect(try await claim() == [hall.tenant.id, hall.tenant.id])
        }
    }

    /// What is refused takes nothing, of windows neither, and nobody hears of it.
    @Test func aRefusedPageTakesNoQuota() async throws {
        try await TestStore.withOwnDatabase { store in
            let hall = try await Hall(store), other = try await Hall(store)
            let drawings = try QuotaKey(.drawings, .tenant, .day), bytes = try QuotaKey(.storageBytes)
            for one in [hall, other] {
                try await one.tenant.limit(drawings, to: 5)
                try await one.tenant.limit(bytes, to: 1_000)
            }
            func used() async throws -> [Int64?] {
                let quotas = try await hall.tenant.quotas()
                return [drawings, bytes].map { key in quotas.first { $0.key == key }?.used }
            }
            // For the picture there is room, for the page beside it there is none.
            for attempt in 0..<3 {
                #expect(try await hall.receive(Sheet(600)) == .received)
                let item = try await hall.item()
                let outcome = try await hall.settle(item, Sheet(500))
                #expect(outcome == .overQuota(.storageBytes), "\(attempt)")
                let fail = ScanFail(item, because: "quota-exceeded", audit: fresh(), at: noon)
                #expect(try await fail.answer(from: store.service))
            }
            #expect(try await used() == [0, 0])
            let told = UserEventPage(of: hall.owner, in: hall.tenant.id, after: UserEventID(rawValue: 0), countMax: 9)
            #expect(try await told.rows(from: store.service).isEmpty)
            #expect(try await hall.receive(Sheet(600)) == .received)
            #expect(try await hall.settle(try await hall.item(), Sheet(400)) == .created)
            #expect(try await used() == [1, 1_000])
            #expect(try await told.rows(from: store.service).map(\.type) == ["drawing.created"])
            #expect(try await hall.tenant.differences().isEmpty)
        }
    }

    /// A page that is shown as it came is one image, and counts once.
    @Test func aPageThatIsItsOwnPictureCountsOnce() async throws {
        try await TestStore.withOwnDatabase { store in
            let hall = try await Hall(store), other = try await Hall(store)
            let page = Sheet(600)
            for one in [hall, other] {
                try await one.tenant.limit(.storageBytes, to: 1_000)
                #expect(try await one.receive(page) == .received)
            }
            let item = try await hall.item()
            let owning = item.tenant == hall.tenant.id ? hall : other
            #expect(try await owning.settle(item, page) == .created)
            #expect(try await owning.tenant.used(.storageBytes) == 600)
            #expect(try await owning.tenant.differences().isEmpty)
        }
    }
}
