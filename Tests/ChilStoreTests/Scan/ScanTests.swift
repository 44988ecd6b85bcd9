import ChilCore
import ChilDatabase
import ChilStore
import Testing

@Suite struct ScanTests {
    /// Bytes of a page, or of the picture that is made of it.
    struct Sheet: Sendable {
        let bytes: [UInt8]
        let facts: ImageFacts

        init(_ count: Int, _ mediaType: String = "image/jpeg") {
            bytes = [UInt8](repeating: 7, count: count)
            facts = ImageFacts(
                hash: freshDigest(),
                byteCount: Int64(count),
                mediaType: mediaType,
                width: 30,
                height: 40
            )
        }
    }

    /// A tenant with a person who has a scanner.
    struct Hall: Sendable {
        let tenant: TestTenant
        let owner: UserID
        let digest = freshDigest()
        var store: TestStore { tenant.store }

        init(_ store: TestStore, name: String = "hall") async throws {
            tenant = try await TestTenant(store)
            owner = try await tenant.user()
            _ = try await add(name, digest)
        }

        /// Of another person in the same tenant.
        init(beside other: Hall, name: String) async throws {
            tenant = other.tenant
            owner = try await tenant.user(name)
            _ = try await add(name, digest)
        }

        func add(_ name: String, _ digest: [UInt8], serial: String? = nil) async throws -> ScannerRecord {
            try await ScannerAdd(
                fresh(),
                to: tenant.id,
                name: name,
                owner: owner,
                tokenDigest: digest,
                serial: serial,
                note: tenant.note()
            ).answer(from: store.operatorRole)
        }

        func door(_ digest: [UInt8]? = nil, at now: Timestamp = noon) async throws -> ScanDoor? {
            try await ScanDoorOpen(digest ?? self.digest, of: tenant.id, at: now).first(from: store.service)
        }

        /// Stages what is large, and hands it in.
        @discardableResult
        func receive(
            _ sheet: Sheet,
            as scan: ScanID = fresh(),
            push: [UInt8] = freshDigest(),
            through door: ScanDoor? = nil,
            _ digest: [UInt8]? = nil,
            at now: Timestamp = noon
        ) async throws -> ScanReceive.Outcome {
            let opened = try await self.door()
            let known = try #require(door ?? opened)
            if !sheet.facts.isInOneRow { try await stage(sheet, at: now) }
            return try await ScanReceive(
                scan,
                push: push,
                through: known,
                digest ?? self.digest,
                of: tenant.id,
                showing: sheet.facts,
                bytes: sheet.facts.isInOneRow ? sheet.bytes : nil,
                requestID: "request-8",
                at: now
            ).answer(from: store.service)
        }

        func stage(_ sheet: Sheet, chunks: Range<Int>? = nil, at now: Timestamp = noon) async throws {
            let until = now + .seconds(600)
            try await ImageStage(sheet.facts, of: owner, in: tenant.id, until: until).touched(on: store.service)
            for position in chunks ?? 0..<Int(sheet.facts.chunkCount) {
                let start = position * ImageFacts.chunkBytesMax
                let chunk = Array(sheet.bytes[start..<min(start + ImageFacts.chunkBytesMax, sheet.bytes.count)])
                let put = ImageChunkPut(
                    chunk,
                    at: Int32(position),
                    of: sheet.facts.hash,
                    owner: owner,
                    in: tenant.id
                )
                try await put.touched(on: store.service)
            }
        }

        func item(lease: Duration = .seconds(60)) async throws -> WorkItem {
            let share = ShareClaim(countMax: 1, lease: lease, holder: "test", fullTenants: [], countPerTenant: 1)
            return try #require(try await ScanClaim(share).run(on: store.service).first)
        }

        func settle(_ item: WorkItem, _ sheet: Sheet, as drawing: DrawingID = fresh()) async throws
            -> ScanSettle.Outcome
        {
            if !sheet.facts.isInOneRow { try await stage(sheet) }
            return try await ScanSettle(
                item,
                as: drawing,
                titled: "Cat",
                showing: sheet.facts,
                bytes: sheet.facts.isInOneRow ? sheet.bytes : nil,
                at: noon
            ).answer(from: store.service)
        }

        func rows() async throws -> String {
            try await store.administrator.run(ScanRows(tenant: tenant.id), .read, of: nil)[0]
        }
    }

