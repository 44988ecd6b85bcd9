import ChilCore
import ChilDatabase
import ChilStore
import Testing

@Suite struct SubjectTransferTests {
    private func add(_ lines: [(String, String)], to tenant: TestTenant) async throws -> Int {
        try await SubjectTransfersAdd(
            lines.map { SubjectTransfer(subject: $0.0, transferSubject: $0.1) },
            to: tenant.provider,
            in: tenant.id,
            note: tenant.note()
        ).answer(from: tenant.store.operatorRole)
    }

    private func lines(of tenant: TestTenant) async throws -> [String] {
        try await SubjectTransferPage(of: tenant.provider, in: tenant.id, after: "", countMax: 100)
            .rows(from: tenant.store.operatorRole).map { "\($0.transferSubject)>\($0.subject)" }
    }

    private func move(
        _ transferSubject: String,
        to subject: String,
        email: String? = nil,
        in tenant: TestTenant
    ) async throws -> SubjectMove.Outcome {
        try await SubjectMove(
            byTransferSubject: transferSubject,
            to: subject,
            email: email,
            of: tenant.provider,
            in: tenant.id,
            note: tenant.note()
        ).answer(from: tenant.store.operatorRole)
    }

    private func signedIn(_ subject: String, in tenant: TestTenant) async throws -> (user: UserView, isNew: Bool) {
        guard case .accepted(let user, let isNew) = try await tenant.signIn(subject).answer(from: tenant.store.service)
        else { throw DatabaseError(.broken, detail: "sign-in refused") }
        return (user, isNew)
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func linesAreStoredOnce(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            #expect(try await add([("a", "t1"), ("b,\"x", "t2"), ("a", "t1")], to: tenant) == 2)
            #expect(try await add([("other", "t1"), ("c", "t3")], to: tenant) == 1)
            #expect(try await lines(of: tenant) == ["t1>a", "t2>b,\"x", "t3>c"])
            #expect(try await lines(of: other) == [])
            #expect(try await add([("z", "t1")], to: other) == 1)
            #expect(try await lines(of: tenant).first == "t1>a")
            #expect(try await add([("a", "t1")], to: tenant) == 0)
            let imports = try await tenant.auditedActions().filter { $0.hasPrefix("transfer.import") }
            #expect(imports == ["transfer.import 1", "transfer.import 2"])
        }
    }

    @Test func pagesGoThroughAllInOrder() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            for subject in ["B", "a", "C", "\u{AC00}"] { _ = try await tenant.user(subject) }
            _ = try await other.user("b")
            var seen: [[String]] = []
            var after = ""
            while true {
                let page = try await SubjectPage(of: tenant.provider, in: tenant.id, after: after, countMax: 3)
                    .rows(from: store.operatorRole)
                seen.append(page)
                guard let last = page.last else { break }
                after = last
            }
            #expect(seen == [["B", "C", "a"], ["\u{AC00}"], []])
        }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func aUserIsMovedOnce(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let user = try await tenant.user("old"), foreign = try await other.user("old")
            _ = try await add([("old", "t1")], to: tenant)
            #expect(try await move("t1", to: "new", in: other) == .missing)
            #expect(try await move("t1", to: "new", in: tenant) == .moved)
            #expect(try await move("t1", to: "new", in: tenant) == .missing)
            #expect(try await lines(of: tenant) == [])
            let (known, isNew) = try await signedIn("new", in: tenant)
            #expect(known.id == user && !isNew)
            #expect(try await signedIn("old", in: tenant).isNew)
            #expect(try await signedIn("old", in: other).user.id == foreign)
            #expect(try await tenant.auditedActions().filter { $0.hasPrefix("identity.move") }.count == 1)
        }
    }

    @Test func anAccountUnderTheNewSubjectIsNotTouched() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let old = try await tenant.user("old"), new = try await tenant.user("new")
            _ = try await add([("old", "t1"), ("nobody", "t2"), ("same", "t3")], to: tenant)
            let same = try await tenant.user("same")
            #expect(try await move("t1", to: "new", in: tenant) == .taken)
            #expect(try await move("t2", to: "newer", in: tenant) == .nobody)
            #expect(try await move("t3", to: "same", in: tenant) == .moved)
            #expect(try await lines(of: tenant) == ["t1>old"])
            #expect(try await signedIn("old", in: tenant).user.id == old)
            #expect(try await signedIn("new", in: tenant).user.id == new)
            #expect(try await signedIn("same", in: tenant).user.id == same)
        }
    }

    @Test(arguments: [
        (true, "new@relay.example", "new@relay.example"), (false, "new@relay.example", "old@mail.example"),
        (true, nil, "old@mail.example"),
    ])
    func theRelayAddressMovesToo(_ isPrivate: Bool, _ given: String?, _ kept: String) async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let email = SignIn.Email(address: "old@mail.example", isVerified: true, isPrivate: isPrivate)
            _ = try await tenant.signIn("old", email: email).answer(from: store.service)
            _ = try await add([("old", "t1")], to: tenant)
            #expect(try await move("t1", to: "new", email: given, in: tenant) == .moved)
            #expect(try await signedIn("new", in: tenant).user.email == kept)
        }
    }

    /// A person who signs in while the lines are worked off is one person.
    @Test func manyMovesAtOnceMoveOnce() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            _ = try await tenant.user("old")
            _ = try await add([("old", "t1")], to: tenant)
            let outcomes = try await withThrowingTaskGroup(of: SubjectMove.Outcome.self) { group in
                for _ in 0..<8 { group.addTask { try await move("t1", to: "new", in: tenant) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.filter { $0 == .moved }.count == 1)
            #expect(outcomes.filter { $0 == .missing }.count == 7)
        }
    }

    @Test func theServiceMayNotImport() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let lines = [SubjectTransfer(subject: "a", transferSubject: "t")]
            let add = SubjectTransfersAdd(lines, to: tenant.provider, in: tenant.id, note: tenant.note())
            let error = await #expect(throws: DatabaseError.self) { _ = try await add.answer(from: store.service) }
            #expect(error?.code == .forbidden)
        }
    }
}
