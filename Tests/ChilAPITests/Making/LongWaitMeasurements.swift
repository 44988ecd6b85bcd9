import ChilTestSupport
import Foundation
import Testing

/// How long a wish is waited for, waited out. A minute and a half: with CHIL_TEST_LONG=1 alone.
@Suite(
    .testBed([.implicitNamed]),
    .ownThread,
    .enabled(if: ProcessInfo.processInfo.environment["CHIL_TEST_LONG"] == "1", "CHIL_TEST_LONG=1 asks for it")
)
struct LongWaitMeasurements {
    struct Wait: Sendable {
        let slug: String
        let isGuest: Bool
        /// Until the service has drawn.
        let seconds: Int
        let status: Int
        let answeredAfter: Int

        static let all = [
            Wait(slug: "waits-short", isGuest: false, seconds: 20, status: 201, answeredAfter: 20),
            Wait(slug: "waits", isGuest: false, seconds: 40, status: 202, answeredAfter: 30),
            Wait(slug: "guest-waits", isGuest: true, seconds: 45, status: 201, answeredAfter: 45),
            Wait(slug: "guest-goes", isGuest: true, seconds: 65, status: 202, answeredAfter: 55),
        ]
    }

    @Test("30 s for a person and 55 s for a guest, then 202, and the work goes on") func theWaitIsAsItIsSaid() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let studios = try Wait.all.map { wait in
            try Studio(wait.slug) { _ in .slow(.seconds(wait.seconds), Studio.drawn()) }
        }
        defer { for studio in studios { studio.standIn.stop() } }
        for wait in Wait.all where wait.isGuest { try bed.administration.run("tenant update \(wait.slug) --guest on") }
        let apps = try studios.map { try $0.app(service) }
        let results = try inParallel(Wait.all.count) { place -> [String] in
            let wait = Wait.all[place], app = apps[place]
            let body = Array("{\"prompt\":\"a cat\"}".utf8)
            let guest = Request("POST", "/\(wait.slug)/drawings/gen", type: "application/json", body: body)
            let connection = try Connection(to: service.port, patience: .seconds(90))
            let start = ContinuousClock().now
            let answer = try connection.send(wait.isGuest ? guest : app.wish("a cat"))
            let took = Int((ContinuousClock().now - start).components.seconds)
            print("\(wait.slug): \(answer.status) after \(took) s")
            var faults: [String] = []
            if answer.status != wait.status || !(wait.answeredAfter...wait.answeredAfter + 3).contains(took) {
                faults.append("\(wait.slug): \(answer.status) after \(took) s: \(answer.text)")
            }
            return faults
        }
        #expect(results.flatMap { $0 } == [])
        let isReady = try waitUntil(.seconds(60)) {
            try bed.query("select count(*) from image_job where state = 'ready'") == ["\(Wait.all.count)"]
        }
        #expect(isReady)
    }
}
