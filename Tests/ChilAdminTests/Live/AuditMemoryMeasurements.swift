import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// What `audit verify` holds in memory, which is this process's.
@Suite struct AuditMemoryMeasurements {
    /// A hundred thousand rows, a page in memory at a time.
    @Test func aLongChainIsVerifiedInConstantMemory() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        try await live.script(
            """
            insert into audit (tenant_id, audit_id, at, actor_kind, actor, action, target)
            select t.tenant_id, n, now(), 'user', n::text, 'session.create', n::text from tenant t, generate_series(1, 100000) n
            """
        )
        try await live.sealAudit()
        let before = Self.residentBytes()
        let run = await live.run("audit verify --tenant chillin")
        #expect(run.status == .success, "\(run.err)")
        #expect(run.out.contains("100001"))
        #expect(Self.residentBytes() - before < 64 << 20)
        try await live.remove()
    }

    private static func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (Int(text.split(separator: " ").dropFirst().first ?? "0") ?? 0) * 4_096
    }
}
