import ChilCore
import ChilDatabase
import ChilStore
import Testing

@Suite struct AccountRenameTests {
    private static func rename(_ user: UserID, of tenant: TestTenant, version: Int32, _ name: AccountRename.Change)
        -> AccountRename
    {
        AccountRename(user, of: tenant.id, version: version, givenName: name, familyName: .keep, note: userNote())
    }

    @Test func aChangeIsOfTheVersionThatWasSeen() async throws {
        try await TestStore.with { store in
            let (tenant, other) = (try await TestTenant(store), try await TestTenant(store))
            let user = try await tenant.user()
            let changed = try await Self.rename(user, of: tenant, version: 1, .set("Ann")).first(from: store.service)
            #expect(changed?.version == 2 && changed?.user.givenName == "Ann")
            // Late, early, and of another tenant.
            #expect(try await Self.rename(user, of: tenant, version: 1, .set("Bob")).first(from: store.service) == nil)
            #expect(try await Self.rename(user, of: tenant, version: 3, .set("Bob")).first(from: store.service) == nil)
            #expect(try await Self.rename(user, of: other, version: 2, .set("Bob")).first(from: store.service) == nil)
            let removed = try await Self.rename(user, of: tenant, version: 2, .remove).first(from: store.service)
            #expect(removed?.version == 3 && removed?.user.givenName == nil)
            // A sign-in gives the name again: there is none now.
            _ = try await tenant.signIn("person", givenName: "Ann").answer(from: store.service)
            let seen = try await UserOne(user, of: tenant.id).first(from: store.service)
            #expect(seen?.user.givenName == "Ann")
            // And takes none away.
            _ = try await tenant.signIn("person", givenName: "Eve").answer(from: store.service)
            #expect(try await UserOne(user, of: tenant.id).first(from: store.service)?.user.givenName == "Ann")
        }
    }

    @Test func ofManyAtOnceOneIsFirst() async throws {
        try await TestStore.with { store in
            let tenant = try await TestTenant(store)
            let user = try await tenant.user()
            let done = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<20 {
                    let rename = Self.rename(user, of: tenant, version: 1, .set("\(number)"))
                    group.addTask { try await rename.first(from: store.service) != nil }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(done == 1)
        }
    }
}
