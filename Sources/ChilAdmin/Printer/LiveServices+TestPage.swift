import ChilCore
import ChilLoop
import ChilPrint
import ChilStore

extension LiveServices {
    /// Prints the page by the same machine and driver as chilapi prints drawings, from this machine.
    func printTestPage(onPrinterNamed name: String, of slug: Slug) async throws(AdminFault) -> String {
        let real = try await realPrinter(named: name, of: slug)
        let (printer, certificate) = (real.row, real.certificate)
        let uri = try address(of: printer)
        let tenant = try await record(of: slug)
        let job: PrintJobID = try fresh()
        // The page's font has no other letters: there the number says which it is.
        let shown = printer.name.allSatisfy(\.isASCII) ? printer.name : "\(printer.id)"
        let page = TestPage(
            title: "Test page",
            lines: ["tenant \(slug), printer \(shown)", "\(uri)", "printed \(now()) by chiladmin"]
        )
        let jobName = PrintJobName(tenant: tenant.id, job: job, title: "test page")
        let pin = certificate?.pin
        let machine = await LoopHome(try loop()).run { loop in
            let identity = PrinterIdentity.passing(pin: pin, at: loop.wallClock)
            let asked = IPPPrinter(
                uri: uri,
                userName: "chiladmin",
                transport: .http(to: uri, on: loop, identity: identity)
            )
            var driver = IPPDriver(printer: asked, name: jobName, pages: page)
            return await Self.carry(&driver, on: loop)
        }
        try await audit("printer.test-page", on: printer.name, in: tenant.id, machine.status.rawValue)
        let reason = machine.reason.map { ": \($0)" } ?? ""
        guard machine.status == .completed else {
            throw AdminFault(
                .failed,
                "the test page is \(machine.status.rawValue)\(reason)",
                remedy: "Look at the printer, and run `chiladmin printer test \(slug) \(printer.name)`."
            )
        }
        return "The test page was printed."
    }

    /// As far as it comes in its time; then it is canceled, for nobody waits for it any more.
    private static func carry(_ driver: inout IPPDriver, on loop: EventLoop) async -> PrintJobMachine {
        let begun = loop.wallClock
        var machine = PrintJobMachine(at: begun, expiresAt: begun + patience + grace)
        var step = machine.step(at: begun)
        var isAskedToEnd = false
        while true {
            let now = loop.wallClock
            if !isAskedToEnd, now >= begun + patience {
                isAskedToEnd = true
                step = machine.received(.cancelRequested, at: now)
            }
            switch step {
            case .done: return machine
            case .wait(let until):
                if now >= begun + patience + grace { return machine }
                await loop.sleep(max(.milliseconds(10), min(until - now, .seconds(1))))
                step = machine.step(at: loop.wallClock)
            default:
                guard let event = await driver.perform(step) else { return machine }
                step = machine.received(event, at: loop.wallClock)
            }
        }
    }

    private static let patience = Duration.seconds(120)
    private static let grace = Duration.seconds(20)
}
