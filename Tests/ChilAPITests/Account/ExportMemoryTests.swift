import Foundation
import Testing

/// An export has any size in constant memory.
@Suite(.testBed([]), .ownThread)
struct ExportMemoryTests {
    private static let images = 8
    private static let chunksOfEach = 56
    private static let chunkBytes = 262_144
    private static let mebibyte = 1 << 20

    /// The most that the process ever had resident, in bytes (proc(5)).
    private static func peak(of service: Service) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(service.program.pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) })
            << 10
    }

    /// Images of the person's, as an upload leaves them. What is in them doesn't matter to an export.
    private static func addImages(_ app: App, _ bed: TestBed) throws {
        try bed.query(
            """
            begin;
            insert into image (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count)
            select t.tenant_id, \(app.userID), sha256(n::text::bytea), \(chunksOfEach * chunkBytes), 'image/jpeg', 16, 8, \(chunksOfEach)
              from tenant t, generate_series(1, \(images)) n where slug = 'north';
            with b as materialized (select convert_to(repeat('0123456789abcdef', \(chunkBytes / 16)), 'UTF8') as bytes)
            insert into image_chunk (tenant_id, owner_id, hash, position, bytes)
            select i.tenant_id, i.owner_id, i.hash, p, b.bytes
              from image i, generate_series(0, \(chunksOfEach - 1)) p, b where i.owner_id = \(app.userID);
            insert into drawing (tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status, media_type, image_hash)
            select tenant_id, row_number() over (), owner_id, byte_count, now(), now(), width, height, 'UPLOADED', 'READY', media_type, hash
              from image where owner_id = \(app.userID);
            commit
            """
        )
    }

    @Test("more than 100 MB, read slowly, take less than 32 MiB")
    func aLargeExportTakesLittle() throws {
        let bed = try TestBed.required
        // The address sanitizer keeps what was freed, up to so much; ordinary builds don't look at this.
        let service = try bed.start(["CHIL_LOOPS": "1", "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=4"])
        defer { service.program.signal(SIGKILL) }
        let app = try App(service, .north, bed.issuer)
        // What the first export of all needs is no matter of its size.
        #expect(try app.send("GET", "me/export").status == 200)
        try Self.addImages(app, bed)
        let before = try Self.peak(of: service)
        let connection = try Connection(to: service.port)
        connection.write(app.request("GET", "me/export").adding("Connection", "close").bytes)
        let (count, end) = try connection.drain(pause: 500)
        let size = Self.images * Self.chunksOfEach * Self.chunkBytes
        #expect(size > 100_000_000 && count > size && count < size + Self.mebibyte, "\(count)")
        #expect(end.hasSuffix("\r\n0\r\n\r\n"))
        let growth = try Self.peak(of: service) - before
        #expect(growth < 32 * Self.mebibyte, "\(growth / Self.mebibyte) MiB")
        #expect(try service.stop() == 0)
    }
}
