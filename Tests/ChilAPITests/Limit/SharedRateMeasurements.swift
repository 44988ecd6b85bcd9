import ChilTestSupport
import Foundation
import Testing

/// How much of a limit many loops give together. The lower bounds want a machine that can send as much.
@Suite(.testBed([]), .ownThread, .serialized)
struct SharedRateMeasurements {
    private static let quota = 400

    @Test("two replicas of two loops: the total is within 10 % of the limit")
    func twoReplicasShareOneLimit() throws {
        let bed = try TestBed.required
        let tenant = try SharedRates.tenant("shared", "user read \(Self.quota) --per 60")
        try bed.withReplicas(2) { services in
            let ann = try App(services[0], tenant, bed.issuer)
            let bob = try App(services[1], tenant, bed.issuer)
            let begun = ContinuousClock.now, end = begun + .seconds(4)
            let served = try inParallel(12) { index in
                try SharedRates.flood(App(moving: ann, to: services[index % 2]), until: end)
            }
            let seconds = Double((ContinuousClock.now - begun).components.seconds)
            let total = Double(served.reduce(0, +)), allowed = Double(Self.quota) * (1 + seconds / 60)
            #expect(total >= allowed * 0.9 && total <= allowed * 1.1, "\(total) of \(allowed): \(served)")
            // Another person has all of it still.
            let others = Set(try (0..<20).map { _ in try bob.status() })
            #expect(others == [200])
        }
    }

    @Test("one client on one connection gets the whole limit, however many loops there are")
    func oneConnectionGetsTheWholeLimit() throws {
        let bed = try TestBed.required
        let tenant = try SharedRates.tenant("whole", "user read \(Self.quota) --per 86400")
        try bed.withReplicas(2) { services in
            let app = try App(services[0], tenant, bed.issuer)
            let connection = try Connection(to: services[0].port)
            var statuses: [Int] = []
            while statuses.last != 429, statuses.count < 2 * Self.quota {
                statuses.append(try connection.send(app.request("GET", "me")).status)
            }
            let served = statuses.count { $0 == 200 }
            #expect(served >= Self.quota * 95 / 100 && served <= Self.quota * 11 / 10, "\(served)")
        }
    }
}
