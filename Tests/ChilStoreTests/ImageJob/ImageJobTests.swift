import ChilCore
import ChilDatabase
import ChilStore
import Testing

@Suite struct ImageJobTests {
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func aJobIsAcceptedOrSaysWhyNot(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), stranger = try await other.user("stranger")
            #expect(try await tenant.enqueue(by: owner) == .noEndpoint)
            _ = try await other.imageEndpoint()
            #expect(try await tenant.enqueue(by: owner) == .noEndpoint)
            let endpoint = try await tenant.imageEndpoint()
            #expect(try await tenant.enqueue(.motion, by: owner) == .noEndpoint)
            #expect(try await tenant.enqueue(by: stranger) == .noOwner)
            let job: DrawingID = fresh()
            #expect(try await tenant.enqueue(by: owner, as: job) == .created)
            let drawing = try #require(
                try await DrawingOne(job, of: owner, in: tenant.id).first(from: store.service)
            )
            #expect(String(decoding: drawing.statusBytes, as: UTF8.self) == "PENDING")
            #expect(String(decoding: drawing.typeBytes, as: UTF8.self) == "GENERATED")
            #expect(drawing.imageHashBytes == nil)
            #expect(try await look(job, owner, tenant) == ImageJobLook.Row(state: .queued, fault: nil))
            #expect(try await look(job, owner, other) == nil)
            #expect(try await look(job, stranger, tenant) == nil)

            let isOff = try await tenant.change(endpoint) { $0.state = .disabled }
            #expect(isOff)
            #expect(try await tenant.enqueue(by: owner) == .noEndpoint)
            #expect(try await other.change(endpoint) { $0.state = .enabled } == false)
        }
    }

    @Test func motionNeedsAPictureOfItsOwner() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), stranger = try await tenant.user("stranger")
            _ = try await tenant.imageEndpoint(.animatedDrawings)
            _ = try await tenant.imageEndpoint()
            let drawing = try await tenant.drawing(by: owner)
            let foreign = try await other.drawing(by: other.user())
            let pending: DrawingID = fresh()
            #expect(try await tenant.enqueue(by: owner, as: pending) == .created)
            #expect(try await tenant.enqueue(.motion, by: owner, of: drawing) == .created)
            #expect(try await tenant.enqueue(.motion, by: owner, of: pending) == .noImage)
            #expect(try await tenant.enqueue(.motion, by: stranger, of: drawing) == .noDrawing)
            #expect(try await tenant.enqueue(.motion, by: owner, of: foreign) == .noDrawing)
        }
    }

    @Test func aPartyNeedsConsentAndTheHouseDoesNot() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), neighbour = try await other.user()
            for it in [tenant, other] {
                try await TenantSetConsent(scopes: [.disclose("openai")], notice: 3, of: it.id, note: it.note())
                    .run(on: store.operatorRole)
                _ = try await it.imageEndpoint(.openai, party: "openai")
            }
            let lack = ConsentLack(scope: .disclose("openai"), notice: 3)
            #expect(try await tenant.enqueue(by: owner) == .noConsent(lack))
            _ = try await tenant.imageEndpoint()
            #expect(try await tenant.enqueue(by: owner) == .created)
            #expect(try await other.enqueue(by: neighbour) == .noConsent(lack))
        }
    }

    @Test func whatALimitRefusesIsNotTaken() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), neighbour = try await other.user()
            for it in [tenant, other] { _ = try await it.imageEndpoint() }
            try await tenant.limit(.generations, to: 1, per: .day)
            try await tenant.limit(.drawings, to: 2)
            #expect(try await tenant.enqueue(by: owner) == .created)
            guard case .overQuota(let refusal) = try await tenant.enqueue(by: owner) else {
                Issue.record("not refused")
                return
            }
            #expect(refusal.key.metric == .generations && refusal.resetsAt != nil)
            #expect(try await tenant.used(.drawings) == 1)
            #expect(try await tenant.used(.generations) == 1)
            #expect(try await tenant.differences().isEmpty)
            #expect(try await other.enqueue(by: neighbour) == .created)
        }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func aRequestWithAKeyMakesOneJob(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), neighbour = try await other.user()
            for it in [tenant, other] {
                _ = try await it.imageEndpoint()
                try await it.limit(.generations, to: 5, per: .day)
            }
            let key = freshDigest(), body = freshDigest(), first: DrawingID = fresh()
            func ask(_ id: DrawingID, _ body: [UInt8], _ user: UserID, _ tenant: TestTenant) async throws
                -> Once<ImageJobEnqueue.Outcome>
            {
                let mark = OnceMark(key: key, body: body, at: noon)
                return try await ImageJobEnqueueOnce(tenant.enqueueing(by: user, as: id), mark)
                    .answer(from: store.service)
            }
            #expect(try await ask(first, body, owner, tenant) == .first(.created))
            #expect(try await ask(fresh(), body, owner, tenant) == .repeated(first.rawValue))
            #expect(try await ask(fresh(), freshDigest(), owner, tenant) == .otherBody)
            #expect(try await ask(fresh(), body, neighbour, other) == .first(.created))
            #expect(try await tenant.used(.generations) == 1)
        }
    }

    /// A process dies in the middle: another takes over, and what the first still sends counts for nothing.
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func theFenceKeepsADeadWorkersAnswerOut(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.withOwnDatabase(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user()
            for it in [tenant, other] { _ = try await it.imageEndpoint() }
            try await tenant.limit(.generations, to: 1, per: .day)
            let job: DrawingID = fresh()
            #expect(try await tenant.enqueue(by: owner, as: job) == .created)
            let first = try #require(try await claim(store, lease: .zero).first)
            let second = try #require(try await claim(store).first)
            #expect(first.subject == job.rawValue && second.subject == job.rawValue && second.fence > first.fence)
            #expect(try await claim(store).isEmpty)

            let running = ImageJobAdvance(second, to: .running, machine: "machine", again: .seconds(60), at: noon)
            let late = ImageJobAdvance(first, to: .queued, machine: "late", again: .zero, at: noon)
            #expect(try await running.answer(from: store.service))
            #expect(try await late.answer(from: store.service) == false)
            #expect(
                try await ImageJobFail(first, for: "away", machine: "late", at: noon).answer(from: store.service)
                    == false
            )
            #expect(try await settle(first, store) == .lost)
            let task = try #require(try await ImageJobLoad(second).first(from: store.service))
            #expect(
                task.owner == owner && task.machine == "machine" && task.prompt == "a cat" && task.createdAt == noon
            )

            #expect(try await settle(second, store) == .ready)
            #expect(try await settle(second, store) == .lost)
            #expect(try await look(job, owner, tenant) == ImageJobLook.Row(state: .ready, fault: nil))
            let drawing = try #require(try await DrawingOne(job, of: owner, in: tenant.id).first(from: store.service))
            #expect(String(decoding: drawing.statusBytes, as: UTF8.self) == "READY" && drawing.width == 8)
            #expect(try await tenant.used(.generations) == 1)
            #expect(try await tenant.differences().isEmpty)
        }
    }

    @Test func whatFailsGivesBackWhatItReserved() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), neighbour = try await other.user()
            for it in [tenant, other] {
                _ = try await it.imageEndpoint()
                try await it.limit(.generations, to: 3, per: .day)
            }
            let job: DrawingID = fresh(), foreign: DrawingID = fresh()
            #expect(try await tenant.enqueue(by: owner, as: job) == .created)
            #expect(try await other.enqueue(by: neighbour, as: foreign) == .created)
            let items = try await claim(store)
            let mine = try #require(items.first { $0.tenant == tenant.id })
            #expect(try await ImageJobFail(mine, for: "away", machine: "m", at: noon).answer(from: store.service))
            #expect(try await look(job, owner, tenant) == ImageJobLook.Row(state: .failed, fault: "away"))
            let drawing = try #require(try await DrawingOne(job, of: owner, in: tenant.id).first(from: store.service))
            #expect(String(decoding: drawing.statusBytes, as: UTF8.self) == "FAILED")
            #expect(try await tenant.used(.generations) == 0)
            #expect(try await other.used(.generations) == 1)
            #expect(try await look(foreign, neighbour, other)?.state == .queued)
            #expect(try await tenant.differences().isEmpty)
        }
    }

    @Test func whatCameToNothingGoesAfterADay() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), neighbour = try await other.user()
            for it in [tenant, other] {
                _ = try await it.imageEndpoint()
                try await it.limit(.drawings, to: 5)
            }
            #expect(try await tenant.enqueue(by: owner) == .created)
            #expect(try await other.enqueue(by: neighbour) == .created)
            for item in try await claim(store) {
                #expect(try await ImageJobFail(item, for: "away", machine: "m", at: noon).answer(from: store.service))
            }
            let day = Sweep.failedDrawingLife
            #expect(try await Sweep(of: tenant.id, at: noon + day).run(on: store.service).failedDrawings == 0)
            let late = noon + day + .seconds(1)
            #expect(try await Sweep(of: tenant.id, at: late).run(on: store.service).failedDrawings == 1)
            #expect(try await tenant.used(.drawings) == 0)
            #expect(try await other.used(.drawings) == 0)
            #expect(try await tenant.differences().isEmpty)
        }
    }

    enum End: CaseIterable { case swept, deleted, retained, withAccount }

    /// It is given back when the job fails, in no list from then on, and not given back again when the row goes, in whichever way.
    @Test(arguments: End.allCases)
    func whatCameToNothingCountsNoMore(_ end: End) async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), keeper = try await tenant.user("keeper"),
                neighbour = try await other.user()
            for it in [tenant, other] {
                _ = try await it.imageEndpoint()
                try await it.limit(.drawings, to: 5)
            }
            func list(_ type: DrawingType?, _ place: DrawingPageRequest.Place) async throws -> [DrawingID] {
                let request = DrawingPageRequest(of: owner, in: tenant.id, type: type, place: place, count: 10)
                var found: [DrawingID] = []
                try await request.run(on: store.service).forEachID { found.append($0) }
                return found
            }
            let job: DrawingID = fresh()
            #expect(try await tenant.enqueue(by: owner, as: job) == .created)
            #expect(try await other.enqueue(by: neighbour) == .created)
            _ = try await tenant.drawing(by: keeper)
            #expect(try await list(nil, .newest) == [job])
            #expect(try await list(.generated, .newest) == [job])
            #expect(try await tenant.used(.drawings) == 2)
            let item = try #require(try await claim(store).first { $0.tenant == tenant.id })
            #expect(try await ImageJobFail(item, for: "away", machine: "m", at: noon).answer(from: store.service))
            #expect(try await tenant.used(.drawings) == 1)
            #expect(try await tenant.differences().isEmpty)
            for type in [nil, .generated] as [DrawingType?] {
                for place in [.newest, .before(DrawingID(rawValue: job.rawValue + 1)), .page(1)]
                    as [DrawingPageRequest.Place]
                {
                    #expect(try await list(type, place) == [])
                }
            }
            #expect(try await look(job, owner, tenant) == ImageJobLook.Row(state: .failed, fault: "away"))
            #expect(try await DrawingOne(job, of: owner, in: tenant.id).first(from: store.service) != nil)
            switch end {
            case .swept:
                let late = noon + Sweep.failedDrawingLife + .seconds(1)
                #expect(try await Sweep(of: tenant.id, at: late).run(on: store.service).failedDrawings == 1)
            case .deleted:
                let delete = DrawingDelete(job, of: owner, in: tenant.id, note: userNote(), isLimited: true)
                #expect(try await delete.answer(from: store.service))
            case .retained:
                try await store.script(
                    "select chil_sweep_drawings(\(tenant.id.rawValue), \(job.rawValue - 1), 1, 77, now() + interval '20 years')"
                )
            case .withAccount: _ = try await tenant.delete(owner).run(on: store.service)
            }
            #expect(try await DrawingOne(job, of: owner, in: tenant.id).first(from: store.service) == nil)
            #expect(try await tenant.used(.drawings) == 1)
            #expect(try await other.used(.drawings) == 1)
            #expect(try await tenant.differences().isEmpty)
        }
    }

    @Test func aDrawingThatIsDeletedMeanwhileTakesItsJobAlong() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user()
            for it in [tenant, other] { _ = try await it.imageEndpoint() }
            try await tenant.limit(.generations, to: 3, per: .day)
            try await tenant.limit(.drawings, to: 3)
            for isSettled in [true, false] {
                let job: DrawingID = fresh()
                #expect(try await tenant.enqueue(by: owner, as: job) == .created)
                let item = try #require(try await claim(store).first)
                let delete = DrawingDelete(job, of: owner, in: tenant.id, note: userNote(), isLimited: true)
                #expect(try await delete.answer(from: store.service))
                #expect(try await ImageJobLoad(item).first(from: store.service) == nil)
                if isSettled {
                    #expect(try await settle(item, store) == .gone)
                } else {
                    #expect(try await ImageJobDrop(item).answer(from: store.service))
                }
                #expect(try await ImageJobDrop(item).answer(from: store.service) == false)
            }
            #expect(try await tenant.used(.generations) == 0)
            #expect(try await tenant.used(.drawings) == 0)
            #expect(try await tenant.differences().isEmpty)
        }
    }

    @Test func anAccountThatEndsTakesItsJobsAlong() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), neighbour = try await other.user()
            for it in [tenant, other] {
                _ = try await it.imageEndpoint()
                try await it.limit(.generations, to: 3, per: .day)
            }
            #expect(try await tenant.enqueue(by: owner) == .created)
            #expect(try await other.enqueue(by: neighbour) == .created)
            let items = try await claim(store)
            let mine = try #require(items.first { $0.tenant == tenant.id })
            _ = try await tenant.delete(owner).run(on: store.service)
            #expect(try await settle(mine, store) == .gone)
            #expect(try await tenant.used(.generations) == 0)
            #expect(try await other.used(.generations) == 1)
            #expect(try await tenant.differences().isEmpty)
        }
    }

    @Test func withoutRoomThePictureIsNotKept() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user()
            for it in [tenant, other] { _ = try await it.imageEndpoint() }
            try await tenant.limit(.storageBytes, to: 3)
            #expect(try await tenant.enqueue(by: owner) == .created)
            let item = try #require(try await claim(store).first)
            guard case .overQuota(let refusal) = try await settle(item, store) else {
                Issue.record("not refused")
                return
            }
            #expect(refusal.key.metric == .storageBytes)
            #expect(try await ImageJobFail(item, for: "no-room", machine: "m", at: noon).answer(from: store.service))
            #expect(try await tenant.used(.storageBytes) == 0)
        }
    }

    @Test func oneTenantTakesNobodysTurn() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let owner = try await tenant.user(), neighbour = try await other.user()
            for it in [tenant, other] { _ = try await it.imageEndpoint() }
            for _ in 0..<6 { #expect(try await tenant.enqueue(by: owner) == .created) }
            #expect(try await other.enqueue(by: neighbour) == .created)
            let items = try await claim(store, perTenant: 2)
            #expect(items.filter { $0.tenant == tenant.id }.count == 2)
            #expect(items.filter { $0.tenant == other.id }.count == 1)
            #expect(try await claim(store, full: [tenant.id]).isEmpty)
            #expect(try await WorkClaim(countMax: 10, lease: .zero, holder: "test").run(on: store.service).isEmpty)
        }
    }

    private func look(_ job: DrawingID, _ user: UserID, _ tenant: TestTenant) async throws -> ImageJobLook.Row? {
        try await ImageJobLook(job, of: user, in: tenant.id).first(from: tenant.store.service)
    }

    private func claim(
        _ store: TestStore,
        lease: Duration = .seconds(60),
        full: [TenantID] = [],
        perTenant: Int = 10
    ) async throws -> [WorkItem] {
        let share = ShareClaim(
            countMax: 10,
            lease: lease,
            holder: "test",
            fullTenants: full,
            countPerTenant: perTenant
        )
        return try await ImageJobClaim(share).run(on: store.service)
    }

    private func settle(_ item: WorkItem, _ store: TestStore) async throws -> ImageJobSettle.Outcome {
        let facts = ImageFacts(hash: freshDigest(), byteCount: 4, mediaType: "image/png", width: 8, height: 8)
        let made = ImageJobSettle.Made(image: facts, bytes: [1, 2, 3, 4], endpoint: nil, revisedPrompt: "a tabby cat")
        return try await ImageJobSettle(item, made, machine: "done", at: noon).answer(from: store.service)
    }
}

