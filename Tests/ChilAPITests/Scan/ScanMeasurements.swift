import ChilTestSupport
import Foundation
import Testing

/// A scanner does not wait for its page to be looked at.
@Suite(.testBed([.implicitNamed]), .ownThread)
struct ScanMeasurements {
    private static let pushes = 20
    /// As large as a page of A4 at 300 dpi is.
    private static let bytes = 2_000_000

    @Test("a push is answered within 100 ms") func aPushIsAnsweredAtOnce() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let desks = try [Tenant.north, .south].map { try ScanDesk(of: App(service, $0, bed.issuer)) }
        let clock = ContinuousClock()
        var times: [Duration] = []
        for round in 0..<Self.pushes {
            let desk = desks[round % 2]
            let page = Picture.jpeg(bytesMin: Self.bytes)
            let request = ScanDesk.push([page], to: desk.path, of: desk.app.tenant)
            let start = clock.now
            let answer = try service.send(request)
            times.append(clock.now - start)
            #expect(answer.status == 200, "\(answer.text)")
        }
        times.sort()
        print(
            "a push of \(Self.bytes) bytes: \(times[Self.pushes / 2]) in the middle, \(times[Self.pushes - 1]) at most"
        )
        #expect(times[Self.pushes / 2] < Duration.milliseconds(100).patient)
    }
}
