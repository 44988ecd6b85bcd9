import ChilCore
import ChilDatabase
import ChilExport
import ChilStore
import ChilTestSupport
import Testing

@Suite struct AccountArchiveTests {
    /// Small drawings beside what the store makes one by one.
    private struct ManyDrawings: Statement {
        typealias Row = Void
        static let sql = SQL(
            """
            with i as (
                insert into image (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, bytes)
                select $1, $2, sha256(int8send(n)), 8, 'image/jpeg', 1, 1, 0, int8send(n) from generate_series(1, $3::bigint) as n
            )
            insert into drawing (tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status,
                                 media_type, image_hash)
            select $1, n, $2, 8, now(), now(), 1, 1, 'UPLOADED', 'READY', 'image/jpeg', sha256(int8send(n))
              from generate_series(1, $3::bigint) as n
            """
        )
        let tenant: TenantID
        let owner: UserID
        let count: Int64
        func bind(_ values: inout BoundValues) {
            values.append(tenant)
            values.append(owner)
            values.append(count)
        }
    }

    private struct LoseChunks: Statement {
        typealias Row = Void
        static let sql = SQL("delete from image_chunk where tenant_id = $1 and position >= $2")
        let tenant: TenantID
        let from: Int32
        func bind(_ values: inout BoundValues) {
            values.append(tenant)
            values.append(int32: from)
        }
    }

    private static let limits = JSONLimits(bytesMax: 16 << 20, depthMax: 8, valuesMax: 1 << 20)

    private static func archive(of user: UserID, in tenant: TestTenant, from database: SharedDatabase) -> AccountArchive
    {
        AccountArchive(of: user, in: tenant.id, service: "https://h.example/\(tenant.slug)", at: noon, from: database)
    }

