import ChilTestSupport
import Foundation
import Testing

/// Work that waits for somebody else's server: so much of it at once, and the rest stays in the queue.
@Suite(.testBed([]), .ownThread)
struct WorkerRoomTests {
    /// Of one process.
    private static let places = 128
    private static let items = 160

    @Test func aPrinterThatHangsLeavesTheRestInTheQueue() throws {
        let bed = try TestBed.required
        // Takes every connection, says nothing, and closes after a while.
        let printer = try RawServer(RawServer.Script(pieces: [(.seconds(12), [])]))
        defer { printer.stop() }
        try bed.administration.run(
            "printer add north --name hanging --uri ipp://127.0.0.1:\(printer.port)/ipp/print --default"
        )
        try bed.query(
            """
            begin;
            insert into print_cancellation (tenant_id, job_id, printer_id, remote_job_id)
            select tenant_id, n, printer_id, n from printer, generate_series(1, \(Self.items)) n;
            insert into work (tenant_id, work_id, kind, subject_id, run_at)
            select tenant_id, job_id, 'cancel', job_id, now() from print_cancellation;
            commit
            """
        )
        let service = try bed.start(["CHIL_LOOPS": "1"])
        // It would wait for the printer.
        defer { service.program.signal(SIGKILL) }
        // A lease has two minutes; what was tried in vain is put off for seconds.
        var most = 0
        func isLeased(_ count: Int) throws -> Bool {
            let leased = "select count(*) from work where run_at > now() + interval '1 minute'"
            most = max(most, Int(try bed.query(leased)[0]) ?? 0)
            return most >= count
        }
        #expect(try waitUntil(.seconds(11)) { try isLeased(Self.places) })
        // Until the first have been given up, and all the others had their turn.
        let haveAllHadTheirTurn = try waitUntil(.seconds(30)) {
            _ = try isLeased(Self.items)
            return try bed.query("select count(*) from work where attempts = 0") == ["0"]
        }
        #expect(haveAllHadTheirTurn)
        #expect(most == Self.places)
    }
}
