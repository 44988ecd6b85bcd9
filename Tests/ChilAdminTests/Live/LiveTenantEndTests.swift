import ChilCore
import ChilDatabase
import ChilStore
import ChilTestSupport
import Testing

@testable import ChilAdmin

/// A tenant that is deleted is suspended, can be taken back, and goes when its time has come.
@Suite struct LiveTenantEndTests {
    @Test func aDeletedTenantComesBackOrGoes() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        for slug in ["chillin", "other"] { #expect(await live.run("tenant create \(slug)").status == .success) }
        try await live.script(WritingRow.people)
        let deleted = await live.run("tenant delete chillin --confirm=chillin -o json")
        #expect(deleted.status == .success && deleted.out.contains("\"purgeAt\": \"2"), "\(deleted.out)\(deleted.err)")
        #expect(deleted.err.contains("3 users, 3 sessions"), "\(deleted.err)")
        #expect(deleted.err.contains("tenant resume chillin` undoes it"))
        let first = try await purgeAt(live)
        #expect(await live.run("tenant list").out.contains("suspended"))
        // Said once more it goes no later.
        #expect(await live.run("tenant delete chillin --confirm=chillin").status == .success)
        #expect(await live.run("tenant suspend chillin").status == .success)
        #expect(try await purgeAt(live) == first)

        #expect(await live.run("tenant resume chillin").status == .success)
        #expect(await live.run("tenant show chillin -o json").out.contains("\"purgeAt\": null"))
        let now = Timestamp(seconds: 4_000_000_000)
        #expect(try await purge(live, at: now, countMax: 1_000) == [])

        #expect(await live.run("tenant delete chillin --confirm=chillin").status == .success)
        let due = try #require(try await purgeAt(live))
        #expect(try await purge(live, at: due - .seconds(1), countMax: 1_000) == [])
        // From its time on nobody takes it back, even before a service has begun.
        try await live.script("update tenant set purge_at = now() - interval '1 second' where slug = 'chillin'")
        let late = await live.run("tenant resume chillin")
        #expect(late.status == .dataRefused && late.err.contains("its time has come"), "\(late.err)")
        let steps = try await purge(live, at: now, countMax: 2)
        #expect(steps.last == .purged && steps.dropLast().allSatisfy { $0 == .more } && steps.count > 3, "\(steps)")
        #expect(await live.run("tenant show chillin").status == .notFound)
        #expect(await live.run("tenant show other").status == .success)
        try await live.script(
            """
            do $$ begin
                if not exists (select from ended_tenant where slug = 'chillin' and ended_by = 'ann' and row_count > 10) then
                    raise exception 'no end';
                end if;
            end $$
            """
        )
        #expect(try await purge(live, at: now, countMax: 2) == [])
        try await live.remove()
    }

    /// As a service does it, with no other rights.
    private func purge(_ live: LiveDatabase, at now: Timestamp, countMax: Int) async throws -> [TenantPurge.Outcome] {
        try await withDatabase(live.url(role: "chil_service")) { database in
            var steps: [TenantPurge.Outcome] = []
            for tenant in try await database.run(TenantsToPurge(at: now), .read, of: nil) {
                while steps.last != .purged, steps.last != .notDue {
                    steps.append(
                        try await TenantPurge(of: tenant, at: now, countMax: countMax).answer(from: database).outcome
                    )
                }
            }
            return steps
        }
    }

    private func purgeAt(_ live: LiveDatabase) async throws -> Timestamp? {
        try await live.withOperator { try await $0.run(TenantBySlug(slug: "chillin"), .read, of: nil).first?.purgeAt }
    }
}
