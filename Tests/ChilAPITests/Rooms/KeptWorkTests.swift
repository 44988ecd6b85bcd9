import ChilTestSupport
import Foundation
import Testing

/// What an operator stops, stops: also what was queued before.
@Suite(.testBed([]), .ownThread)
struct KeptWorkTests {
    /// A job of a new tenant's at a printer that nobody can reach, tried once.
    private static func queued(_ slug: String, on service: Service) throws -> (app: App, job: Int) {
        let bed = try TestBed.required
        let tenant = Tenant(slug: slug)
        try bed.administration.add(tenant, bed.issuer)
        try bed.administration.run("printer add \(slug) --name hall --uri ipp://127.0.0.1:1/ipp/print --default")
        try bed.administration.run("quota set \(slug) print_jobs 5 --window day")
        let app = try App(service, tenant, bed.issuer)
        let body = "{\"drawingId\":\(try app.makeDrawing())}"
        let job = try service.send(app.request("POST", "drawings/print", json: body)).int("printJobId")
        #expect(try waitUntil(.seconds(20)) { try attempts(job) > 0 && status(app, job) == "queued" })
        return (app, job)
    }

    private static func attempts(_ job: Int) throws -> Int {
        Int(try TestBed.required.query("select attempts from work where subject_id = \(job)").first ?? "") ?? 0
    }

    private static func status(_ app: App, _ job: Int) throws -> String {
        try app.send("GET", "print-jobs/\(job)").string("status")
    }

    private static func makeDue(_ job: Int) throws {
        try TestBed.required.query("update work set run_at = now() where subject_id = \(job)")
    }

    @Test func aRemovedPrinterIsGivenNothing() throws {
        let bed = try TestBed.required
        let service = try bed.start(["CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        let (app, job) = try Self.queued("takes-away", on: service), other = try Self.queued("keeps", on: service)
        try bed.administration.run("printer remove takes-away hall --cancel-jobs --confirm=takes-away")
        try Self.makeDue(job)
        #expect(try waitUntil(.seconds(20)) { try Self.status(app, job) == "canceled" })
        let reserved = "select count(*) from quota_reservation where reservation_id in (\(job), \(other.job))"
        #expect(try bed.query(reserved) == ["1"])
        #expect(try Self.status(other.app, other.job) == "queued")
        try bed.query("delete from work where subject_id = \(other.job)")
    }

    @Test func aSuspendedTenantsWorkIsPutOffAndGoesOnLater() throws {
        let bed = try TestBed.required
        let service = try bed.start(["CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        let (_, job) = try Self.queued("stops", on: service), other = try Self.queued("serves", on: service)
        try bed.administration.run("tenant suspend stops")
        let before = try Self.attempts(job), tried = try Self.attempts(other.job)
        for one in [job, other.job] { try Self.makeDue(one) }
        // It has been looked at, when the other tenant's has been.
        let isPutOff =
            "select run_at > now() + interval '10 seconds' from work where subject_id = \(job)"
        #expect(try waitUntil(.seconds(20)) { try Self.attempts(other.job) > tried && bed.query(isPutOff) == ["t"] })
        #expect(try Self.attempts(job) == before)
        try bed.administration.run("tenant resume stops")
        try Self.makeDue(job)
        #expect(try waitUntil(.seconds(20)) { try Self.attempts(job) > before })
        try bed.query("delete from work where subject_id in (\(job), \(other.job))")
    }
}
