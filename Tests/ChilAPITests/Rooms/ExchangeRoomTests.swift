import ChilDevIssuer
import ChilTestSupport
import Foundation
import Testing

/// Codes that are exchanged while the app waits: one tenant's provider that hangs holds up that tenant alone.
@Suite(.testBed([]), .ownThread)
struct ExchangeRoomTests {
    /// Of one tenant, on one loop.
    private static let places = 32

    @Test func aProviderThatHangsFillsItsTenantsRoomAlone() throws {
        let bed = try TestBed.required
        let service = try bed.start(["CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        let (hanging, other) = (try CodeTenant(in: bed), try CodeTenant(in: bed))
        hanging.server.issuer.fail(.token, with: .slow(.seconds(8)), times: Self.places)
        func request(_ app: CodeTenant) throws -> Request {
            app.token(json: "{\"code\":\"\(try app.authorize().code)\"}")
        }
        let (late, free) = (try request(hanging), try request(other))
        let crowd = try (0..<Self.places).map { _ in try Connection(to: service.port) }
        for connection in crowd { connection.write(try request(hanging).bytes) }
        func begun() throws -> String? {
            try bed.query(
                "select count(*) from code_use join tenant using (tenant_id) where slug = '\(hanging.tenant.slug)'"
            )
            .first
        }
        #expect(try waitUntil(.seconds(4)) { try begun() == "\(Self.places)" })
        // The next is refused, and nothing is written down of it.
        let refused = try service.send(late)
        try expectProblem(refused, 503, "overloaded")
        #expect(refused["Retry-After"] != nil)
        #expect(try begun() == "\(Self.places)")
        // Another tenant's is exchanged meanwhile.
        #expect(try service.send(free).status == 200)
        // The provider is away after its time, and then there is room again.
        for connection in crowd { try expectProblem(try connection.receive(), 503, "identity-provider-away") }
        #expect(try service.send(late).status == 200)
        #expect(try service.stop() == 0)
    }
}
