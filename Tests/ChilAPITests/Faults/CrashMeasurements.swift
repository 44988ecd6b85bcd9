import ChilTestSupport
import Foundation
import Testing

/// PostgreSQL is killed under load. Among the measurements, for it holds answers to their 2 s.
@Suite(.ownThread)
struct CrashMeasurements {
    private static let clients = 8

    @Test(arguments: [ServiceForm.implicitNamed, .explicitUnnamed])
    func theServiceOutlivesItsDatabase(_ form: ServiceForm) async throws {
        let cluster = try Cluster()
        defer { cluster.remove() }
        let bed = try await TestBed(in: cluster.url)
        let outcome = Result { try Self.crash(cluster, bed, form) }
        // What went wrong in the test says more than that nothing could be tidied up after it.
        try? await bed.remove()
        try outcome.get()
    }

    private static func crash(_ cluster: Cluster, _ bed: TestBed, _ form: ServiceForm) throws {
        try bed.fill([form])
        let service = try bed.service(form)
        let app = try App(service, .north, bed.issuer)
        let load = Load(app, clients: clients, endsWithConnection: false)
        try #require(waitUntil(.seconds(20)) { load.made > 20 })

        let crashing = ContinuousClock.now
        try cluster.crash()
        let dead = ContinuousClock.now
        // Until each client has waited for a connection twice.
        let areRefused = waitUntil(.seconds(10)) {
            let refused = load.soFar.filter { $0.begun > dead && $0.answer?.status == 503 }
            return Dictionary(grouping: refused, by: \.client).values.filter { $0.count >= 2 }.count == clients
        }
        #expect(areRefused)
        // The process itself is well; it can serve nobody, and says so when that lasts.
        #expect(try service.send(Request("GET", "/healthz")).status == 200)
        let restarting = ContinuousClock.now
        try cluster.start()
        let restarted = ContinuousClock.now
        let isBack = waitUntil(Promise.recovery) { load.served(after: restarted).count == clients }
        #expect(isBack, "no recovery within 5 s")
        let events = load.stop()

        try check(events, crashing, dead, restarting)
        let acknowledged = try events.compactMap { $0.answer }.filter { $0.status == 201 }.map {
            try $0.int("drawingId")
        }
        #expect(acknowledged.count > 20)
        let kept = try Self.everything(app)
        #expect(acknowledged.filter { !kept.contains($0) }.isEmpty, "acknowledged and lost")
        // Each loop has come back by itself: whichever is asked says so.
        #expect(waitUntil(Promise.recovery) { (try? service.send(Request("GET", "/readyz")))?.status == 200 })
    }

    /// Each request has an answer; while the database is away it is 503, says when to come again, and comes within 2 s.
    private static func check(
        _ events: [Load.Event],
        _ crashing: ContinuousClock.Instant,
        _ dead: ContinuousClock.Instant,
        _ restarting: ContinuousClock.Instant
    ) throws {
        for event in events {
            let answer = try #require(event.answer, "a request without an answer")
            guard answer.status >= 300 else { continue }
            try #require(event.begun + answer.elapsed > crashing, "refused before the crash: \(answer.text)")
            let code = try answer.string("code")
            try #require(["database-away", "outcome-unknown", "overloaded"].contains(code), "\(answer.text)")
            try expectProblem(answer, 503, code)
            try #require(answer["Retry-After"].flatMap { Int($0) } != nil)
            try #require(answer.elapsed < Promise.refusal.patient, "\(code) took \(answer.elapsed)")
        }
        // Sent and answered while there was no database at all.
        let away = events.filter { $0.begun > dead && $0.begun + ($0.answer?.elapsed ?? .zero) < restarting }
        #expect(!away.isEmpty)
        #expect(Set(away.compactMap { $0.answer?.status }) == [503])
        #expect(events.contains { $0.begun < crashing && $0.answer?.status == 201 })
    }

    /// The ids of all drawings, page by page.
    private static func everything(_ app: App) throws -> Set<Int> {
        var ids: Set<Int> = []
        var path: String? = "drawings?limit=200"
        while let next = path {
            let answer = try app.send("GET", next)
            try #require(answer.status == 200, "\(answer.text)")
            for drawing in try answer.array("data") { ids.insert(try #require(drawing["drawingId"] as? Int)) }
            path = (try answer.members["nextCursor"] as? String).map { "drawings?limit=200&cursor=\($0)" }
        }
        return ids
    }
}
