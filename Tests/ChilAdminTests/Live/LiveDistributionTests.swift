import ChilTestSupport
import Testing

@testable import ChilAdmin

/// `chiladmin distribute` and the end of a tenant, against PostgreSQL; Citus is a simulation (`CitusSimulation`).
@Suite struct LiveDistributionTests {
    @Test func aDatabaseIsDistributedByTheOperator() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        let printed = await live.run("distribute --shards 48", as: nil)
        #expect(printed.status == .success, "\(printed.err)")
        let lines = printed.out.split(separator: "\n")
        // For psql: a statement a line.
        #expect(lines.allSatisfy { $0.hasSuffix(";") })
        #expect(lines.contains("select create_reference_table('tenant');"))
        #expect(lines.count { $0.contains("shard_count => 48") } == 1)
        #expect(printed.err.contains("Nothing was run"))
        for words in ["distribute --run --confirm=distribute", "distribute --check"] {
            let refused = await live.run(words, as: nil)
            #expect(refused.status == .failed && refused.err.contains("no Citus"), "\(refused.err)")
            #expect(refused.err.contains("shared_preload_libraries"))
        }
        try await live.script(CitusSimulation.script)
        let before = await live.run("distribute --check", as: nil)
        #expect(before.status == .failed && before.err.contains("drawing: local"), "\(before.err)")
        let run = await live.run("distribute --run --confirm=distribute", as: nil)
        #expect(run.status == .success, "\(run.err)")
        #expect(run.err.contains("CHIL_SEGMENT=explicit"))
        let after = await live.run("distribute --check", as: nil)
        #expect(after.status == .success, "\(after.err)")
        #expect(after.out.contains(/reference +tenant\n/) && after.out.contains(/tenant +drawing\n/))
        // The operator's role may not, and the other commands go on as before.
        #expect(await live.run("distribute --check").status != .success)
        #expect(await live.run("tenant create chillin").status == .success)
        #expect(await live.run("quota set chillin drawings 5").status == .success)
        try await live.remove()
    }

    @Test(arguments: ["--run --check", "--print --run", "--shards 0", "--shards 2000", "--shards many"])
    func whatDoesNotGoTogetherIsRefused(_ words: String) async throws {
        #expect(await Run("distribute \(words)", services: FakeServices()).status == .usage)
    }

    @Test func aTenantIsDeleted() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        for slug in ["one", "two"] { #expect(await live.run("tenant create \(slug)").status == .success) }
        #expect(await live.run("tenant delete one").status == .usage)
        let serving = await live.run("tenant delete one --now --confirm=one")
        #expect(serving.status == .dataRefused && serving.err.contains("tenant suspend one"), "\(serving.err)")
        #expect(await live.run("tenant suspend one").status == .success)
        #expect(await live.run("tenant delete one --now --confirm=one").status == .success)
        #expect(await live.run("tenant delete one --now --confirm=one").status == .notFound)
        #expect(await live.run("tenant list -o json").out.contains("\"one\"") == false)
        #expect(await live.run("tenant show two").status == .success)
        #expect(await live.run("tenant create one").status == .success)
        try await live.remove()
    }
}
