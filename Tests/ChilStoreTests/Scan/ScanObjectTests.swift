import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// Pages and the pictures of them where an object store is set.
@Suite struct ScanObjectTests {
    private typealias Hall = ScanTests.Hall
    private typealias Sheet = ScanTests.Sheet

    private static func read(_ sheet: Sheet, of hall: Hall, by images: ImageStore) async throws -> [UInt8]? {
        try await images.chunks(
            from: 0,
            to: Int(sheet.facts.chunkCount),
            of: sheet.facts.hash,
            byteCount: sheet.facts.byteCount,
            owner: hall.owner,
            in: hall.tenant.id
        )?.flatMap { $0 }
    }

    private static func stage(_ sheet: Sheet, as object: ImageObjectID, of hall: Hall, by images: ImageStore)
        async throws
    {
        let until = noon + .seconds(600)
        try await images.stage(sheet.bytes, sheet.facts, as: object, of: hall.owner, in: hall.tenant.id, until: until)
    }

    private static func receive(_ sheet: Sheet, brought: Bool, by hall: Hall) async throws -> ScanReceive.Outcome {
        try await ScanReceive(
            fresh(),
            push: freshDigest(),
            through: try #require(try await hall.door()),
            hall.digest,
            of: hall.tenant.id,
            showing: sheet.facts,
            bytes: brought ? sheet.bytes : nil,
            requestID: nil,
            at: noon
        ).answer(from: hall.store.service)
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases, [900, 600_000])
    func pagesLieInTheObjectStore(_ form: DatabaseConfiguration.SegmentForm, _ count: Int) async throws {
        try await TestStore.withOwnDatabase(form) { store in
            let hall = try await Hall(store), other = try await Hall(store)
            let objects = MemoryObjects(), images = ImageStore(store.service, objects)
            let page = Sheet(count), shown = Sheet(count / 2)
            let (paper, picture): (ImageObjectID, ImageObjectID) = (fresh(), fresh())
            try await Self.stage(page, as: paper, of: hall, by: images)
            #expect(try await Self.read(page, of: hall, by: images) == nil, "nobody has handed it in")
            #expect(try await Self.receive(page, brought: false, by: hall) == .received)
            #expect(try await Self.read(page, of: hall, by: images) == page.bytes)
            #expect(try await Self.read(page, of: other, by: images) == nil)
            try await Self.stage(shown, as: picture, of: hall, by: images)
            let settle = ScanSettle(
                try await hall.item(),
                as: fresh(),
                titled: nil,
                showing: shown.facts,
                bytes: nil,
                at: noon
            )
            #expect(try await settle.answer(from: store.service) == .created)
            for sheet in [page, shown] { #expect(try await Self.read(sheet, of: hall, by: images) == sheet.bytes) }
            #expect(objects.keys.map(\.object).sorted { $0.rawValue < $1.rawValue } == [paper, picture])
            #expect(try await hall.rows() == "done 1 2 0 0")
            let rows = try await store.administrator.run(BytesInRows(tenant: hall.tenant.id), .read, of: nil)
            #expect(rows == [0])
        }
    }

    /// A service that was not told of the object store takes what another has staged there.
    @Test func servicesMayDifferWhileOneIsChanged() async throws {
        try await TestStore.withOwnDatabase { store in
            let hall = try await Hall(store), other = try await Hall(store)
            let objects = MemoryObjects(), images = ImageStore(store.service, objects), page = Sheet(900)
            let object: ImageObjectID = fresh()
            try await Self.stage(page, as: object, of: hall, by: images)
            #expect(try await Self.receive(page, brought: true, by: hall) == .received)
            #expect(try await Self.read(page, of: hall, by: ImageStore(store.service)) == page.bytes)
            #expect(try await Self.receive(page, brought: true, by: other) == .received)
            let discards = Discarded(tenant: hall.tenant.id)
            #expect(try await store.administrator.run(discards, .read, of: nil) == [object])
            // Nothing leads to the object any more.
            try await objects.remove(object, of: hall.tenant.id)
            #expect(try await Self.read(page, of: hall, by: images) == page.bytes)
        }
    }
}

private struct BytesInRows: Statement {
    static let sql = SQL(
        """
        select (select count(*) from image i where i.tenant_id = $1 and i.bytes is not null)
             + (select count(*) from image_chunk c where c.tenant_id = $1)
        """
    )
    let tenant: TenantID
    func bind(_ values: inout BoundValues) { values.append(tenant) }
    static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

private struct Discarded: Statement {
    static let sql = SQL("select subject_id from work where tenant_id = $1 and kind = 'discard'")
    let tenant: TenantID
    func bind(_ values: inout BoundValues) { values.append(tenant) }
    static func row(_ row: ResultRow) throws(DatabaseError) -> ImageObjectID { try row.id(0) }
}
