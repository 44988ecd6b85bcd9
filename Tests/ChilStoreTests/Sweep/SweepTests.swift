import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// What has had its time goes then, and not a moment before; the other tenant's stays.
@Suite struct SweepTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// From noon on.
        let keptFor: Duration
        let count: @Sendable (Sweep.Removed) -> Int
        var testDescription: String { name }
    }

    /// What holds for a tenant that says nothing else.
    private static let receiptLife = Duration.seconds(400 * 86_400)

    static let rows = [
        // Good until a minute past its expiry, a code that is made of it then for five minutes more: it must be known for 360 s.
        Row(name: "spent identity tokens", keptFor: .seconds(600 + 600)) { $0.spentTokens },
        Row(name: "subjects whose account ended", keptFor: .seconds(25 * 3_600)) { $0.endedSubjects },
        Row(name: "receipts of deletions", keptFor: .seconds(400 * 86_400)) { $0.deletions },
        Row(name: "revocations that are over", keptFor: .seconds(400 * 86_400)) { $0.revocations },
    ]

    /// A person who has come and gone, with a token at the provider that was revoked.
    private static func past(_ tenant: TestTenant) async throws -> [UInt8] {
        let receipt = freshDigest()
        let signIn = tenant.signIn("person", code: SpentCode(digest: freshDigest(), exchangedFor: [7], at: noon))
        let user = try #require(try await signIn.answer(from: tenant.store.service).user?.id)
        _ = try await tenant.delete(user, receipt: receipt).run(on: tenant.store.service)
        let claimed = try await WorkClaim(countMax: 1, lease: .seconds(60), holder: "test").run(
            on: tenant.store.service
        )
        let end = TokenRevocationEnd(try #require(claimed.first), .revoked, at: noon)
        #expect(try await end.answer(from: tenant.store.service))
        return receipt
    }

    @Test(arguments: rows)
    func everythingGoesInItsTime(_ row: Row) async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store), other = try await TestTenant(store)
            let receipt = try await Self.past(tenant), otherReceipt = try await Self.past(other)
            for (moment, count) in [(row.keptFor, 0), (row.keptFor + .milliseconds(1), 1)] {
                let removed = try await Sweep(of: tenant.id, at: noon + moment).run(on: store.service)
                #expect(row.count(removed) == count, "after \(moment)")
            }
            let again = try await Sweep(of: other.id, at: noon + row.keptFor).run(on: store.service)
            #expect(row.count(again) == 0)
            // Until its time a receipt tells what it told.
            let isReceipt = row.keptFor == Self.receiptLife
            let told = try await AccountDeletionOne(receiptDigest: receipt, of: tenant.id).first(from: store.service)
            #expect((told == nil) == isReceipt)
            let others = AccountDeletionOne(receiptDigest: otherReceipt, of: other.id)
            #expect(try await others.first(from: store.service)?.providerToken == .revoked)
        }
    }

    @Test func whatIsUnderWayStays() async throws {
        try await TestStore.withOwnDatabase { store in
            let tenant = try await TestTenant(store)
            let queue = TokenRevocationQueue(
                [1],
                as: fresh(),
                of: "client",
                from: tenant.provider,
                in: tenant.id,
                at: noon
            )
            try await queue.touched(on: store.service)
            let removed = try await Sweep(of: tenant.id, at: noon + Self.receiptLife * 2).run(on: store.service)
            #expect(removed.revocations == 0 && removed.most == 0)
            let claimed = try await WorkClaim(countMax: 9, lease: .seconds(60), holder: "test").run(on: store.service)
            #expect(claimed.map(\.kind) == [.revoke])
        }
    }
}