extension TestTenant {
    func imageEndpoint(
        _ kind: ImageEndpoint.Kind = .sketchbook,
        url: String = "",
        party: String? = nil,
        key: [UInt8]? = nil,
        position: Int32? = nil
    ) async throws -> ImageEndpointID {
        let id: ImageEndpointID = fresh()
        let draft = ImageEndpointAdd.Draft(
            kind: kind,
            url: url,
            sealedKey: key,
            model: nil,
            options: "{}",
            position: position,
            timeout: .seconds(60),
            allowedPrivateEndpoint: nil,
            disclosedTo: party
        )
        try await ImageEndpointAdd(id, to: self.id, draft, note: note()).run(on: store.operatorRole)
        return id
    }

    func change(_ endpoint: ImageEndpointID, _ edit: (inout ImageEndpointSet.Change) -> Void) async throws -> Bool {
        var change = ImageEndpointSet.Change()
        edit(&change)
        return try await ImageEndpointSet(change, of: endpoint, in: id, note: note()).run(on: store.operatorRole)
    }

    func enqueueing(
        _ purpose: ImagePurpose = .generation,
        by owner: UserID,
        of source: DrawingID? = nil,
        as job: DrawingID = fresh()
    ) -> ImageJobEnqueue {
        ImageJobEnqueue(
            ImageJobEnqueue.Draft(id: job, purpose: purpose, source: source, prompt: "a cat"),
            of: owner,
            in: id,
            requestID: "request-4",
            at: noon,
            isLimited: true
        )
    }

    func enqueue(
        _ purpose: ImagePurpose = .generation,
        by owner: UserID,
        of source: DrawingID? = nil,
        as job: DrawingID = fresh()
    ) async throws -> ImageJobEnqueue.Outcome {
        try await enqueueing(purpose, by: owner, of: source, as: job).answer(from: store.service)
    }
}
