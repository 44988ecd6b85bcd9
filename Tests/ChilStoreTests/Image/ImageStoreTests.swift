import ChilCore
import ChilCrypto
import ChilDatabase
import Testing

@testable import ChilStore

/// Bytes in an object store: never a published row without them, and nothing left behind that nobody removes.
@Suite struct ImageStoreTests {
    /// A tenant's owner and the store that they use.
    private struct Bed {
        let tenant: TestTenant
        let owner: UserID
        let objects = MemoryObjects()
        let store: TestStore

        init(_ store: TestStore) async throws {
            self.store = store
            tenant = try await TestTenant(store)
            owner = try await tenant.user()
        }

        var images: ImageStore { ImageStore(store.service, objects) }

        static func facts(_ bytes: [UInt8]) -> ImageFacts {
            let hash = SHA256.digest(of: bytes).bytes
            return ImageFacts(hash: hash, byteCount: Int64(bytes.count), mediaType: "image/png", width: 1, height: 1)
        }

        func stage(_ bytes: [UInt8], as object: ImageObjectID = fresh(), until: Timestamp = noon + .seconds(60))
            async throws
        {
            let facts = Self.facts(bytes)
            try await images.stage(bytes, facts, as: object, of: owner, in: tenant.id, until: until)
        }

        func create(_ bytes: [UInt8], id: DrawingID = fresh(), brought: Bool = false, at now: Timestamp = noon)
            async throws -> DrawingCreate.Outcome
        {
            let draft = DrawingCreate.Draft(id: id, type: .uploaded, title: nil, prompt: nil)
            return try await DrawingCreate(
                draft,
                of: owner,
                in: tenant.id,
                showing: Self.facts(bytes),
                bytes: brought ? bytes : nil,
                requestID: nil,
                at: now,
                isLimited: true
            ).answer(from: store.service)
        }

        func read(_ bytes: [UInt8], by images: ImageStore? = nil) async throws -> [UInt8]? {
            let facts = Self.facts(bytes)
            var read: [UInt8] = []
            var position = 0
            while position < Int(facts.chunkCount) {
                let chunks = try await (images ?? self.images).chunks(
                    from: position,
                    to: Int(facts.chunkCount),
                    of: facts.hash,
                    byteCount: facts.byteCount,
                    owner: owner,
                    in: tenant.id
                )
                guard let chunks else { return nil }
                for chunk in chunks { read += chunk }
                position += chunks.count
            }
            return read
        }

        /// Objects that work in the queue removes, and whether it is due.
        func discards() async throws -> [ImageObjectID: Bool] {
            let rows = try await store.operatorRole.run(Discards(tenant: tenant.id), .read, of: nil)
            return Dictionary(uniqueKeysWithValues: rows)
        }

        func rowCounts() async throws -> [Int64] {
            try await store.administrator.run(RowCounts(tenant: tenant.id), .read, of: tenant.id)[0]
        }

        func sweep() async throws -> Int {
            try await Sweep(of: tenant.id, at: noon + .seconds(3_600)).run(on: store.service).stagedImages
        }
    }

