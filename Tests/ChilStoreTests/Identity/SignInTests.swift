import ChilCore
import ChilDatabase
import ChilStore
import Testing

extension SignIn.Outcome {
    var word: String {
        switch self {
        case .accepted(_, let isNew): isNew ? "new" : "known"
        case .repeated(_, let isNew, _): isNew ? "new again" : "known again"
        case .nonceRefused: "nonce"
        case .replayed: "replayed"
        case .banned: "banned"
        case .overQuota: "quota"
        case .outdated: "outdated"
        }
    }

    var user: UserView? {
        switch self {
        case .accepted(let user, _), .repeated(let user, _, _): user
        default: nil
        }
    }
}

@Suite struct SignInTests {
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func aPersonIsOneUserOfOneTenant(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store)
            let other = try await TestTenant(store)
            let first = try await tenant.signIn("person").answer(from: store.service)
            let again = try await tenant.signIn("person").answer(from: store.service)
            let elsewhere = try await other.signIn("person").answer(from: store.service)
            #expect([first.word, again.word, elsewhere.word] == ["new", "known", "new"])
            #expect(first.user?.id == again.user?.id)
            #expect(first.user?.id != elsewhere.user?.id)
            let user = try #require(first.user?.id)
            #expect(try await UserOne(user, of: tenant.id).first(from: store.service)?.id == user)
            #expect(try await UserOne(user, of: other.id).first(from: store.service) == nil)
        }
    }

    @Test func nameIsSetOnceAndAddressFollowsTheToken() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let mail = SignIn.Email(address: "a@example.com", isVerified: true, isPrivate: false)
            let newMail = SignIn.Email(address: "b@example.com", isVerified: nil, isPrivate: true)
            let steps: [(SignIn.Email?, String?, String?, String?, Bool?)] = [
                (nil, nil, nil, nil, nil),
                (mail, "Ada", "Ada", "a@example.com", true),
                (nil, nil, "Ada", "a@example.com", true),
                (newMail, "Eve", "Ada", "b@example.com", nil),
            ]
            for (email, given, expectedName, expectedEmail, verified) in steps {
                let outcome = try await tenant.signIn("person", email: email, givenName: given).answer(
                    from: store.service
                )
                let user = try #require(outcome.user)
                #expect(user.givenName == expectedName)
                #expect(user.email == expectedEmail)
                #expect(user.emailVerified == verified)
            }
        }
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func nonceIsSpentOnceInItsTenantAndTime(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store)
            let other = try await TestTenant(store)
            let nonce = freshDigest(), late = freshDigest()
            for digest in [nonce, late] {
                let create = NonceCreate(in: tenant.id, digest: digest, expires: noon + .seconds(600))
                #expect(try await create.touched(on: store.service) == 1)
            }
            let attempts = [
                try await other.signIn("person", nonce: nonce).answer(from: store.service),
                try await tenant.signIn("person", nonce: freshDigest()).answer(from: store.service),
                try await tenant.signIn("person", nonce: nonce).answer(from: store.service),
                try await tenant.signIn("person", nonce: nonce).answer(from: store.service),
                try await tenant.signIn("person", nonce: late, at: noon + .seconds(600)).answer(from: store.service),
            ]
            #expect(attempts.map(\.word) == ["nonce", "nonce", "new", "nonce", "nonce"])
        }
    }

    /// 100 replays at once, half of them through another service.
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases, [true, false])
    func oneTokenIsOneSession(_ form: DatabaseConfiguration.SegmentForm, _ withNonce: Bool) async throws {
        try await TestStore.withTwo(form) { store, second in
            let tenant = try await TestTenant(store)
            let token = freshDigest(), nonce = freshDigest()
            try await NonceCreate(in: tenant.id, digest: nonce, expires: noon + .seconds(60)).touched(on: store.service)
            let words = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<100 {
                    let signIn = tenant.signIn("person", nonce: withNonce ? nonce : nil, token: token)
                    let service = number.isMultiple(of: 2) ? store.service : second.service
                    group.addTask { try await signIn.answer(from: service).word }
                }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(words == ["new": 1, withNonce ? "nonce" : "replayed": 99])
        }
    }

    /// Different tokens of one new person at once: all are signed in, as one user.
    @Test func firstSignInsAtOnceMakeOneUser() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            try await tenant.limit(.users, to: 1)
            let users = try await withThrowingTaskGroup(of: UserID?.self) { group in
                for _ in 0..<20 {
                    let signIn = tenant.signIn("person")
                    group.addTask { try await signIn.answer(from: store.service).user?.id }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(users.count == 20 && users.allSatisfy { $0 != nil && $0 == users[0] })
            #expect(try await tenant.used(.users) == 1)
            #expect(try await tenant.signIn("another").answer(from: store.service).word == "quota")
            #expect(try await tenant.signIn("person").answer(from: store.service).word == "known")
            #expect(try await tenant.auditedActions().contains("session.create quota users tenant none"))
        }
    }
}