    private static func files(of user: UserID, in tenant: TestTenant, from database: SharedDatabase) async throws
        -> [String: [UInt8]]
    {
        let archive = archive(of: user, in: tenant, from: database)
        var bytes: [UInt8] = []
        while let piece = try await archive.next() { bytes += piece }
        let entries = try ZIPReader(bytes).entries()
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.bytes) })
    }

    /// A large image, stored chunk by chunk as an upload does it.
    private static func largeDrawing(by owner: UserID, in tenant: TestTenant, bytes: [UInt8]) async throws -> DrawingID
    {
        let facts = ImageFacts(
            hash: freshDigest(),
            byteCount: Int64(bytes.count),
            mediaType: "image/png",
            width: 10,
            height: 10
        )
        let stage = ImageStage(facts, of: owner, in: tenant.id, until: noon + .seconds(60))
        try await stage.touched(on: tenant.store.service)
        for position in 0..<facts.chunkCount {
            let start = Int(position) * ImageFacts.chunkBytesMax
            let chunk = Array(bytes[start..<min(start + ImageFacts.chunkBytesMax, bytes.count)])
            let put = ImageChunkPut(chunk, at: position, of: facts.hash, owner: owner, in: tenant.id)
            try await put.touched(on: tenant.store.service)
        }
        let drawing: DrawingID = fresh()
        let create = DrawingCreate(
            DrawingCreate.Draft(id: drawing, type: .uploaded, title: nil, prompt: nil),
            of: owner,
            in: tenant.id,
            showing: facts,
            bytes: nil,
            requestID: nil,
            at: noon,
            isLimited: false
        )
        try #require(try await create.answer(from: tenant.store.service) == .created)
        return drawing
    }

    @Test("P-08 every column that knows of a person is in the archive, or is withheld for a reason")
    func everyColumnIsDecided() async throws {
        try await TestStore.with { store in
            let columns = Set(try await store.administrator.run(PersonalColumns(), .read, of: nil))
            let decided = PersonalColumns.exported.union(PersonalColumns.withheld.keys)
            #expect(columns.subtracting(decided) == [], "decide: export it, or say why not")
            #expect(decided.subtracting(columns) == [])
            #expect(PersonalColumns.exported.isDisjoint(with: PersonalColumns.withheld.keys))
        }
    }

    @Test("P-08 the archive is complete, and has nobody else's", arguments: ["service", "operator"])
    func theArchiveIsComplete(_ role: String) async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let ann = try await Belongings(of: "ann", in: tenant, mark: "ann")
            _ = try await Belongings(of: "bob", in: tenant, mark: "bob")
            _ = try await Belongings(of: "ann", in: other, mark: "other")
            let database = role == "service" ? store.service : store.operatorRole
            let files = try await Self.files(of: ann.user, in: tenant, from: database)
            #expect(
                Set(files.keys.filter { $0.hasSuffix(".json") }) == [
                    "export.json", "account.json", "identities.json", "sessions.json", "scans.json", "drawings.json",
                    "print-jobs.json", "provider-events.json", "consents.json", "erasure-requests.json",
                    "quota-use.json",
                ]
            )
            var all = ""
            for (name, bytes) in files where name.hasSuffix(".json") {
                _ = try StrictJSON.parse(bytes, limits: Self.limits)
                all += String(decoding: bytes, as: UTF8.self)
            }
            for column in PersonalColumns.planted { #expect(all.contains("ann:\(column)"), "\(column)") }
            for stranger in ["bob", "other:", "m:"] { #expect(!all.contains(stranger), "\(stranger)") }
            #expect(!all.contains("sealed_token") && !all.contains("salt"))

            let drawings = try #require(try StrictJSON.parse(files["drawings.json"] ?? [], limits: Self.limits).array)
                .compactMap(\.object)
            #expect(drawings.count == 3)
            for drawing in drawings {
                let image = try #require(drawing["image"]?.string)
                #expect(files[image] == [1, 2, 3, 4])
            }
            #expect(files.keys.filter { $0.hasPrefix("images/") }.count == 3)
        }
    }

    /// Counts of one's own, and no limit that nobody counts by user.
    @Test func countsOfOnesOwnAreThere() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            for one in [tenant, other] {
                try await one.limit(QuotaKey(.drawings), to: 50)
                try await one.limit(QuotaKey(.drawings, .user), to: 50)
                try await one.limit(QuotaKey(.requests, .user, .day), to: 50)
            }
            let ann = try await tenant.user("ann"), bob = try await tenant.user("bob")
            let stranger = try await other.user("ann")
            for _ in 0..<2 { _ = try await tenant.drawing(by: ann) }
            for user in [ann, bob] {
                _ = try await QuotaTake(7, of: .requests, in: tenant.id, by: user, at: noon).answer(from: store.service)
            }
            func use(_ user: UserID, _ tenant: TestTenant) async throws -> String {
                let files = try await Self.files(of: user, in: tenant, from: store.service)
                return String(decoding: files["quota-use.json"] ?? [], as: UTF8.self)
            }
            #expect(
                try await use(ann, tenant) == """
                    [
                    {"metric":"drawings","window":"none","used":2},
                    {"metric":"requests","window":"day","used":7,"resetsAt":"2026-06-01T15:00:00.000000Z"}
                    ]

                    """
            )
            #expect(try await use(bob, tenant).contains("\"used\":7"))
            #expect(try await use(stranger, other) == "[]\n")
        }
    }

    @Test func pagesAndChunksAreWhole() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let user = try await tenant.user()
            let many = ManyDrawings(tenant: tenant.id, owner: user, count: 405)
            _ = try await store.administrator.run(many, .write, of: nil)
            let bytes = (0..<1_500_001).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            let large = try await Self.largeDrawing(by: user, in: tenant, bytes: bytes)
            let files = try await Self.files(of: user, in: tenant, from: store.service)
            #expect(files["images/\(large.rawValue).png"] == bytes)
            for number in [1, 200, 201, 204, 205, 400, 405] {
                #expect(files["images/\(number).jpg"] == withUnsafeBytes(of: Int64(number).bigEndian) { Array($0) })
            }
            #expect(files.keys.filter { $0.hasPrefix("images/") }.count == 406)
            #expect(try StrictJSON.parse(files["drawings.json"] ?? [], limits: Self.limits).array?.count == 406)
            #expect(try StrictJSON.parse(files["print-jobs.json"] ?? []).array?.count == 0)
        }
    }

    @Test("P-08 pages that wait to become drawings are there with their bytes") func waitingPagesAreThere() async throws
    {
        try await TestStore.withOwnDatabase { store in
            let hall = try await ScanTests.Hall(store), other = try await ScanTests.Hall(store)
            let sibling = try await ScanTests.Hall(beside: hall, name: "sibling")
            let pages: [(ScanID, ScanTests.Sheet)] = [
                (fresh(), ScanTests.Sheet(900)), (fresh(), ScanTests.Sheet(1_500_000, "application/pdf")),
            ]
            for (scan, sheet) in pages { #expect(try await hall.receive(sheet, as: scan) == .received) }
            for one in [sibling, other] { #expect(try await one.receive(ScanTests.Sheet(50)) == .received) }
            let names = pages.map { "images/scan-\($0.0.rawValue)" + ($0.1.bytes.count < 1_000 ? ".jpg" : ".pdf") }
            func waiting(_ files: [String: [UInt8]]) throws -> [JSONValue] {
                try #require(try StrictJSON.parse(files["scans.json"] ?? []).array)
            }
            for role in [store.service, store.operatorRole] {
                let files = try await Self.files(of: hall.owner, in: hall.tenant, from: role)
                #expect(try waiting(files).compactMap { $0.object?["image"]?.string } == names.reversed())
                #expect(files.keys.filter { $0.hasPrefix("images/") }.sorted() == names.sorted())
                for (name, page) in zip(names, pages) { #expect(files[name] == page.1.bytes, "\(name)") }
            }
            // Once they are drawings they are among those.
            for _ in pages {
                let item = try await hall.item()
                #expect(try await hall.settle(item, ScanTests.Sheet(100)) == .created)
            }
            let files = try await Self.files(of: hall.owner, in: hall.tenant, from: store.service)
            #expect(try waiting(files).isEmpty)
            #expect(files.keys.filter { $0.hasPrefix("images/") }.count == 4)
            #expect(!files.keys.contains { $0.hasPrefix("images/scan-") })
        }
    }

    @Test("an image that cannot be read whole breaks the archive off", arguments: [Int32(0), 4])
    func nothingGoesMissingInSilence(_ lostFrom: Int32) async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let user = try await tenant.user()
            _ = try await Self.largeDrawing(by: user, in: tenant, bytes: [UInt8](repeating: 7, count: 1_500_000))
            _ = try await store.administrator.run(LoseChunks(tenant: tenant.id, from: lostFrom), .write, of: nil)
            let archive = Self.archive(of: user, in: tenant, from: store.service)
            await #expect(throws: ExportFault.self) {
                while try await archive.next() != nil {}
            }
        }
    }

    /// Deleted behind each piece in turn: broken off, or as whole as it was before the deletion; never an archive with parts missing.
    @Test("P-08 beside a deletion the archive is whole or none") func besideADeletionItIsWholeOrNone() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let stranger = try await Belongings(of: "ann", in: other).user
            let kept = try await Belongings(of: "ann", in: tenant)
            let whole = try await Self.files(of: kept.user, in: tenant, from: store.service).count
            var brokenOff = 0, step = 0, isEnd = false
            while !isEnd {
                let user = try await Belongings(of: "b\(step)", in: tenant, mark: "b\(step)").user
                let archive = Self.archive(of: user, in: tenant, from: store.service)
                var bytes: [UInt8] = []
                for _ in 0..<step where !isEnd {
                    guard let piece = try await archive.next() else {
                        isEnd = true
                        break
                    }
                    bytes += piece
                }
                let deletion = AccountDelete(
                    user,
                    of: tenant.id,
                    as: fresh(),
                    receiptDigest: freshDigest(),
                    pepper: [1],
                    by: .user(requestID: "r"),
                    audit: fresh(),
                    at: noon
                )
                #expect(try await deletion.run(on: store.service) == .deleted(drawings: 3))
                do {
                    while let piece = try await archive.next() { bytes += piece }
                    #expect(try ZIPReader(bytes).entries().count == whole, "deleted behind \(step) pieces")
                } catch {
                    guard case ExportFault.accountGone = error else { throw error }
                    brokenOff += 1
                }
                step += 1
            }
            // All but those that had come to the directory.
            #expect(brokenOff > whole && step - brokenOff < 5)
            #expect(try await Self.files(of: stranger, in: other, from: store.service).count == whole)
        }
    }

    @Test func ofNobodyThereIsNoArchive() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let user = try await tenant.user()
            let archive = Self.archive(of: user, in: other, from: store.service)
            await #expect(throws: ExportFault.self) {
                while try await archive.next() != nil {}
            }
        }
    }
}
