import ChilDevIssuer
import ChilTestSupport
import Foundation
import Testing

/// Work that waits for somebody else's server: so much of it at once, and the rest stays in the queue.
@Suite(.testBed([]), .ownThread)
struct WorkerRoomTests {
    /// Of one process.
    private static let places = 128
    private static let items = 160

    @Test func aProviderThatHangsLeavesTheRestInTheQueue() async throws {
        let bed = try TestBed.required
        let service = try bed.start(["CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        let place = try ProviderTenant("hanging", in: bed)
        defer { place.server.stop() }
        _ = try place.signIn("person", service)
        try await place.holdToken(of: "person")
        place.server.issuer.fail(.revoke, with: .slow(.seconds(8)), times: Self.items)
        try bed.query(
            """
            begin;
            insert into token_revocation (tenant_id, revocation_id, provider_id, client_id, sealed_token, updated_at)
            select tenant_id, n, provider_id, token_client_id, sealed_token, now()
              from identity, generate_series(1, \(Self.items)) n where subject = 'person';
            insert into work (tenant_id, work_id, kind, subject_id, run_at)
            select tenant_id, revocation_id, 'revoke', revocation_id, now() from token_revocation;
            commit
            """
        )
        // A lease has two minutes; what was tried in vain is put off for seconds.
        let leased = "select count(*) from work where kind = 'revoke' and run_at > now() + interval '1 minute'"
        var most = 0
        let isFull = try waitUntil(.seconds(5)) {
            most = max(most, Int(try bed.query(leased)[0]) ?? 0)
            return most >= Self.places
        }
        #expect(isFull)
        // Until the first have been given up, and all the others had their turn.
        let haveAllHadTheirTurn = try waitUntil(.seconds(30)) {
            most = max(most, Int(try bed.query(leased)[0]) ?? 0)
            return try bed.query("select count(*) from work where kind = 'revoke' and attempts = 0") == ["0"]
        }
        #expect(haveAllHadTheirTurn)
        #expect(most == Self.places)
        #expect(try service.stop() == 0)
    }
}
