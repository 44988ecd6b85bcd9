import ChilCore
import ChilCrypto
import ChilDatabase
import ChilStore
import Testing

@Suite struct ImageMoverTests {
    private static let sizes = [
        1, ImageFacts.chunkBytesMax, ImageFacts.chunkBytesMax + 1, 3 * ImageFacts.chunkBytesMax,
    ]

    private func bytes(_ count: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: count) | 1, count: count)
    }

    private func facts(_ bytes: [UInt8]) -> ImageFacts {
        let hash = SHA256.digest(of: bytes).bytes
        return ImageFacts(hash: hash, byteCount: Int64(bytes.count), mediaType: "image/png", width: 1, height: 1)
    }

    /// Drawings of those sizes, in PostgreSQL.
    private func fill(_ tenant: TestTenant, _ owner: UserID, _ store: TestStore) async throws {
        for size in Self.sizes {
            let bytes = bytes(size), facts = facts(bytes), rows = ImageStore(store.service)
            if !rows.createBrings(facts) {
                try await rows.stage(bytes, facts, as: fresh(), of: owner, in: tenant.id, until: noon + .seconds(60))
            }
            let outcome = try await DrawingCreate(
                .init(id: fresh(), type: .uploaded, title: nil, prompt: nil),
                of: owner,
                in: tenant.id,
                showing: facts,
                bytes: rows.createBrings(facts) ? bytes : nil,
                requestID: nil,
                at: noon,
                isLimited: true
            ).answer(from: store.service)
            #expect(outcome == .created)
        }
    }

    private func read(_ size: Int, _ owner: UserID, _ tenant: TestTenant, _ images: ImageStore) async throws -> [UInt8]?
    {
        let facts = facts(bytes(size))
        let chunks = try await images.chunks(
            from: 0,
            to: Int(facts.chunkCount),
            of: facts.hash,
            byteCount: facts.byteCount,
            owner: owner,
            in: tenant.id
        )
        return chunks.map { $0.flatMap { $0 } }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func thereAndBack(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), stranger = try await other.user()
            try await fill(tenant, owner, store)
            try await fill(other, stranger, store)
            let objects = MemoryObjects()
            let mover = ImageMover(store.operatorRole, objects)
            let total = Int64(Self.sizes.reduce(0, +))
            for target in [ImageMover.Target.s3, .postgres, .s3] {
                var pages = 0
                let moved = try await mover.move(to: target, of: tenant.id, object: { fresh() }) { _ in pages += 1 }
                #expect(
                    [moved.images, moved.bytes, moved.gone, moved.damaged] == [Int64(Self.sizes.count), total, 0, 0]
                )
                #expect(pages == 1)
                for size in Self.sizes {
                    let images = ImageStore(store.service, objects)
                    #expect(try await read(size, owner, tenant, images) == bytes(size))
                    if target == .postgres {
                        #expect(try await read(size, owner, tenant, ImageStore(store.service)) == bytes(size))
                    }
                    #expect(try await read(size, stranger, other, ImageStore(store.service)) == bytes(size))
                }
                let again = try await mover.move(to: target, of: tenant.id, object: { fresh() }) { _ in }
                #expect(again == ImageMover.Moved())
            }
            // What was left behind on the way back is removed, and nothing else.
            let rows = try await store.operatorRole.run(QueuedDiscards(tenant: tenant.id), .read, of: nil)
            #expect(rows.count == Self.sizes.count)
            #expect(objects.keys.count == 2 * Self.sizes.count)
            #expect(try await store.operatorRole.run(QueuedDiscards(tenant: other.id), .read, of: nil).isEmpty)
        }
    }

    /// It stops while an object is written: the work that removes it is in the queue before.
    @Test func whatStopsLeavesWorkThatRemovesIt() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let owner = try await tenant.user()
            try await fill(tenant, owner, store)
            let objects = MemoryObjects()
            objects.fail(.away)
            let object: ImageObjectID = fresh()
            await #expect(throws: ImageObjectFault.self) {
                try await ImageMover(store.operatorRole, objects).move(to: .s3, of: tenant.id, object: { object }) {
                    _ in
                }
            }
            #expect(try await store.operatorRole.run(QueuedDiscards(tenant: tenant.id), .read, of: nil) == [object])
            objects.fail(nil)
            let moved = try await ImageMover(store.operatorRole, objects)
                .move(to: .s3, of: tenant.id, object: { fresh() }) { _ in }
            #expect(moved.images == Int64(Self.sizes.count))
            #expect(try await store.operatorRole.run(QueuedDiscards(tenant: tenant.id), .read, of: nil) == [object])
        }
    }

    /// An object whose bytes are not those that were given is not taken for them.
    @Test func damageIsSeen() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let owner = try await tenant.user()
            try await fill(tenant, owner, store)
            let objects = MemoryObjects()
            let mover = ImageMover(store.operatorRole, objects)
            _ = try await mover.move(to: .s3, of: tenant.id, object: { fresh() }) { _ in }
            for key in objects.keys {
                let zeroes = [UInt8](repeating: 0, count: 3 * ImageFacts.chunkBytesMax)
                try await objects.put(zeroes, as: key.object, of: key.tenant, hash: [], mediaType: "")
            }
            let moved = try await mover.move(to: .postgres, of: tenant.id, object: { fresh() }) { _ in }
            #expect(moved.images == 0 && moved.damaged == Int64(Self.sizes.count))
        }
    }
}

private struct QueuedDiscards: Statement {
    static let sql = SQL("select subject_id from work where tenant_id = $1 and kind = 'discard'")

    let tenant: TenantID

    func bind(_ values: inout BoundValues) { values.append(tenant) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> ImageObjectID {
        ImageObjectID(rawValue: try row.int64(0))
    }
}
