import ChilPrintTestSupport
import ChilTestSupport
import Foundation
import Testing

/// `kill -9` of a service that prints, at each request that it makes of a printer and before and after each: what came out is counted at the
/// printers. `CHIL_TEST_ROUNDS` kills, else twelve: each place has its turn in twenty. A kill waits for the printer that it is meant for alone:
/// what goes on at the others is killed wherever it stands, and taken up by the next process.
@Suite("Killed while printing", .testBed([]), .ownThread)
struct PrintCrashMeasurements {
    private static let tenant = Tenant(slug: "killed")
    private static let printerCount = 24

    private struct Desk {
        let printer: PeerPrinter
        let proxy: PrinterProxy
        let id: Int
        let isHanded: Bool
    }

    private static let places: [(PrinterProxy.Operation, PrinterProxy.Point)] =
        [.getPrinterAttributes, .validateJob, .createJob, .sendDocument, .getJobAttributes].flatMap { operation in
            PrinterProxy.Point.allCases.map { (operation, $0) }
        }

    @Test func neverTwoPapersAndNoJobLost() throws {
        let bed = try TestBed.required
        try bed.administration.add(Self.tenant, bed.issuer)
        for metric in ["print_jobs", "printed_pages"] {
            try bed.administration.run("quota set killed \(metric) 1000000 --window day")
        }
        let desks = try (0..<Self.printerCount).map { number in
            // Each third has no Create-Job: the page goes with Print-Job.
            let isHanded = number % 3 == 2
            let printer = try PeerPrinter {
                if isHanded { $0.operations = [2, 4, 8, 9, 10, 11] }
            }
            let proxy = try PrinterProxy(to: printer.port)
            try bed.administration.run("printer add killed --name p\(number) --uri \(proxy.uri)")
            let id = try bed.query("select printer_id from printer where name = 'p\(number)'").first.flatMap { Int($0) }
            return Desk(printer: printer, proxy: proxy, id: try #require(id), isHanded: isHanded)
        }
        defer {
            for desk in desks {
                desk.proxy.switchOff()
                desk.printer.stop()
            }
        }
        // Slots for ids that others hold, not this suite's.
        let others = try bed.query("select slot from loop_slot where expires_at > now()") + ["-1"]
        var service = try bed.start(["CHIL_LOOPS": "1"])
        let app = try App(service, Self.tenant, bed.issuer)
        let drawing = try app.makeDrawing()
        let rounds = Rounds.count(otherwise: 12)
        var killsAtPlace = 0
        for round in 0..<rounds {
            let (operation, point) = Self.places[round % Self.places.count]
            let turn = round / Self.places.count + round
            let desk = desks[turn % desks.count]
            #expect(try waitUntil(.seconds(60)) { try openCount(bed, at: desk) == 0 }, "round \(round)")
            let isHanded = desk.isHanded && [.createJob, .sendDocument].contains(operation)
            let victim = service
            let fault = PrinterProxy.Fault(isHanded ? .printJob : operation, point) {
                victim.program.signal(SIGKILL)
                waitUntil(.seconds(5)) { !victim.program.isRunning }
            }
            // Another is under way elsewhere.
            let order = { (desk: Desk) in
                app.request("POST", "drawings/print", json: "{\"drawingId\":\(drawing),\"printerId\":\(desk.id)}")
            }
            _ = try service.send(order(desks[(turn + desks.count / 2) % desks.count]))
            desk.proxy.lose([fault])
            // One that a kill cut off may have been taken or not: what was taken is counted with the others.
            _ = try? service.send(order(desk))
            if waitUntil(.seconds(10), { !victim.program.isRunning }) { killsAtPlace += 1 }
            victim.program.signal(SIGKILL)
            desk.proxy.lose([])
            // The dead one's leases end when they end; here at once, lest 63 slots be gone within a minute.
            try bed.query(
                "update loop_slot set expires_at = now() where slot not in (\(others.joined(separator: ", ")))"
            )
            service = try bed.start(["CHIL_LOOPS": "1"])
            try bed.query("update work set run_at = now() where kind = 'print'")
        }
        for desk in desks {
            let isOver = try waitUntil(.seconds(60)) { try openCount(bed, at: desk) == 0 }
            let left = try bed.query("select job_id, machine from print_job where \(Self.isOpen)")
            #expect(isOver, "\(left)")
        }
        #expect(try service.stop() == 0)
        for desk in desks { desk.printer.finish() }
        let papers = Dictionary(grouping: desks.flatMap(\.printer.papers)) { name in
            name.split(separator: "-").dropFirst(2).first.map(String.init) ?? name
        }
        var counts: [String: Int] = [:]
        for row in try bed.query("select job_id, state, reason from print_job order by job_id") {
            let parts = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            let count = papers[parts[0]]?.count ?? 0
            counts["\(parts[1]), \(count) papers", default: 0] += 1
            switch parts[1] {
            case "completed": #expect(count == 1, "\(row)")
            case "outcomeUnknown": #expect(count <= 1, "\(row)")
            default: Issue.record("\(row): \(count) papers")
            }
        }
        print(
            "killed \(rounds) times, \(killsAtPlace) at the place that was meant: \(counts.sorted { $0.key < $1.key })"
        )
        #expect(killsAtPlace >= rounds * 9 / 10)
        // A request whose service was killed before it was read is no job.
        #expect(counts.values.reduce(0, +) >= rounds * 9 / 5)
    }

    private func openCount(_ bed: TestBed, at desk: Desk) throws -> Int {
        let sql = "select count(*) from print_job where printer_id = \(desk.id) and \(Self.isOpen)"
        return try bed.query(sql).first.flatMap { Int($0) } ?? 0
    }

    private static let isOpen =
        "state not in ('completed', 'failed', 'canceled', 'expired', 'outcomeUnknown')"
}
