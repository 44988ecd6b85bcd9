import ChilTestSupport
import Foundation
import Testing

/// Uploads in constant memory: after many there is no more of it than after a few.
@Suite(.testBed([]), .ownThread)
struct UploadMemoryMeasurements {
    private static let mebibyte = 1 << 20
    /// By then what is kept for the next one is there: connections, buffers, the room of two large ones.
    private static let warmUp = 45
    private static let growthMax = 8 * mebibyte
    private static let refreshEvery = 100

    /// What the process has resident now, in bytes (proc(5)).
    private static func resident(_ service: Service) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(service.program.pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) })
            << 10
    }

    /// CHIL_TEST_ROUNDS=1000 for all of the thousand.
    @Test(
        "5 MB one after another, and 20 MiB now and then, leave memory flat",
        arguments: [false, true]
    )
    func memoryIsFlat(_ isInStore: Bool) throws {
        guard !isInStore || S3Server.isThere else { return }
        let bed = try TestBed.required
        var settings = ["CHIL_LOOPS": "1", "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=4"]
        let server = isInStore ? try S3Server() : nil
        defer { server?.stop() }
        if let server {
            let file = bed.folder.appendingPathComponent("s3-\(UUID()).key").path
            let line = Data("\(server.accessKey):\(server.secret)\n".utf8)
            try #require(
                FileManager.default.createFile(atPath: file, contents: line, attributes: [.posixPermissions: 0o600])
            )
            settings["CHIL_S3_URL"] = server.url
            settings["CHIL_S3_BUCKET"] = S3Server.bucket
            settings["CHIL_S3_KEY_FILE"] = file
        }
        let service = try bed.start(settings)
        defer { service.program.signal(SIGKILL) }
        // An access token lives shorter than a thousand uploads take on a slow machine.
        var app = try App(service, .north, bed.issuer)
        let connection = try Connection(to: service.port, patience: .seconds(60))
        func upload(_ bytesMin: Int) throws {
            let answer = try connection.send(app.upload(Picture.jpeg(bytesMin: bytesMin), type: "image/jpeg"))
            try #require(answer.status == 201, "\(answer.text)")
            // What is stored is no matter of this: the disk stays as it is.
            let drawing = try answer.int("drawingId")
            #expect(try connection.send(app.request("DELETE", "drawings/\(drawing)")).status == 204)
        }
        for round in 0..<Self.warmUp { try upload(round % 20 == 19 ? 20_000_000 : 5_000_000) }
        let before = try Self.resident(service)
        let rounds = Rounds.count(otherwise: isInStore ? 15 : 60)
        for round in 0..<rounds {
            if round % Self.refreshEvery == Self.refreshEvery - 1 { app = try app.refreshed() }
            try upload(round % 20 == 19 ? 20_000_000 : 5_000_000)
        }
        let growth = try Self.resident(service) - before
        print(
            "\(rounds) uploads, in \(isInStore ? "S3" : "PostgreSQL"): \(before / Self.mebibyte) MiB before, \(growth / 1_024) KiB more"
        )
        #expect(growth < Self.growthMax, "\(growth / Self.mebibyte) MiB")
        #expect(try service.stop() == 0)
    }
}