    static let small: [UInt8] = [1, 2, 3]
    static let large = [UInt8](
        (0..<3 * ImageFacts.chunkBytesMax + 7).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
    )
    private static let many = [UInt8](repeating: 9, count: 20 * ImageFacts.chunkBytesMax)

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases, [small, large, many])
    func bytesGoToTheObjectStore(_ form: DatabaseConfiguration.SegmentForm, _ bytes: [UInt8]) async throws {
        try await TestStore.with(form) { store in
            let bed = try await Bed(store), other = try await Bed(store)
            try await bed.tenant.limit(.storageBytes, to: 1 << 40)
            #expect(!bed.images.createBrings(Bed.facts(bytes)))
            let object: ImageObjectID = fresh(), drawing: DrawingID = fresh()
            #expect(try await bed.create(bytes) == .unstaged)
            try await bed.stage(bytes, as: object)
            #expect(try await bed.read(bytes) == nil, "nothing is published yet")
            #expect(try await bed.create(bytes, id: drawing) == .created)
            #expect(try await bed.read(bytes) == bytes)
            #expect(bed.objects.keys == [.init(tenant: bed.tenant.id, object: object)])
            // No byte of it is in PostgreSQL, and it counts all the same.
            #expect(try await bed.rowCounts() == [1, 0, 0])
            #expect(try await bed.tenant.used(.storageBytes) == Int64(bytes.count))
            // The same bytes again are there already, another tenant's are its own.
            try await bed.stage(bytes)
            #expect(try await bed.create(bytes) == .created)
            #expect(bed.objects.puts == 1)
            #expect(try await other.read(bytes, by: ImageStore(store.service, bed.objects)) == nil)
            // A program that was not told of the object store says so.
            let error = await #expect(throws: ImageObjectFault.self) {
                try await bed.read(bytes, by: ImageStore(store.service))
            }
            #expect(error?.code == .notSet)
        }
    }

    @Test func anObjectGoesWithItsLastDrawing() async throws {
        try await TestStore.with { store in
            let bed = try await Bed(store)
            let object: ImageObjectID = fresh(), drawings: [DrawingID] = [fresh(), fresh()]
            try await bed.stage(Self.small, as: object)
            for drawing in drawings { #expect(try await bed.create(Self.small, id: drawing) == .created) }
            for (index, drawing) in drawings.enumerated() {
                #expect(try await bed.discards().count == 0)
                let delete = DrawingDelete(drawing, of: bed.owner, in: bed.tenant.id, note: userNote(), isLimited: true)
                #expect(try await delete.answer(from: store.service))
                #expect(try await bed.discards() == (index == 0 ? [:] : [object: false]))
            }
            // Uploaded anew it is another object: what removes the first cannot harm it.
            let second: ImageObjectID = fresh()
            try await bed.stage(Self.small, as: second)
            #expect(try await bed.create(Self.small) == .created)
            try await bed.objects.remove(object, of: bed.tenant.id)
            #expect(try await bed.read(Self.small) == Self.small)
        }
    }

    /// Wherever an upload stops, nothing is published, and what there is of it is removed.
    @Test(arguments: ["before it is written", "before it is known to be", "before the create"])
    func anUploadThatStopsLeavesWhatIsSwept(_ point: String) async throws {
        try await TestStore.with { store in
            let bed = try await Bed(store)
            let object: ImageObjectID = fresh()
            switch point {
            case "before it is written":
                bed.objects.fail(.away)
                await #expect(throws: ImageObjectFault.self) { try await bed.stage(Self.small, as: object) }
            case "before it is known to be":
                let facts = Bed.facts(Self.small)
                let stage = ImageObjectStage(
                    facts,
                    as: object,
                    of: bed.owner,
                    in: bed.tenant.id,
                    until: noon + .seconds(60)
                )
                #expect(try await stage.first(from: store.service) == .init(object: object, isStored: false))
            default: try await bed.stage(Self.small, as: object)
            }
            if point != "before the create" { #expect(try await bed.create(Self.small) == .unstaged) }
            #expect(try await bed.sweep() == 1)
            #expect(try await bed.create(Self.small) == .unstaged)
            #expect(try await bed.discards() == [object: false])
            #expect(try await bed.rowCounts() == [0, 0, 0])
        }
    }

    /// Whoever comes back after the lease finds another's object in the row: it says nothing of that one.
    @Test func whoComesTooLateSaysNothingOfAnothersObject() async throws {
        try await TestStore.with { store in
            let bed = try await Bed(store)
            let (late, new): (ImageObjectID, ImageObjectID) = (fresh(), fresh())
            let facts = Bed.facts(Self.small)
            func stage(_ object: ImageObjectID, _ until: Timestamp) async throws -> ImageObjectStage.Place? {
                try await ImageObjectStage(facts, as: object, of: bed.owner, in: bed.tenant.id, until: until)
                    .first(from: store.service)
            }
            func isStored(_ object: ImageObjectID) async throws -> Bool {
                try await ImageObjectStored(object, of: facts.hash, owner: bed.owner, in: bed.tenant.id)
                    .touched(on: store.service) == 1
            }
            _ = try await stage(late, noon + .seconds(60))
            #expect(try await bed.sweep() == 1)
            #expect(try await stage(new, noon + .seconds(7_200)) == .init(object: new, isStored: false))
            #expect(try await isStored(late) == false)
            #expect(try await bed.create(Self.small) == .unstaged)
            // A third joins the second, and need not write what is written.
            #expect(try await stage(fresh(), noon + .seconds(7_200)) == .init(object: new, isStored: false))
            #expect(try await isStored(new))
            #expect(try await stage(fresh(), noon + .seconds(7_200)) == .init(object: new, isStored: true))
            #expect(try await bed.create(Self.small) == .created)
            #expect(try await stage(fresh(), noon + .seconds(7_200)) == nil)
        }
    }

    /// A service without the object store takes the same bytes while one with it has them staged, and the other way round.
    @Test func servicesMayDifferWhileOneIsChanged() async throws {
        try await TestStore.with { store in
            let bed = try await Bed(store)
            let object: ImageObjectID = fresh()
            try await bed.stage(Self.small, as: object)
            #expect(try await bed.create(Self.small, brought: true) == .created)
            #expect(try await bed.read(Self.small) == Self.small)
            #expect(try await bed.discards() == [object: false])

            let rows = ImageStore(store.service)
            #expect(rows.createBrings(Bed.facts(Self.small)) && !rows.createBrings(Bed.facts(Self.large)))
            let facts = Bed.facts(Self.large)
            try await ImageStage(facts, of: bed.owner, in: bed.tenant.id, until: noon + .seconds(60))
                .touched(on: store.service)
            try await bed.stage(Self.large)
            #expect(try await bed.create(Self.large) == .created)
            #expect(try await bed.read(Self.large) == Self.large)
            #expect(bed.objects.puts == 1)
        }
    }

    @Test func anAccountsObjectsGoWithIt() async throws {
        try await TestStore.with { store in
            let bed = try await Bed(store), other = try await Bed(store)
            let objects: [ImageObjectID] = [fresh(), fresh(), fresh()]
            for (object, byte) in zip(objects, [1, 2, 3] as [UInt8]) { try await bed.stage([byte], as: object) }
            for byte in [1, 2] as [UInt8] { #expect(try await bed.create([byte]) == .created) }
            try await other.stage([1])
            #expect(try await other.create([1]) == .created)
            _ = try await bed.tenant.delete(bed.owner).run(on: store.service)
            #expect(try await Set(bed.discards().keys) == Set(objects))
            #expect(try await other.discards().isEmpty)
            #expect(try await other.read([1]) == [1])
        }
    }

    @Test func aTenantsObjectsGoWithIt() async throws {
        try await TestStore.with { store in
            let bed = try await Bed(store), other = try await Bed(store)
            let objects: [ImageObjectID] = [fresh(), fresh()]
            for (object, byte) in zip(objects, [1, 2] as [UInt8]) { try await bed.stage([byte], as: object) }
            let drawing: DrawingID = fresh()
            #expect(try await bed.create([1], id: drawing) == .created)
            let delete = DrawingDelete(drawing, of: bed.owner, in: bed.tenant.id, note: userNote(), isLimited: true)
            #expect(try await delete.answer(from: store.service))
            try await other.stage([1])
            #expect(try await other.create([1]) == .created)
            _ = try await TenantSetState(bed.tenant.id, to: .suspended, note: bed.tenant.note()).run(
                on: store.operatorRole
            )
            _ = try await TenantEnd(bed.tenant.id, by: "tester", at: noon).answer(from: store.operatorRole)
            #expect(try await Set(bed.discards().keys) == Set(objects))
            #expect(try await other.discards().isEmpty)
        }
    }
}

private struct Discards: Statement {
    static let sql = SQL("select subject_id, run_at <= now() from work where tenant_id = $1 and kind = 'discard'")

    let tenant: TenantID

    func bind(_ values: inout BoundValues) { values.append(tenant) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> (ImageObjectID, Bool) {
        (ImageObjectID(rawValue: try row.int64(0)), try row.bool(1))
    }
}

/// Images, chunks, and images with bytes in their row.
private struct RowCounts: Statement {
    static let sql = SQL(
        """
        select (select count(*) from image where tenant_id = $1), (select count(*) from image_chunk where tenant_id = $1),
               (select count(*) from image where tenant_id = $1 and bytes is not null)
        """
    )

    let tenant: TenantID

    func bind(_ values: inout BoundValues) { values.append(tenant) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> [Int64] {
        [try row.int64(0), try row.int64(1), try row.int64(2)]
    }
}
