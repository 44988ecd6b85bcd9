import ChilCore
import ChilHTTP
import ChilLoop
import ChilPrint
import ChilPrintTestSupport
import ChilTestSupport
import Testing

/// A printer that situations are made at.
protocol PrinterBench: Sendable {
    /// Where it listens.
    var port: UInt16 { get }
    var path: String { get }
    /// Whether it is a real one, for which time passes.
    var isReal: Bool { get }
    /// How often the paper of a job came out, by what its name contains.
    func papers(of job: String) -> Int
    /// Lets come out what it has.
    func finish() async
}

extension PrinterBench {
    /// One job through a proxy, in a situation, until it is over.
    func print(
        _ number: Int,
        _ faults: [PrinterProxy.Fault],
        format: [String] = ["application/pdf"],
        paper: PaperSize = .a4,
        crash: @escaping @Sendable (PrintStep, Int) -> Bool = { _, _ in false },
        canceling: @escaping @Sendable (PrintJobMachine) -> Bool = { _ in false },
        manner: PrinterFraming.Manner = .untried,
        showing: @escaping @Sendable (PrinterFraming.Manner) -> Void = { _ in }
    ) async throws -> (end: PrintJobMachine, history: [String], papers: Int) {
        let proxy = try PrinterProxy(to: port, faults)
        defer { proxy.switchOff() }
        let name = PrintJobName(
            tenant: TenantID(rawValue: 1),
            job: PrintJobID(rawValue: Int64(number)),
            title: "그림 \(number)"
        )
        let uri = try PrinterURI("ipp://localhost:\(proxy.port)\(path)")
        let bytes = TestPage(title: "Conformance", lines: ["\(number)"]).bytes(on: .a4, margins: nil)
        let isReal = isReal
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            thread.join()
        }
        let outcome = await LoopHome(thread.loop).run { loop in
            let framing = PrinterFraming(manner) { showing($0) }
            let pages = FixedPages(bytes, formats: format, paper: paper)
            var run = PrintRun(at: loop.wallClock, isReal ? .real : .jumping) {
                let transport = IPPTransport.http(
                    to: uri,
                    on: loop,
                    patience: Duration.seconds(20).patient,
                    identity: .passing(at: loop.wallClock),
                    framing: framing
                )
                return IPPDriver(printer: IPPPrinter(uri: uri, transport: transport), name: name, pages: pages)
            }
            var steps = 0
            var isCanceled = false
            while !run.machine.isOver, steps < 8 {
                await run.go(
                    crash: { step in
                        steps += 1
                        return crash(step, steps)
                    },
                    until: { !isCanceled && canceling($0) },
                    sleep: { await loop.sleep($0) }
                )
                guard !isCanceled, canceling(run.machine) else { break }
                run.cancel()
                isCanceled = true
            }
            return (run.machine, run.history)
        }
        await finish()
        return (outcome.0, outcome.1, papers(of: "-\(number)-"))
    }

    /// What must be so whatever happened.
    func check(_ outcome: (end: PrintJobMachine, history: [String], papers: Int), _ ends: Set<PrintJobStatus>) {
        let told = "\(outcome.history), \(outcome.papers) papers"
        #expect(ends.contains(outcome.end.status), "\(told)")
        switch outcome.end.status {
        case .completed: #expect(outcome.papers == 1, "\(told)")
        case .outcomeUnknown: #expect(outcome.papers <= 1, "\(told)")
        case .canceled, .expired, .failed: #expect(outcome.papers <= 1, "\(told)")
        default: Issue.record("the job is not over: \(told)")
        }
    }
}
