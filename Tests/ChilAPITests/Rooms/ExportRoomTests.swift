import ChilTestSupport
import Foundation
import Testing

/// Exports that slow clients take: one tenant's do not keep another's waiting.
@Suite(.testBed([]), .ownThread)
struct ExportRoomTests {
    /// Of one tenant, on one loop.
    private static let places = 16
    private static let chunksOfEach = 16
    private static let chunkBytes = 262_144

    /// An image for each of the tenant's, more than sockets take: as an upload leaves it.
    private static func addImages(_ tenant: Tenant, _ bed: TestBed) throws {
        try bed.query(
            """
            begin;
            insert into image (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count)
            select tenant_id, user_id, sha256('image'), \(chunksOfEach * chunkBytes), 'image/jpeg', 16, 8, \(chunksOfEach)
              from app_user join tenant using (tenant_id) where slug = '\(tenant.slug)';
            with b as materialized (select convert_to(repeat('0123456789abcdef', \(chunkBytes / 16)), 'UTF8') as bytes)
            insert into image_chunk (tenant_id, owner_id, hash, position, bytes)
            select i.tenant_id, i.owner_id, i.hash, p, b.bytes
              from image i join tenant using (tenant_id), generate_series(0, \(chunksOfEach - 1)) p, b
             where slug = '\(tenant.slug)';
            insert into drawing (tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status, media_type, image_hash)
            select tenant_id, row_number() over (), owner_id, byte_count, now(), now(), width, height, 'UPLOADED', 'READY', media_type, hash
              from image join tenant using (tenant_id) where slug = '\(tenant.slug)';
            commit
            """
        )
    }

    @Test func slowClientsFillTheirTenantsRoomAlone() throws {
        let bed = try TestBed.required
        let service = try bed.start(["CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        let crowded = Tenant(slug: "crowded")
        try bed.administration.add(crowded, bed.issuer)
        let apps = try (0..<Self.places).map { _ in try App(service, crowded, bed.issuer) }
        try Self.addImages(crowded, bed)
        let late = try App(service, crowded, bed.issuer), stranger = try App(service, .north, bed.issuer)
        var slow = try apps.map { app in
            let socket = try ClientSocket(to: service.port, windowBytes: 4_096)
            socket.send(app.request("GET", "me/export").bytes)
            return socket
        }
        #expect(try waitUntil(.seconds(5)) { try late.send("GET", "me/export").status == 503 })
        let refused = try late.send("GET", "me/export")
        try expectProblem(refused, 503, "overloaded")
        #expect(refused["Retry-After"] != nil)
        // Whoever has one is told so about that one.
        #expect(try [429, 503].contains(apps[0].send("GET", "me/export").status))
        #expect(try stranger.send("GET", "me/export").status == 200)
        #expect(try late.send("GET", "me").status == 200)
        // One of them leaves: there is room for the next.
        slow.removeLast()
        #expect(try waitUntil(.seconds(5)) { try late.send("GET", "me/export").status == 200 })
        #expect(slow.count == Self.places - 1)
        slow = []
        #expect(try service.stop() == 0)
    }
}
