import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// A code that comes with an identity token: what is sent again because the answer was lost, and what is not.
@Suite struct SpentCodeTests {
    static func code(_ digest: [UInt8], exchange: Bool = false, at now: Timestamp = noon) -> SpentCode {
        let exchange = exchange ? SpentCode.Exchange(id: fresh(), sealedCode: [1, 2, 3]) : nil
        return SpentCode(digest: digest, beside: exchange, at: now)
    }

    static func rows(_ tenant: TestTenant) async throws -> [Int64] {
        try await tenant.store.administrator.run(CodeRows(tenant: tenant.id), .read, of: nil)[0]
    }

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func theSameTokenWithTheSameCodeGivesTheSameSession(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let token = freshDigest(), code = freshDigest(), nonce = freshDigest(), session: SessionID = fresh()
            try await NonceCreate(in: tenant.id, digest: nonce, expires: noon + .seconds(600)).touched(
                on: store.service
            )
            func again(_ token: [UInt8], _ code: [UInt8]?, after seconds: Int64 = 1) async throws -> SignIn.Outcome {
                let spent = code.map { Self.code($0, exchange: true, at: noon + .seconds(seconds)) }
                let signIn = tenant.signIn(
                    "person",
                    nonce: nonce,
                    token: token,
                    code: spent,
                    at: noon + .seconds(seconds)
                )
                return try await signIn.answer(from: store.service)
            }
            let first = try await tenant.signIn(
                "person",
                nonce: nonce,
                token: token,
                code: Self.code(code, exchange: true),
                session: session
            ).answer(from: store.service)
            #expect(first.word == "new")
            // The nonce is spent, and is not asked for again.
            for seconds: Int64 in [1, 299] {
                guard case .repeated(let user, let isNew, let made) = try await again(token, code, after: seconds)
                else {
                    Issue.record("not repeated after \(seconds) s")
                    return
                }
                #expect(user.id == first.user?.id && isNew && made.id == session)
                #expect(made.salt == Array(repeating: 9, count: 16) && made.idleExpires == noon + .seconds(1_000))
            }
            #expect(try await Self.rows(tenant) == [1, 1, 1, 0, 0])
            // Whatever is not the same request is judged as ever.
            #expect(try await again(token, nil).word == "nonce")
            #expect(try await again(token, freshDigest()).word == "nonce")
            #expect(try await again(token, code, after: 300).word == "nonce")
            let elsewhere = other.signIn("person", token: token, code: Self.code(code))
            #expect(try await elsewhere.answer(from: store.service).word == "new")
            // A refused request takes no code with it.
            #expect(try await Self.rows(tenant) == [1, 1, 1, 0, 0])
        }
    }

    /// A lost answer is lost until the next one is used.
    @Test func aSessionThatWentOnIsNotGivenAgain() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            for end in ["refresh", "logout"] {
                let token = freshDigest(), code = freshDigest(), session: SessionID = fresh()
                let first = tenant.signIn("person", token: token, code: Self.code(code), session: session)
                let user = try #require(try await first.answer(from: store.service).user?.id)
                if end == "refresh" {
                    let refresh = SessionRefresh(
                        session,
                        of: tenant.id,
                        counter: 1,
                        audit: fresh(),
                        caller: testCaller,
                        at: noon,
                        living: SessionRules(idle: .seconds(1_000), absolute: .seconds(10_000), countMax: nil)
                    )
                    _ = try await refresh.answer(from: store.service)
                } else {
                    _ = try await SessionsEnd(
                        .local,
                        from: session,
                        by: user,
                        of: tenant.id,
                        audit: fresh(),
                        caller: testCaller,
                        at: noon
                    ).answer(from: store.service)
                }
                let again = tenant.signIn("person", token: token, code: Self.code(code))
                #expect(try await again.answer(from: store.service).word == "replayed", "\(end)")
            }
        }
    }

    /// With another token the person is signed in; the code was used, and is not exchanged again.
    @Test func aUsedCodeIsNoReasonToRefuseAGoodToken() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let code = freshDigest()
            for word in ["new", "known"] {
                let signIn = tenant.signIn("person", code: Self.code(code, exchange: true))
                #expect(try await signIn.answer(from: store.service).word == word)
            }
            #expect(try await Self.rows(tenant) == [1, 1, 1, 0, 0])
        }
    }

    /// 100 replays at once through two services: with the code all are given one session, without it one is accepted.
    @Test(arguments: [true, false])
    func replaysAtOnceMakeOneSession(_ withCode: Bool) async throws {
        try await TestStore.withTwo { store, second in
            let tenant = try await TestTenant(store)
            let token = freshDigest(), code = freshDigest()
            let words = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<100 {
                    let spent = withCode ? Self.code(code, exchange: true) : nil
                    let signIn = tenant.signIn("person", token: token, code: spent)
                    let service = number.isMultiple(of: 2) ? store.service : second.service
                    group.addTask { try await signIn.answer(from: service).word }
                }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(words == ["new": 1, withCode ? "new again" : "replayed": 99])
            #expect(try await Self.rows(tenant) == (withCode ? [1, 1, 1, 0, 0] : [0, 0, 0, 0, 0]))
            #expect(try await store.administrator.run(SessionEnds(tenant: tenant.id), .read, of: nil).count == 1)
        }
    }

    @Test func aRefusedSignInLeavesTheCodeToTheNext() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let code = freshDigest()
            let refused = tenant.signIn("person", nonce: freshDigest(), code: Self.code(code, exchange: true))
            #expect(try await refused.answer(from: store.service).word == "nonce")
            #expect(try await Self.rows(tenant) == [0, 0, 0, 0, 0])
            let accepted = tenant.signIn("person", code: Self.code(code, exchange: true))
            #expect(try await accepted.answer(from: store.service).word == "new")
            #expect(try await Self.rows(tenant) == [1, 1, 1, 0, 0])
        }
    }
}