    /// States of scans with their faults; counts of drawings, published and staged images, work.
    struct ScanRows: Statement {
        static let sql = SQL(
            """
            select concat_ws(
                ' ',
                (select string_agg(concat_ws(':', s.state, s.fault), ',' order by s.scan_id) from scan s where s.tenant_id = $1),
                (select count(*) from drawing d where d.tenant_id = $1),
                (select count(*) from image i where i.tenant_id = $1 and i.staged_until is null),
                (select count(*) from image i where i.tenant_id = $1 and i.staged_until is not null),
                (select count(*) from work w where w.tenant_id = $1 and w.kind = 'scan')
            )
            """
        )
        let tenant: TenantID
        func bind(_ values: inout BoundValues) { values.append(tenant) }
        static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
    }

    @Test(
        arguments: DatabaseConfiguration.SegmentForm.allCases,
        [[900, 500], [600_000, 300_000], [900, 300_000], [600_000, 500]]
    )
    func aPageBecomesADrawing(_ form: DatabaseConfiguration.SegmentForm, _ sizes: [Int]) async throws {
        try await TestStore.withOwnDatabase(form) { store in
            let hall = try await Hall(store)
            let other = try await Hall(store)
            let page = Sheet(sizes[0])
            #expect(try await hall.receive(page) == .received)
            #expect(try await hall.receive(page) == .repeated)
            #expect(try await hall.rows() == "waiting 0 0 1 1")
            let item = try await hall.item()
            let task = try #require(try await ScanLoad(item).first(from: store.service))
            #expect(task.owner == hall.owner && task.page.hash == page.facts.hash)
            let drawing: DrawingID = fresh()
            let shown = Sheet(sizes[1])
            #expect(try await hall.settle(item, shown, as: drawing) == .created)
            #expect(try await hall.settle(item, shown) == .lost)
            #expect(try await hall.rows() == "done 1 2 0 0")
            #expect(try await hall.receive(page) == .repeated)
            let original = try await DrawingOriginalOne(of: drawing, in: hall.tenant.id).first(from: store.service)
            #expect(original?.hash == page.facts.hash && original?.owner == hall.owner)
            #expect(try await DrawingOriginalOne(of: drawing, in: other.tenant.id).first(from: store.service) == nil)
            #expect(try await other.rows() == "0 0 0 0")
            // The same page of another tenant's is another page.
            #expect(try await other.receive(page) == .received)
            let delete = DrawingDelete(drawing, of: hall.owner, in: hall.tenant.id, note: userNote(), isLimited: true)
            #expect(try await delete.answer(from: store.service))
            #expect(try await hall.rows() == "0 0 0 0")
            #expect(try await other.rows() == "waiting 0 0 1 1")
        }
    }

    @Test func bothImagesAreCountedAndGivenBack() async throws {
        try await TestStore.withOwnDatabase { store in
            let hall = try await Hall(store)
            try await hall.tenant.limit(.drawings, to: 2)
            try await hall.tenant.limit(.storageBytes, to: 1_000)
            #expect(try await hall.receive(Sheet(600)) == .received)
            let drawing: DrawingID = fresh()
            #expect(try await hall.settle(try await hall.item(), Sheet(300), as: drawing) == .created)
            #expect(try await hall.tenant.used(.storageBytes) == 900)
            #expect(try await hall.tenant.used(.drawings) == 1)
            #expect(try await hall.tenant.differences().isEmpty)
            // There is room for the picture, and none for the page beside it: neither is kept.
            #expect(try await hall.receive(Sheet(90)) == .received)
            let item = try await hall.item()
            guard case .overQuota = try await hall.settle(item, Sheet(50)) else {
                Issue.record("more was kept than may be")
                return
            }
            #expect(try await hall.tenant.used(.storageBytes) == 900)
            #expect(try await hall.tenant.used(.drawings) == 1)
            let fail = ScanFail(item, because: "quota-exceeded", audit: fresh(), at: noon)
            #expect(try await fail.answer(from: store.service))
            #expect(try await fail.answer(from: store.service) == false)
            #expect(try await hall.rows() == "done,failed:quota-exceeded 1 2 0 0")
            let delete = DrawingDelete(drawing, of: hall.owner, in: hall.tenant.id, note: userNote(), isLimited: true)
            #expect(try await delete.answer(from: store.service))
            #expect(try await hall.tenant.used(.storageBytes) == 0)
            #expect(try await hall.tenant.differences().isEmpty)
        }
    }

