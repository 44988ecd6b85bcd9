import Foundation
import Testing

@testable import ChilAPI

/// What an open stream costs the service.
@Suite(.testBed([]), .ownThread)
struct LiveMemoryMeasurements {
    private static let people = 128

    /// Of the process, in bytes (proc(5)).
    private static func resident(_ service: Service) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(service.program.pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) })
            << 10
    }

    @Test("a thousand open streams take less than 4 KB each")
    func aStreamCostsLittle() throws {
        let bed = try TestBed.required
        // The address sanitizer's own bookkeeping is no matter of the service's.
        let service = try bed.start(["CHIL_LOOPS": "1", "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=4"])
        defer { service.program.signal(SIGKILL) }
        let apps = try (0..<Self.people).map { _ in try App(service, .north, bed.issuer) }
        // What the first streams of all need is no matter of the others.
        var streams = try apps.map { try EventStream($0) }
        let before = try Self.resident(service)
        for app in apps { for _ in 1..<LivePeople.streamsMax { streams.append(try EventStream(app)) } }
        let count = streams.count - apps.count
        let each = (try Self.resident(service) - before) / count
        print("an open stream: \(each) bytes of \(count)")
        #expect(each < 4_096, "\(each) bytes each")
        // They are alive: each hears of its own.
        let drawing = try apps[7].makeDrawing()
        #expect(try streams[7].next()?.data.hasPrefix("{\"drawingId\":\(drawing),") == true)
        #expect(try service.stop() == 0)
    }
}
