import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// Jobs of several drawings, and what they are printed on.
@Suite struct PrintBookTests {
    private struct Place: Sendable {
        let tenant: TestTenant
        let owner: UserID
        let drawings: [DrawingID]
        let printer: PrinterID

        init(_ store: TestStore, count: Int = 3) async throws {
            tenant = try await TestTenant(store)
            let owner = try await tenant.user()
            var drawings: [DrawingID] = []
            for _ in 0..<count { drawings.append(try await tenant.drawing(by: owner)) }
            self.owner = owner
            self.drawings = drawings
            printer = try await tenant.printer()
        }

        func print(_ drawings: [DrawingID], job: PrintJobID = fresh(), copies: Int32 = 1, paper: String? = nil)
            async throws
            -> PrintJobCreate.Outcome
        {
            try await PrintJobCreate(
                job,
                of: drawings,
                by: owner,
                in: tenant.id,
                on: nil,
                scale: .large,
                copies: copies,
                paper: paper,
                caller: testCaller,
                at: noon,
                isLimited: true
            ).answer(from: tenant.store.service)
        }

        func record(_ job: PrintJobID) async throws -> PrintJobRecord? {
            try await PrintJobOne(job, of: owner, in: tenant.id).run(on: tenant.store.service)
        }

        func pictures(_ job: PrintJobID) async throws -> [PrintJobPicture] {
            try await PrintJobPictures(of: job, in: tenant.id).rows(from: tenant.store.service)
        }

        func delete(_ drawing: DrawingID) async throws {
            _ = try await DrawingDelete(drawing, of: owner, in: tenant.id, note: userNote(), isLimited: false).answer(
                from: tenant.store.service
            )
        }

        func pagesUsed() async throws -> Int64? {
            try await OwnQuotas(of: owner, in: tenant.id, at: noon).rows(from: tenant.store.service).map(\.used).first
        }
    }

    @Test func aBookHasItsPagesInOrder() async throws {
        try await TestStore.with(.implicit) { store in
            let place = try await Place(store), other = try await Place(store)
            let job: PrintJobID = fresh(),
                order = [place.drawings[2], place.drawings[0], place.drawings[2], place.drawings[1]]
            #expect(try await place.print(order, job: job, copies: 2, paper: "b5") == .created(place.printer))
            let record = try #require(try await place.record(job))
            #expect(record.sheets.drawings == order && record.drawing == order[0])
            #expect(record.sheets.pageCount == 8 && record.sheets.paperWanted == "b5" && record.sheets.paper == nil)
            #expect(try await place.pictures(job).map(\.place) == [0, 1, 2, 3])
            #expect(try await other.pictures(job).isEmpty)
            // Another's drawing, one of the tenant's other people, and one that is not there: none is told from the others.
            for foreign in [other.drawings[0], fresh()] {
                #expect(try await place.print([place.drawings[0], foreign]) == .noDrawing)
            }
            // A single one is no book.
            let single: PrintJobID = fresh()
            _ = try await place.print([place.drawings[1]], job: single)
            #expect(try #require(try await place.record(single)).sheets.drawings == [place.drawings[1]])
        }
    }

    @Test func whatIsDeletedIsLeftOut() async throws {
        try await TestStore.with(.implicit) { store in
            let place = try await Place(store)
            let job: PrintJobID = fresh()
            _ = try await place.print(place.drawings, job: job)
            try await place.delete(place.drawings[0])
            #expect(try await place.pictures(job).map(\.place) == [1, 2])
            // The first that is still there stands for it.
            let load = PrintJobLoad(job, in: place.tenant.id)
            #expect(try #require(try await load.first(from: store.service)).image != nil)
            try await place.delete(place.drawings[2])
            try await place.delete(place.drawings[1])
            #expect(try await place.pictures(job).isEmpty)
            #expect(try #require(try await load.first(from: store.service)).image == nil)
            #expect(try #require(try await place.record(job)).sheets.drawings == place.drawings)
        }
    }

    @Test func pagesAreCountedAndThoseThatWereNotDrawnGivenBack() async throws {
        try await TestStore.withOwnDatabase(.implicit) { store in
            let place = try await Place(store), other = try await Place(store)
            try await place.tenant.limit(QuotaKey(.printedPages, .user, .day), to: 12)
            let job: PrintJobID = fresh()
            guard case .overQuota = try await place.print(place.drawings, copies: 5) else {
                Issue.record("fifteen pages of twelve")
                return
            }
            _ = try await place.print(place.drawings, job: job, copies: 4)
            #expect(try await place.pagesUsed() == 12)
            let note = PrintJobSheetsNote(job, in: place.tenant.id, paper: "a4", isSubstituted: true, pageCount: 8)
            let foreign = PrintJobSheetsNote(job, in: other.tenant.id, paper: "a3", isSubstituted: false, pageCount: 1)
            #expect(try await foreign.first(from: store.service) == nil)
            #expect(try await note.first(from: store.service) == job)
            let item = try #require(
                try await WorkClaim(countMax: 10, lease: .seconds(60), holder: "test").run(on: store.service)
                    .first { $0.subject == job.rawValue }
            )
            for state in [PrintJobState.sent, .completed] {
                let advance = PrintJobAdvance(
                    item,
                    to: state,
                    reason: nil,
                    machine: "step",
                    again: state == .sent ? .seconds(60) : nil,
                    at: noon
                )
                #expect(try await advance.answer(from: store.service).isStored)
            }
            #expect(try await place.pagesUsed() == 8)
            // The printer has it: what it was drawn for stays.
            #expect(try await note.first(from: store.service) == nil)
            let record = try #require(try await place.record(job))
            #expect(record.sheets.paper == "a4" && record.sheets.isSubstituted && record.sheets.pageCount == 8)
        }
    }

    @Test func aTenantsPagesAreItsOwn() async throws {
        try await TestStore.with(.implicit) { store in
            let place = try await Place(store), other = try await Place(store)
            func rules(_ place: Place) async throws -> PrintingRules {
                try #require(try await store.service.run(TenantByID(id: place.tenant.id), .read, of: nil).first)
                    .printing
            }
            func set(_ fit: String?, _ paper: String??, _ hasMark: Bool?) async throws -> Bool {
                try await TenantSetPrinting(
                    .init(fit: fit, paper: paper, hasMark: hasMark),
                    of: place.tenant.id,
                    note: place.tenant.note()
                ).run(on: store.operatorRole)
            }
            let first = try await rules(place)
            #expect(first.fit == "page" && first.paper == nil && !first.hasMark)
            #expect(try await set("paper", "letter", nil))
            #expect(try await set(nil, nil, true))
            #expect(try await set("paper", nil, true) == false)
            let job: PrintJobID = fresh()
            _ = try await place.print(place.drawings, job: job)
            let shown = try await place.pictures(job).map(\.rules)
            #expect(shown == Array(repeating: try await rules(place), count: 3))
            #expect(shown[0].fit == "paper" && shown[0].paper == "letter" && shown[0].hasMark)
            #expect(try await set(nil, .some(nil), false))
            #expect(try await rules(place).paper == nil)
            #expect(try await rules(other) == first)
        }
    }
}