    /// Two scans of one drawing's bytes share an image; it stays while one of them is there.
    @Test func aPageThatIsAlsoAnUploadStays() async throws {
        try await TestStore.withOwnDatabase { store in
            let hall = try await Hall(store)
            try await hall.tenant.limit(.storageBytes, to: 10_000)
            let page = Sheet(600)
            let upload: DrawingID = fresh()
            let create = hall.tenant.create(by: hall.owner, id: upload, hash: page.facts.hash, bytes: page.bytes)
            #expect(try await create.answer(from: store.service) == .created)
            #expect(try await hall.receive(page) == .received)
            let drawing: DrawingID = fresh()
            #expect(try await hall.settle(try await hall.item(), Sheet(300), as: drawing) == .created)
            #expect(try await hall.tenant.used(.storageBytes) == 900)
            for (gone, left) in [(upload, 900), (drawing, 0)] as [(DrawingID, Int64)] {
                let delete = DrawingDelete(gone, of: hall.owner, in: hall.tenant.id, note: userNote(), isLimited: true)
                #expect(try await delete.answer(from: store.service))
                #expect(try await hall.tenant.used(.storageBytes) == left)
            }
            #expect(try await hall.rows() == "0 0 0 0")
        }
    }

    @Test func whatIsMissingIsStagedAgain() async throws {
        try await TestStore.withOwnDatabase { store in
            let hall = try await Hall(store)
            let page = Sheet(600_000)
            let door = try #require(try await hall.door())
            try await hall.stage(page, chunks: 0..<2)
            let receive = ScanReceive(
                fresh(),
                push: freshDigest(),
                through: door,
                hall.digest,
                of: hall.tenant.id,
                showing: page.facts,
                bytes: nil,
                requestID: nil,
                at: noon
            )
            #expect(try await receive.answer(from: store.service) == .unstaged)
            #expect(try await hall.rows() == "0 0 1 0")
            #expect(try await hall.receive(page) == .received)
            // It waits longer than an upload does.
            _ = try await Sweep(of: hall.tenant.id, at: noon + .seconds(86_400)).run(on: store.service)
            #expect(try await hall.rows() == "waiting 0 0 1 1")
            _ = try await Sweep(of: hall.tenant.id, at: noon + .seconds(8 * 86_400)).run(on: store.service)
            #expect(try await hall.settle(try await hall.item(), Sheet(10)) == .unstaged)
        }
    }

    @Test func aFailedPageMayComeAgainAndGoesAfterAMonth() async throws {
        try await TestStore.withOwnDatabase { store in
            let hall = try await Hall(store)
            let page = Sheet(700)
            #expect(try await hall.receive(page) == .received)
            let fail = ScanFail(try await hall.item(), because: "unreadable", audit: fresh(), at: noon)
            #expect(try await fail.answer(from: store.service))
            #expect(try await hall.rows() == "failed:unreadable 0 0 0 0")
            #expect(try await hall.receive(page) == .received)
            #expect(try await hall.rows() == "waiting 0 0 1 1")
            let again = ScanFail(try await hall.item(), because: "unreadable", audit: fresh(), at: noon)
            #expect(try await again.answer(from: store.service))
            let month = noon + .seconds(31 * 86_400)
            #expect(try await Sweep(of: hall.tenant.id, at: month).run(on: store.service).scans == 1)
            #expect(try await hall.rows() == "0 0 0 0")
        }
    }

    /// The bytes stay for the page that follows, and go with the last one.
    @Test func aFailedPageOfADocumentTakesNoOtherWithIt() async throws {
        try await TestStore.withOwnDatabase { store in
            let hall = try await Hall(store), stranger = try await Hall(store)
            let page = Sheet(700)
            for one in [hall, stranger] { #expect(try await one.receive(page) == .received) }
            func number() async throws -> (WorkItem, Int?) {
                let item = try await hall.item()
                return (item, try await ScanLoad(item).first(from: store.service)?.pageNumber)
            }
            for count in 1...2 {
                var (item, place) = try await number()
                if item.tenant != hall.tenant.id { (item, place) = try await number() }
                #expect(place == count)
                let next: ScanID? = count == 1 ? fresh() : nil
                let fail = ScanFail(item, because: "unreadable", next: next, audit: fresh(), at: noon)
                #expect(try await fail.answer(from: store.service))
                #expect(try await fail.answer(from: store.service) == false)
                #expect(
                    try await hall.rows()
                        == (count == 1
                            ? "failed:unreadable,waiting 0 0 1 1" : "failed:unreadable,failed:unreadable 0 0 0 0")
                )
            }
            #expect(try await stranger.rows() == "waiting 0 0 1 1")
        }
    }

