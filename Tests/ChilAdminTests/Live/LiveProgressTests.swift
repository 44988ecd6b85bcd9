import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// The bar of long work, by the built program: at a terminal, and where there is none.
@Suite struct LiveProgressTests {
    /// So many that it cannot be done at once.
    private static let fill = """
        insert into tenant (tenant_id, slug, name, created_at, updated_at)
        select n, 'tenant-' || n, 'Tenant', '2020-01-01', now() from generate_series(1, 1000) n
        """

    private static func withDatabase(_ body: (LiveDatabase) async throws -> Void) async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        try await live.script(fill)
        try await body(live)
        try await live.remove()
    }

    @Test func aBarStandsThereMeanwhileAndIsNoData() async throws {
        try await Self.withDatabase { live in
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("chil-\(UUID()).json").path
            defer { try? FileManager.default.removeItem(atPath: file) }
            let terminal = try Pseudoterminal(
                ["/bin/sh", "-c", "exec $chiladmin quota recount --check -o json > \(file)"],
                environment: LiveConsoleTests.environment(live)
            )
            #expect(terminal.shows("█") && terminal.screen.text.hasPrefix("quota recount  "), "\(terminal.screen.text)")
            #expect(terminal.screen.text.contains(" of 1,000 tenants, "), "\(terminal.screen.text)")
            #expect(terminal.ended() == 0)
            #expect(
                terminal.screen.text.drop { $0 == "\n" }.hasPrefix("Every count is what there is."),
                "\(terminal.screen.text)"
            )
            #expect(!terminal.screen.text.contains("█"))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "[]\n")
        }
    }

    @Test(arguments: ["TERM=dumb", "2>&1 | cat"])
    func whereNothingCanGoBackThereIsNone(_ way: String) async throws {
        try await Self.withDatabase { live in
            let isPiped = way.hasSuffix("cat")
            let terminal = try Pseudoterminal(
                ["/bin/sh", "-c", "$chiladmin key reseal -o name \(isPiped ? way : "> /dev/null")"],
                height: 1_100,
                environment: LiveConsoleTests.environment(live, isPiped ? [:] : ["TERM": "dumb"])
            )
            let patience = Duration.seconds(60)
            #expect(terminal.shows("Everything that stays is sealed", patience), "\(terminal.screen.text)")
            #expect(terminal.ended() == 0)
            // What is said at all, is whole lines.
            let lines = terminal.screen.text.split(separator: "\n").filter { $0.contains("key reseal") }
            #expect(lines.allSatisfy { $0.hasPrefix("key reseal: ") }, "\(lines)")
            #expect(!terminal.screen.text.contains("█") && !terminal.screen.text.contains("#"))
        }
    }
}
