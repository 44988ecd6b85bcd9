import ChilTestSupport
import Foundation
import Testing

/// `GET events` behind a real proxy that keeps answers back until it has much of them, if nobody tells it otherwise.
@Suite(.testBed([.implicitNamed]), .ownThread)
struct EventsProxyMeasurements {
    @Test func whatHappensIsToldAsItHappens() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let proxy = try ReverseProxy(before: service)
        defer { proxy.stop() }
        let app = try App(service, .north, bed.issuer), foreign = try App(service, .south, bed.issuer)
        let stream = try EventStream(app, port: proxy.port)
        #expect(stream.status == 200)
        _ = try foreign.makeDrawing()
        for _ in 0..<3 {
            let drawing = try app.makeDrawing()
            // It comes before anything else is sent: else this would wait until the test's patience ends.
            #expect(try stream.next()?.data.hasPrefix("{\"drawingId\":\(drawing),") == true)
        }
        let seen = stream.lastID
        let missed = try app.makeDrawing()
        let resumed = try EventStream(app, port: proxy.port, after: seen)
        // What was seen in the last seconds comes again.
        var told: [String] = []
        repeat {
            told.append(try #require(try resumed.next()).data)
        } while !told[told.count - 1].hasPrefix("{\"drawingId\":\(missed),") && told.count < 5
        #expect(told.contains { $0.hasPrefix("{\"drawingId\":\(missed),") })
    }
}
