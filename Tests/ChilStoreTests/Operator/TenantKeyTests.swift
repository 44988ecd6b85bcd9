import ChilCore
import ChilDatabase
import ChilStore
import Testing

@Suite struct TenantKeyTests {
    /// What an operator does, after so many seconds, and which keys there are then, by name: `a1` is key a, active since second 1.
    enum Step: Sendable {
        case rotate(String, after: Int64, waits: Bool, is: TenantKeyRotate.Outcome)
        case revoke(String, or: String, after: Int64, is: TenantKeyRevoke.Outcome)
    }

    struct Course: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [Step]
        let keys: [String]
        var testDescription: String { name }

        static let all = [
            Course(
                name: "a key is seen for five minutes before it signs",
                steps: [
                    .rotate("b", after: 0, waits: true, is: .published("b")),
                    .rotate("c", after: 299, waits: true, is: .waiting("b", since: noon)),
                    .rotate("d", after: 300, waits: true, is: .activated("b")),
                ],
                keys: ["key-1 retired 0 300", "b active 300 -"]
            ),
            Course(
                name: "or signs at once",
                steps: [
                    .rotate("b", after: 5, waits: false, is: .activated("b")),
                    .rotate("c", after: 6, waits: false, is: .activated("c")),
                ],
                keys: ["key-1 retired 0 5", "b retired 5 6", "c active 6 -"]
            ),
            Course(
                name: "one that waits is taken before a new one",
                steps: [
                    .rotate("b", after: 0, waits: true, is: .published("b")),
                    .rotate("c", after: 1, waits: false, is: .activated("b")),
                ],
                keys: ["key-1 retired 0 1", "b active 1 -"]
            ),
            Course(
                name: "T-16 in the place of a revoked key comes a new one",
                steps: [
                    .revoke("key-1", or: "b", after: 7, is: .revoked(active: "b")),
                    .revoke("key-1", or: "c", after: 8, is: .wasRevoked(active: "b")),
                ],
                keys: ["b active 7 -"]
            ),
            Course(
                name: "T-16 in the place of a revoked key comes the next one",
                steps: [
                    .rotate("b", after: 0, waits: true, is: .published("b")),
                    .revoke("key-1", or: "c", after: 7, is: .revoked(active: "b")),
                ],
                keys: ["b active 7 -"]
            ),
            Course(
                name: "a key that does not sign can be revoked too",
                steps: [
                    .rotate("b", after: 1, waits: false, is: .activated("b")),
                    .revoke("key-1", or: "c", after: 2, is: .revoked(active: "b")),
                    .rotate("d", after: 3, waits: true, is: .published("d")),
                    .revoke("d", or: "e", after: 4, is: .revoked(active: "b")),
                    .revoke("nothing", or: "f", after: 5, is: .missing),
                ],
                keys: ["b active 1 -"]
            ),
        ]
    }

    @Test(arguments: Course.all)
    func keysGoThroughTheirStates(_ course: Course) async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            for step in course.steps {
                switch step {
                case .rotate(let key, let seconds, let waits, let expected):
                    let now = noon + .seconds(seconds)
                    let outcome = try await TenantKeyRotate(
                        Self.key(key, at: now),
                        of: tenant.id,
                        publishedBefore: waits ? now - .seconds(300) : now,
                        note: OperatorNote(by: "tester", audit: fresh(), at: now)
                    ).answer(from: store.operatorRole)
                    #expect(outcome == expected)
                case .revoke(let key, let replacement, let seconds, let expected):
                    let now = noon + .seconds(seconds)
                    let outcome = try await TenantKeyRevoke(
                        key,
                        of: tenant.id,
                        replacement: Self.key(replacement, at: now),
                        note: OperatorNote(by: "tester", audit: fresh(), at: now)
                    ).answer(from: store.operatorRole)
                    #expect(outcome == expected)
                }
            }
            let keys = try await TenantKeyList(of: tenant.id).rows(from: store.service)
            #expect(Set(keys.map(Self.line)) == Set(course.keys) && keys.count == course.keys.count)
            #expect(
                try await TenantKeyList(of: other.id).rows(from: store.service).map(Self.line) == ["key-1 active 0 -"]
            )
            // What is revoked is remembered, but for its private half.
            for key in try await TenantKeyHistory(of: tenant.id, countMax: 10).rows(from: store.operatorRole) {
                #expect(key.sealedPrivate.isEmpty == (key.state == .revoked))
                #expect((key.retiredAt != nil) == (key.state == .revoked || key.state == .retired))
            }
        }
    }

    /// Each change once, by whom; a step that changes nothing is none.
    @Test func changesAreAudited() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            for (key, seconds) in [("b", 0 as Int64), ("c", 1), ("d", 300)] {
                let now = noon + .seconds(seconds)
                _ = try await TenantKeyRotate(
                    Self.key(key, at: now),
                    of: tenant.id,
                    publishedBefore: now - .seconds(300),
                    note: tenant.note()
                ).answer(from: store.operatorRole)
            }
            _ = try await TenantKeyRevoke("b", of: tenant.id, replacement: Self.key("e", at: noon), note: tenant.note())
                .answer(from: store.operatorRole)
            let trail = try await tenant.auditedActions().filter { $0.hasPrefix("key.") }
            #expect(trail == ["key.revoke active", "key.rotate activated", "key.rotate published"])
        }
    }

    /// Operators at once: the keys are decided one after another, and there is always exactly one that signs.
    @Test func twoRotationsAtOnceAreTwoInTurn() async throws {
        try await TestStore.withTwo { first, second in
            let tenant = try await TestTenant(first)
            func rotate(_ key: String, _ store: TestStore) async throws -> TenantKeyRotate.Outcome {
                try await TenantKeyRotate(
                    Self.key(key, at: noon),
                    of: tenant.id,
                    publishedBefore: noon,
                    note: tenant.note()
                )
                .answer(from: store.operatorRole)
            }
            async let one = rotate("b", first)
            async let two = rotate("c", second)
            let both = try await [one, two]
            #expect(Set(both.map { "\($0)" }).count == 2)
            let keys = try await TenantKeyList(of: tenant.id).rows(from: first.service)
            #expect(keys.count { $0.state == .active } == 1 && keys.count { $0.state == .retired } == 2)
        }
    }

    @Test func theServiceChangesNoKey() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let rotate = TenantKeyRotate(
                Self.key("b", at: noon),
                of: tenant.id,
                publishedBefore: noon,
                note: tenant.note()
            )
            let error = await #expect(throws: DatabaseError.self) { _ = try await rotate.answer(from: store.service) }
            #expect(error?.code == .forbidden)
        }
    }

    private static func key(_ id: String, at moment: Timestamp) -> TenantKeyRecord {
        TenantKeyRecord(keyID: id, state: .next, publicX: [1], publicY: [2], sealedPrivate: [3], createdAt: moment)
    }

    private static func line(_ key: TenantKeyRecord) -> String {
        func seconds(_ moment: Timestamp?) -> String { moment.map { "\(($0 - noon).components.seconds)" } ?? "-" }
        return "\(key.keyID) \(key.state) \(seconds(key.activatedAt)) \(seconds(key.retiredAt))"
    }
}