    @Test func aPageBringsTheNextOneOnce() async throws {
        try await TestStore.withOwnDatabase { store in
            let hall = try await Hall(store)
            let page = Sheet(700)
            #expect(try await hall.receive(page) == .received)
            for count in 1...3 {
                let item = try await hall.item()
                let shown = Sheet(100 * count)
                let settle = ScanSettle(
                    item,
                    as: fresh(),
                    titled: nil,
                    showing: shown.facts,
                    bytes: shown.bytes,
                    next: count < 3 ? fresh() : nil,
                    at: noon
                )
                #expect(try await settle.answer(from: store.service) == .created)
            }
            #expect(try await hall.rows() == "done,done,done 3 4 0 0")
            #expect(try await hall.tenant.differences().isEmpty)
            #expect(try await hall.receive(page) == .repeated)
        }
    }

    /// A worker that died comes back to find its lease another's.
    @Test func aLostLeaseWritesNothing() async throws {
        try await TestStore.withOwnDatabase { store in
            let hall = try await Hall(store)
            #expect(try await hall.receive(Sheet(700)) == .received)
            let dead = try await hall.item(lease: .zero)
            let alive = try await hall.item()
            #expect(alive.fence > dead.fence && alive.id == dead.id)
            #expect(try await hall.settle(dead, Sheet(10)) == .lost)
            #expect(
                try await ScanFail(dead, because: "x", audit: fresh(), at: noon).answer(from: store.service) == false
            )
            #expect(try await hall.rows() == "waiting 0 0 1 1")
            #expect(try await hall.settle(alive, Sheet(10)) == .created)
        }
    }

    @Test func doorsAreOpenedByTheirTenantsTokensAlone() async throws {
        try await TestStore.with { store in
            let hall = try await Hall(store)
            let other = try await Hall(store)
            #expect(try await hall.door()?.owner == hall.owner)
            #expect(try await hall.door(other.digest) == nil)
            let rotated = freshDigest()
            let rotate = ScannerRotate(
                named: "hall",
                of: hall.tenant.id,
                tokenDigest: rotated,
                note: hall.tenant.note()
            )
            let before = try #require(try await hall.door())
            #expect(try await rotate.first(from: store.operatorRole) != nil)
            #expect(try await hall.door() == nil)
            #expect(try await hall.door(rotated)?.owner == hall.owner)
            // Opened before, used after.
            #expect(try await hall.receive(Sheet(10), through: before) == .noDoor)
            #expect(try await other.door() != nil)
            let remove = ScannerRemove(named: "hall", of: hall.tenant.id, note: hall.tenant.note())
            #expect(try await remove.first(from: store.operatorRole)?.owner == hall.owner)
            #expect(try await remove.first(from: store.operatorRole) == nil)
            #expect(try await hall.door(rotated) == nil)
            #expect(try await other.door() != nil)
            #expect(try await ScannerList(of: other.tenant.id).rows(from: store.operatorRole).count == 1)
        }
    }

    @Test func anAccountEndsWithItsScannersAndPages() async throws {
        try await TestStore.withOwnDatabase { store in
            let hall = try await Hall(store)
            try await hall.tenant.limit(.storageBytes, to: 10_000)
            #expect(try await hall.receive(Sheet(700)) == .received)
            #expect(try await hall.settle(try await hall.item(), Sheet(300)) == .created)
            #expect(try await hall.receive(Sheet(100)) == .received)
            let item = try await hall.item()
            #expect(try await hall.tenant.delete(hall.owner).run(on: store.service) == .deleted(drawings: 1))
            #expect(try await hall.door() == nil)
            #expect(try await ScanLoad(item).first(from: store.service) == nil)
            #expect(try await hall.settle(item, Sheet(10)) == .gone)
            #expect(try await hall.rows() == "0 0 0 0")
            #expect(try await hall.tenant.used(.storageBytes) == 0)
        }
    }

    @Test func retentionTakesBothImages() async throws {
        try await TestStore.withOwnDatabase { store in
            let hall = try await Hall(store)
            try await hall.tenant.limit(.storageBytes, to: 10_000)
            #expect(try await hall.receive(Sheet(700)) == .received)
            // Its number tells its age: that of noon.
            let milliseconds = (noon.seconds - 1_704_067_200) * 1_000
            let drawing = DrawingID(rawValue: milliseconds << 11)
            #expect(try await hall.settle(try await hall.item(), Sheet(300), as: drawing) == .created)
            let later = noon + .seconds(6 * 366 * 86_400)
            let sweep = RetentionSweep(
                of: hall.tenant.id,
                afterDrawing: DrawingID(rawValue: 0),
                audit: fresh(),
                at: later,
                countMax: 10
            )
            #expect(try await sweep.run(on: store.service).drawings == 1)
            #expect(try await hall.rows() == "0 0 0 0")
            #expect(try await hall.tenant.used(.storageBytes) == 0)
        }
    }
}
