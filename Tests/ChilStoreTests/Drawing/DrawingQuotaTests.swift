import ChilCore
import ChilDatabase
import ChilStore
import Testing

@Suite struct DrawingQuotaTests {
    /// 200 creates at once through two services and a limit of 10: exactly 10, and the count says so.
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func twoHundredCreatesAtOnceMakeTen(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.withTwo(form) { store, second in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            try await tenant.limit(.drawings, to: 10)
            try await other.limit(.drawings, to: 10)
            let owner = try await tenant.user()
            let created = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<200 {
                    let create = tenant.create(by: owner)
                    let service = number.isMultiple(of: 2) ? store.service : second.service
                    group.addTask { try await create.answer(from: service) == .created }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(created == 10)
            #expect(try await tenant.used(.drawings) == 10)
            #expect(try await other.used(.drawings) == 0)
            let page = DrawingPageRequest(of: owner, in: tenant.id, type: nil, place: .newest, count: 50)
            #expect(try await page.run(on: store.service).count == 10)
            // Of 190 refusals at one time.
            #expect(
                try await tenant.auditedActions().filter { $0 == "drawing.create quota drawings tenant none" }.count
                    == 1
            )
            #expect(try await tenant.differences().isEmpty)
        }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func deleteFreesWhatCreateTook(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store)
            try await tenant.limit(.drawings, to: 2)
            try await tenant.limit(.storageBytes, to: 8)
            let owner = try await tenant.user(), shared = freshDigest()
            let first: DrawingID = fresh(), second: DrawingID = fresh()
            // The same bytes twice are stored and counted once.
            #expect(try await tenant.create(by: owner, id: first, hash: shared).answer(from: store.service) == .created)
            #expect(
                try await tenant.create(by: owner, id: second, hash: shared).answer(from: store.service) == .created
            )
            #expect(try await tenant.used(.storageBytes) == 4)
            #expect(try await tenant.create(by: owner).answer(from: store.service) == .overQuota(.drawings))

            #expect(try await delete(first, owner, tenant))
            #expect(try await tenant.used(.storageBytes) == 4)
            #expect(try await tenant.used(.drawings) == 1)
            let large = tenant.create(by: owner, bytes: [1, 2, 3, 4, 5])
            #expect(try await large.answer(from: store.service) == .overQuota(.storageBytes))
            #expect(try await tenant.used(.drawings) == 1)

            #expect(try await delete(second, owner, tenant))
            #expect(try await delete(second, owner, tenant) == false)
            #expect(try await tenant.used(.storageBytes) == 0)
            #expect(try await tenant.used(.drawings) == 0)
            #expect(
                try await ImageBytes(of: shared, owner: owner, in: tenant.id).rows(from: store.service).isEmpty
            )
            #expect(try await large.answer(from: store.service) == .created)
        }
    }

    /// Creates and deletes of one image at once: whatever wins, each drawing that is left has its bytes, and the count is right.
    @Test func imageIsNeverLostUnderItsDrawing() async throws {
        try await TestStore.withTwo { store, second in
            let tenant = try await TestTenant(store)
            try await tenant.limit(.drawings, to: 1_000)
            try await tenant.limit(.storageBytes, to: 1_000)
            let owner = try await tenant.user(), hash = freshDigest()
            let left = try await withThrowingTaskGroup(of: DrawingID?.self) { group in
                for number in 0..<40 {
                    let service = number.isMultiple(of: 2) ? store.service : second.service
                    group.addTask {
                        let drawing: DrawingID = fresh()
                        let create = tenant.create(by: owner, id: drawing, hash: hash, isLimited: false)
                        guard try await create.answer(from: service) == .created else { return nil }
                        guard number % 8 != 0 else { return drawing }
                        let delete = DrawingDelete(
                            drawing,
                            of: owner,
                            in: tenant.id,
                            note: userNote(),
                            isLimited: false
                        )
                        _ = try await delete.answer(from: service)
                        return nil
                    }
                }
                return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
            }
            #expect(left.count == 5)
            #expect(try await tenant.used(.drawings) == 5)
            #expect(try await tenant.used(.storageBytes) == 4)
            let chunks = try await ImageBytes(of: hash, owner: owner, in: tenant.id).rows(from: store.service)
            #expect(chunks.map { $0.bytes(0) } == [[1, 2, 3, 4]])
        }
    }

    /// A limit set later starts at what there is; one below use is legal, and nothing more is given.
    @Test func limitStartsAtWhatThereIs() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let owner = try await tenant.user()
            for _ in 0..<3 { _ = try await tenant.drawing(by: owner) }
            #expect(try await tenant.used(.drawings) == nil)
            try await tenant.limit(.drawings, to: 2)
            try await tenant.limit(.storageBytes, to: 100)
            try await tenant.limit(.users, to: 5)
            #expect(try await tenant.used(.drawings) == 3)
            #expect(try await tenant.used(.storageBytes) == 12)
            #expect(try await tenant.used(.users) == 1)
            #expect(try await tenant.create(by: owner).answer(from: store.service) == .overQuota(.drawings))
            try await tenant.limit(.drawings, to: 4)
            #expect(try await tenant.create(by: owner).answer(from: store.service) == .created)
        }
    }

    /// What would be refused is not staged first, and what is staged by others counts.
    @Test func stagingHasRoomWithinTheLimitsAlone() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let owner = try await tenant.user()
            func facts(_ byteCount: Int64, _ hash: [UInt8] = freshDigest()) -> ImageFacts {
                ImageFacts(hash: hash, byteCount: byteCount, mediaType: "image/png", width: 1, height: 1)
            }
            func refusal(_ image: ImageFacts) async throws -> QuotaRefusal? {
                try await StagingRoom(for: image, of: owner, in: tenant.id, at: noon).first(from: store.service)
            }
            #expect(try await refusal(facts(1 << 40)) == nil)
            try await tenant.limit(.storageBytes, to: 1_000_000)
            #expect(try await refusal(facts(1_000_000)) == nil)
            #expect(try await refusal(facts(1_000_001)) == .storageBytes)
            let staged = facts(600_000)
            let stage = ImageStage(staged, of: owner, in: tenant.id, until: noon + .seconds(600))
            try await stage.touched(on: store.service)
            #expect(try await refusal(facts(500_000)) == .storageBytes)
            #expect(try await refusal(facts(400_000)) == nil)
            // The same bytes take no more room.
            #expect(try await refusal(staged) == nil)
            try await tenant.limit(.drawings, to: 0)
            #expect(try await refusal(staged) == .drawings)
        }
    }

    private func delete(_ drawing: DrawingID, _ owner: UserID, _ tenant: TestTenant) async throws -> Bool {
        try await DrawingDelete(drawing, of: owner, in: tenant.id, note: userNote(), isLimited: true).answer(
            from: tenant.store.service
        )
    }
}
