import ChilDatabase
import ChilStore
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// What an operator does with scanners, against PostgreSQL, as the operator's own role.
@Suite struct LiveScannerTests {
    @Test func aScannerIsAddedShownRotatedAndRemoved() async throws {
        let live = try await LiveDatabase()
        let base = "https://api.example"
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        #expect(await live.run("tenant create other").status == .success)
        try await live.script(
            """
            insert into app_user (tenant_id, user_id, created_at, updated_at)
            select tenant_id, 1001, now(), now() from tenant where slug = 'chillin'
            """
        )
        func run(_ line: String, at address: String? = base) async -> Run { await live.run(line, publicURL: address) }

        let added = await run("scanner add chillin --name hall --user 1001 --serial X5YZ -o json", at: base + "/")
        #expect(added.status == .success, "\(added.err)")
        let address = try #require(added.out.firstMatch(of: #/https://api\.example/chillin/scan/([A-Za-z0-9_-]{43})/#))
        #expect(added.err.contains("not shown again"))
        let token = try #require(ScanToken(text: String(address.1)))
        let digest = token.digest.map { String(format: "%02x", $0) }.joined()
        let stored = "select 1 from scanner where token_digest = '\\x\(digest)'"
        try await live.script("do $$ begin if not exists (\(stored)) then raise exception 'no digest'; end if; end $$")

        #expect(await run("scanner add chillin --name hall --user 1001").err.contains("of that name"))
        #expect(await run("scanner add other --name hall --user 1001").err.contains("no such user"))
        #expect(await run("scanner add chillin --name two --user 1001", at: nil).err.contains("CHIL_PUBLIC_URL"))
        let long = base + "/" + String(repeating: "x", count: 500)
        #expect(await run("scanner add chillin --name two --user 1001", at: long).err.contains("544"))

        let listed = await run("scanner list chillin")
        #expect(listed.out.contains("hall") && listed.out.contains("1001") && !listed.out.contains(token.text))
        #expect(await run("scanner list other").err.contains("No scanner"))
        #expect(await run("scanner show chillin hall").out.contains("X5YZ"))
        #expect(await run("scanner show other hall").status == .notFound)
        #expect(await run("scanner rotate other hall").status == .notFound)
        let rotated = await run("scanner rotate chillin hall -o json")
        #expect(
            rotated.status == .success && !rotated.out.contains(token.text) && rotated.out.contains("/chillin/scan/")
        )
        try await live.script("do $$ begin if exists (\(stored)) then raise exception 'still'; end if; end $$")
        #expect(await run("scanner remove other hall").status == .notFound)
        #expect(await run("scanner remove chillin hall").status == .success)
        #expect(await run("scanner remove chillin hall").status == .notFound)
        let audit = await run("audit list chillin --action scanner.* -o json")
        for action in ["scanner.add", "scanner.rotate", "scanner.remove"] { #expect(audit.out.contains(action)) }
        #expect(!audit.out.contains(token.text))
        try await live.remove()
    }
}
