import ChilCore
import ChilDatabase
import ChilStore
import Testing

@Suite struct DrawingTests {
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func whatWasStoredIsRead(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), stranger = try await tenant.user("stranger")
            let foreigner = try await other.user()
            let drawing: DrawingID = fresh(), hash = freshDigest()
            let create = tenant.create(by: owner, id: drawing, hash: hash, bytes: [5, 6, 7], title: "고양이 \"cat\"")
            #expect(try await create.answer(from: store.service) == .created)

            let view = try #require(try await DrawingOne(drawing, of: owner, in: tenant.id).first(from: store.service))
            #expect(view.id == drawing && view.byteCount == 3 && view.width == 10 && view.height == 20)
            #expect(view.createdAt == noon && view.updatedAt == noon)
            #expect(Array(view.typeBytes) == Array("UPLOADED".utf8))
            #expect(Array(view.statusBytes) == Array("READY".utf8))
            #expect(view.titleBytes.map(Array.init) == Array("고양이 \"cat\"".utf8))
            #expect(view.promptBytes == nil)
            #expect(view.imageHashBytes.map(Array.init) == hash)

            let image = try #require(
                try await DrawingImageOne(of: drawing, in: tenant.id).first(from: store.service)
            )
            #expect(
                image.owner == owner && image.hash == hash && image.byteCount == 3 && image.mediaType == "image/png"
            )
            let chunks = try await ImageBytes(of: hash, owner: owner, in: tenant.id).rows(from: store.service)
            #expect(chunks.map { $0.bytes(0) } == [[5, 6, 7]])

            // Another's looks like none at all.
            #expect(try await DrawingOne(drawing, of: stranger, in: tenant.id).first(from: store.service) == nil)
            #expect(try await DrawingOne(drawing, of: foreigner, in: other.id).first(from: store.service) == nil)
            #expect(try await DrawingImageOne(of: drawing, in: other.id).first(from: store.service) == nil)
            #expect(
                try await ImageBytes(of: hash, owner: owner, in: other.id).rows(from: store.service).isEmpty
            )
            #expect(
                try await DrawingDelete(drawing, of: stranger, in: tenant.id, note: userNote(), isLimited: false)
                    .answer(
                        from: store.service
                    ) == false
            )
            #expect(
                try await DrawingDelete(drawing, of: owner, in: other.id, note: userNote(), isLimited: false).answer(
                    from: store.service
                )
                    == false
            )

            // What proves a create after a lost answer.
            #expect(try await DrawingExists(drawing, of: owner, in: tenant.id).answer(from: store.service))
            #expect(try await DrawingExists(drawing, of: stranger, in: tenant.id).answer(from: store.service) == false)
            let error = await #expect(throws: DatabaseError.self) { try await create.answer(from: store.service) }
            #expect(error?.code == .conflict && error?.constraint == "drawing_pkey")
        }
    }

    @Test func pagesByKeysetAndByNumberAgree() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user()
            _ = try await other.drawing(by: other.user())
            var all: [(DrawingID, DrawingType)] = []
            for number in 0..<11 {
                let type: DrawingType = number.isMultiple(of: 3) ? .scanned : .uploaded
                all.append((try await tenant.drawing(by: owner, type: type), type))
            }
            all.reverse()
            for type in [nil, .scanned, .uploaded, .animated] as [DrawingType?] {
                let expected = all.filter { type == nil || $0.1 == type }.map(\.0)
                var byNumber: [DrawingID] = [], byKeyset: [DrawingID] = []
                var place = DrawingPageRequest.Place.newest
                for number in 1...4 {
                    let page = try await list(tenant, owner, type, .page(number)).run(on: store.service)
                    byNumber += try page.drawings.map(\.id)
                    #expect(page.hasMore == (expected.count > number * 4), "\(String(describing: type)) page \(number)")
                    let next = try await list(tenant, owner, type, place).run(on: store.service)
                    byKeyset += try next.drawings.map(\.id)
                    if let last = try next.drawings.last { place = .before(last.id) }
                }
                #expect(byNumber == expected)
                #expect(byKeyset == expected)
            }
            for number in [0, -5] {
                #expect(try await list(tenant, owner, nil, .page(number)).run(on: store.service).count == 4)
            }
            let past = try await list(tenant, owner, nil, .page(.max)).run(on: store.service)
            #expect(past.count == 0 && !past.hasMore)
        }
    }

    private func list(
        _ tenant: TestTenant,
        _ owner: UserID,
        _ type: DrawingType?,
        _ place: DrawingPageRequest.Place
    ) -> DrawingPageRequest {
        DrawingPageRequest(of: owner, in: tenant.id, type: type, place: place, count: 4)
    }

    /// A large image in chunks: nothing of it shows before all is there.
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func stagedImageIsPublishedWhole(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store)
            try await tenant.limit(.storageBytes, to: 1_000_000)
            let owner = try await tenant.user()
            let parts = [[UInt8](repeating: 1, count: ImageFacts.chunkBytesMax), [2, 2, 2]]
            let facts = ImageFacts(
                hash: freshDigest(),
                byteCount: Int64(parts.joined().count),
                mediaType: "image/png",
                width: 1,
                height: 1
            )
            #expect(facts.chunkCount == 2)
            func create() async throws -> DrawingCreate.Outcome {
                try await DrawingCreate(
                    DrawingCreate.Draft(id: fresh(), type: .uploaded, title: nil, prompt: nil),
                    of: owner,
                    in: tenant.id,
                    showing: facts,
                    bytes: nil,
                    requestID: nil,
                    at: noon,
                    isLimited: true
                ).answer(from: store.service)
            }
            #expect(try await create() == .unstaged)
            try await ImageStage(facts, of: owner, in: tenant.id, until: noon + .seconds(60)).touched(on: store.service)
            for (position, part) in parts.enumerated() {
                #expect(try await create() == .unstaged)
                let put = ImageChunkPut(part, at: Int32(position), of: facts.hash, owner: owner, in: tenant.id)
                #expect(try await put.touched(on: store.service) == 1)
                #expect(try await put.touched(on: store.service) == 0)
            }
            #expect(try await tenant.used(.storageBytes) == 0)
            #expect(try await create() == .created)
            #expect(try await create() == .created)
            #expect(try await tenant.used(.storageBytes) == facts.byteCount)
            let rows = try await ImageChunks(0..<2, of: facts.hash, owner: owner, in: tenant.id).rows(
                from: store.service
            )
            #expect(rows.map { $0.bytes(0) } == parts)
        }
    }

    /// An account that has ended leaves nothing, not even until a lease is over.
    @Test func nothingIsStagedForAnOwnerWhoIsGone() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let facts = ImageFacts(hash: freshDigest(), byteCount: 1, mediaType: "image/png", width: 1, height: 1)
            for stranger: UserID in [fresh(), try await other.user()] {
                let stage = ImageStage(facts, of: stranger, in: tenant.id, until: noon + .seconds(60))
                #expect(try await stage.touched(on: store.service) == 0)
                let put = ImageChunkPut([1], at: 0, of: facts.hash, owner: stranger, in: tenant.id)
                #expect(try await put.touched(on: store.service) == 0)
            }
        }
    }

    @Test func stagedImageIsSweptAfterItsLease() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let owner = try await tenant.user()
            let facts = ImageFacts(hash: freshDigest(), byteCount: 1, mediaType: "image/png", width: 1, height: 1)
            try await ImageStage(facts, of: owner, in: tenant.id, until: noon + .seconds(60)).touched(on: store.service)
            try await ImageChunkPut([1], at: 0, of: facts.hash, owner: owner, in: tenant.id).touched(on: store.service)
            try await NonceCreate(in: tenant.id, digest: freshDigest(), expires: noon).touched(on: store.service)
            let early = try await Sweep(of: tenant.id, at: noon).run(on: store.service)
            #expect([early.nonces, early.spentTokens, early.sessions, early.stagedImages] == [0, 0, 0, 0])
            let late = try await Sweep(of: tenant.id, at: noon + .seconds(20_000)).run(on: store.service)
            #expect([late.nonces, late.spentTokens, late.sessions, late.stagedImages] == [1, 1, 1, 1])
            #expect(
                try await ImageChunks(0..<1, of: facts.hash, owner: owner, in: tenant.id).rows(from: store.service)
                    .isEmpty
            )
        }
    }
}
