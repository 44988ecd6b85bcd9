import ChilCore
import ChilPrint
import ChilPrintTestSupport
import Testing

/// The printer that is played, in a fresh state for each situation.
private final class PeerBench: PrinterBench {
    let printer: PeerPrinter
    var port: UInt16 { printer.port }
    let path = "/ipp/print"
    let isReal = false

    init(_ change: (inout PeerPrinter.Manner) -> Void = { _ in }) throws {
        printer = try PeerPrinter(change)
    }

    deinit {
        printer.stop()
    }

    func papers(of job: String) -> Int { printer.papers.filter { $0.contains(job) }.count }
    func finish() async { printer.finish() }
}

@Suite("Print conformance: played printer")
struct PeerConformanceTests {
    typealias Fault = PrinterProxy.Fault

    @Test(arguments: Situation.cuts) func createdAndSent(_ situation: Situation) async throws {
        let bench = try PeerBench()
        bench.check(try await bench.print(1, situation.faults), situation.ends)
    }

    /// Print-Job: what is lost after the page has left is found by name, among the finished jobs too, or is in doubt.
    static let handed = [
        Situation("undisturbed"),
        Situation("never arrives", [Fault(.printJob, .beforeArrival)], [.outcomeUnknown]),
        Situation("cut midway", [Fault(.printJob, .midway)], [.outcomeUnknown]),
        Situation("answer lost", [Fault(.printJob, .beforeAnswer)]),
        Situation("half an answer", [Fault(.printJob, .midAnswer)]),
        Situation(
            "answer and search lost",
            [Fault(.printJob, .beforeAnswer), Fault(.getJobs, .beforeAnswer, times: 3)]
        ),
        Situation("poll lost", [Fault(.getJobAttributes, .beforeAnswer, times: 3)]),
    ]

    @Test(arguments: handed) func handedOver(_ situation: Situation) async throws {
        let bench = try PeerBench { $0.operations = [2, 4, 8, 9, 10, 11] }
        bench.check(try await bench.print(1, situation.faults), situation.ends)
    }

    @Test func aFinishedJobIsFoundByItsName() async throws {
        let bench = try PeerBench { $0.operations = [2, 8, 9, 10, 11] }
        let printer = bench.printer
        let outcome = try await bench.print(1, [Fault(.printJob, .beforeAnswer) { printer.finish() }])
        bench.check(outcome, [.completed])
    }

    /// The worker dies after each step in turn, having heard nothing of its answer.
    @Test(arguments: 1...9) func crashedAt(_ number: Int) async throws {
        for operations: [Int32] in [[2, 4, 5, 6, 8, 9, 10, 11], [2, 4, 8, 9, 10, 11]] {
            let bench = try PeerBench { $0.operations = operations }
            let outcome = try await bench.print(number, [], crash: { $1 == number })
            bench.check(outcome, [.completed, .outcomeUnknown])
        }
    }

    /// And at every step: it never gets to know an answer.
    @Test func crashesAgainAndAgain() async throws {
        let bench = try PeerBench()
        let outcome = try await bench.print(1, [], crash: { $1 <= 3 })
        bench.check(outcome, [.completed, .outcomeUnknown])
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let operation: UInt16
        let status: UInt16
        var times = 1
        var ends: Set<PrintJobStatus> = [.completed]
        var word: String?

        init(
            _ name: String,
            _ operation: UInt16,
            _ status: UInt16,
            _ times: Int = 1,
            _ ends: Set<PrintJobStatus> = [.completed],
            _ word: String? = nil
        ) {
            (testDescription, self.operation, self.status, self.times) = (name, operation, status, times)
            (self.ends, self.word) = (ends, word)
        }
    }

    static let refusals = [
        Refusal("busy at check", 0x0B, 0x0507, 3, [.completed], "queued:busy"),
        Refusal("busy at validation", 0x04, 0x0507, 3, [.completed], "queued:busy"),
        Refusal("busy at create", 0x05, 0x0507, 7, [.completed], "queued:busy"),
        Refusal("busy at send: its job is taken back", 0x06, 0x0507, 2, [.completed], "queued:busy"),
        Refusal("too many jobs at create", 0x05, 0x0404, 3, [.completed], "queued:busy"),
        Refusal("out of service", 0x05, 0x0502, 2, [.completed], "queued:busy"),
        Refusal("temporary fault at create", 0x05, 0x0505, 1),
        Refusal("temporary fault at send", 0x06, 0x0505, 1),
        Refusal("fault at poll", 0x09, 0x0500, 3, [.completed], "blocked:offline"),
        Refusal("validation not supported", 0x04, 0x0501, 9),
        Refusal("validation not understood", 0x04, 0x0400, 9),
        Refusal("create not supported", 0x05, 0x0501, 9),
        Refusal("version not supported once", 0x0B, 0x0503, 1),
        Refusal("version not supported", 0x0B, 0x0503, 99, [.failed], "failed:printerUnusable"),
        Refusal("not authorized", 0x0B, 0x0403, 2, [.completed], "queued:credentials"),
        Refusal("format refused at send", 0x06, 0x040A, 1, [.failed], "failed:formatUnsupported"),
        Refusal("page refused", 0x06, 0x0411, 1, [.failed], "failed:documentRefused"),
        Refusal("too large", 0x06, 0x0408, 1, [.failed], "failed:tooLarge"),
        Refusal("canceled at the panel", 0x06, 0x0508, 1, [.canceled]),
        Refusal("spool gone at send", 0x06, 0x0406, 1, [.completed]),
    ]

    @Test(arguments: refusals) func refused(_ row: Refusal) async throws {
        let bench = try PeerBench { $0.refusals = [(row.operation, row.status, row.times)] }
        if row.status == 0x0406 {
            // As it says: it has no such job any more.
            bench.printer.change { $0.refusals = [] }
            let printer = bench.printer
            bench.check(
                try await bench.print(1, [Fault(.sendDocument, .beforeArrival) { printer.forget() }]),
                [.outcomeUnknown]
            )
            return
        }
        let outcome = try await bench.print(1, [])
        bench.check(outcome, row.ends)
        if let word = row.word { #expect(outcome.history.contains(word), "\(outcome.history)") }
        // The one that the printer calls canceled is nobody's to take back.
        let open = bench.printer.jobs.filter { !$0.isOver && row.status != 0x0508 }
        #expect(open.isEmpty, "abandoned jobs are taken back")
    }

    @Test func outOfPaperThenRefilled() async throws {
        let bench = try PeerBench { $0.hasPaper = false }
        let printer = bench.printer
        let outcome = try await bench.print(
            1,
            [Fault(.getJobAttributes, .beforeAnswer, after: 4) { printer.change { $0.hasPaper = true } }]
        )
        bench.check(outcome, [.completed])
        #expect(outcome.history.contains("blocked:paperEmpty") && outcome.history.last == "completed")
        #expect(outcome.end.pagesPrinted == 1)
    }

    @Test func notAcceptingThenAccepting() async throws {
        let bench = try PeerBench { $0.isAccepting = false }
        let printer = bench.printer
        let outcome = try await bench.print(
            1,
            [Fault(.getPrinterAttributes, .beforeAnswer, after: 3) { printer.change { $0.isAccepting = true } }]
        )
        bench.check(outcome, [.completed])
        #expect(outcome.history.contains("queued:notAccepting"))
    }

    @Test func canceledBeforeDuringAndAfter() async throws {
        let before = try PeerBench { $0.isAccepting = false }
        let waiting = try await before.print(1, [], canceling: { $0.reason == "notAccepting" })
        before.check(waiting, [.canceled])
        #expect(waiting.papers == 0 && before.printer.jobs.isEmpty)

        let during = try PeerBench {
            $0.agePrinting = 99; $0.ageCompleted = 100
        }
        let sent = try await during.print(2, [], canceling: { $0.status == .sent })
        during.check(sent, [.canceled])
        #expect(sent.papers == 0 && during.printer.jobs.map(\.state) == [.canceled])

        // Too late: the paper is out, and so it is told.
        let after = try PeerBench {
            $0.agePrinting = 1; $0.ageCompleted = 1
        }
        after.check(try await after.print(3, [], canceling: { $0.status == .sent }), [.completed])
    }

    @Test func vanishedAndRestarted() async throws {
        let forgetful = try PeerBench { $0.isForgetful = true }
        let outcome = try await forgetful.print(1, [Fault(.getJobAttributes, .beforeAnswer, after: 2, times: 3)])
        forgetful.check(outcome, [.completed])

        let restarted = try PeerBench {
            $0.agePrinting = 90; $0.ageCompleted = 99
        }
        let printer = restarted.printer
        let lost = try await restarted.print(
            1,
            [Fault(.getJobAttributes, .beforeArrival, after: 2) { printer.restart() }]
        )
        restarted.check(lost, [.outcomeUnknown])
        #expect(lost.end.reason == "printerRestarted")
    }

    /// It says that it has taken the job back, prints what it had of the page, and knows nothing of it afterwards.
    @Test func halfAPageIsPrintedAndForgotten() async throws {
        let bench = try PeerBench { $0.printsHalves = true }
        let outcome = try await bench.print(1, [Fault(.sendDocument, .midway)])
        bench.check(outcome, [.outcomeUnknown])
        #expect(outcome.papers == 1)
    }

    @Test func offlineThenBack() async throws {
        let bench = try PeerBench()
        let lost = (0..<6).map { _ in Fault(.getPrinterAttributes, .beforeArrival) }
        let early = try await bench.print(1, lost)
        bench.check(early, [.completed])
        #expect(early.history.contains("queued:printerUnreachable"))
        let late = try await bench.print(2, [Fault(.getJobAttributes, .beforeArrival, times: 4)])
        bench.check(late, [.completed])
        #expect(late.history.contains("blocked:offline"))
    }

    @Test func attributesThatItRefusesAreLeftOut() async throws {
        let bench = try PeerBench {
            $0.refusedAttributes = ["print-scaling"]
            $0.operations = [2, 5, 6, 8, 9, 10, 11]
        }
        bench.check(try await bench.print(1, []), [.completed])
        let created = bench.printer.requests.filter { $0.code == 5 }.map {
            $0.first(.job)?.attributes.map(\.name) ?? []
        }
        #expect(created == [["media-col", "print-scaling", "sides"], ["media-col", "sides"]])
    }

    @Test func paperIsNamedWhenItsMeasuresAreRefused() async throws {
        let bench = try PeerBench { $0.refusedAttributes = ["media-col"] }
        bench.check(try await bench.print(1, []), [.completed])
        #expect(bench.printer.requests.last { $0.code == 5 }?.first(.job)?.first("media")?.string == "iso_a4_210x297mm")
    }

    /// Never on another paper than the page was drawn for.
    @Test func unsupportedPaper() async throws {
        let bench = try PeerBench { $0.refusedAttributes = ["media-col", "media"] }
        let outcome = try await bench.print(1, [])
        bench.check(outcome, [.failed])
        #expect(outcome.history.last == "failed:paperUnsupported" && outcome.papers == 0)
    }

    @Test func unsupportedFormat() async throws {
        let none = try PeerBench { $0.formats = ["image/pwg-raster"] }
        let outcome = try await none.print(1, [])
        none.check(outcome, [.failed])
        #expect(outcome.history.last == "failed:formatUnsupported" && none.printer.jobs.isEmpty)

        // It names a format and refuses it when it is asked: the next one is drawn.
        let liar = try PeerBench { $0.refusals = [(0x04, 0x040A, 1)] }
        let drawn = try await liar.print(2, [], format: ["application/pdf", "image/jpeg"])
        liar.check(drawn, [.completed])
        let sent = liar.printer.requests.last { $0.code == 6 }?.first(.operation)?.first("document-format")?.string
        #expect(sent == "image/jpeg")
    }

    /// An answer that can't be read is a lost one.
    @Test(arguments: [PrinterProxy.Operation.getPrinterAttributes, .createJob, .sendDocument, .getJobAttributes])
    func garbage(_ operation: PrinterProxy.Operation) async throws {
        let bodies: [[UInt8]] = [
            [], Array("<html>".utf8), [UInt8](repeating: 0xFF, count: 5_000),
            [2, 0, 0, 0, 0, 0, 0, 1, 1, 0x44, 0xFF, 0xFF],
        ]
        for (number, body) in bodies.enumerated() {
            let bench = try PeerBench()
            let proxy = try PrinterProxy(to: bench.port)
            defer { proxy.switchOff() }
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: \(body.count)\r\n\r\n"
            proxy.answer(operation, with: Array(head.utf8) + body)
            let passing = ProxiedBench(bench, through: proxy)
            bench.check(try await passing.print(number + 1, []), [.completed])
        }
    }

    @Test func longKoreanTitlesAreCutByBytes() {
        let title = String(repeating: "그림 👩‍👩‍👧 ", count: 60)
        let name = PrintJobName(tenant: TenantID(rawValue: 1), job: PrintJobID(rawValue: 2), title: title)
        for attempt in [1, 22, 333] {
            let text = name.name(attempt: attempt)
            #expect(text.utf8.count <= 255 && text.utf8.count > 225)
            #expect(name.matches(text, attempt: attempt) && !name.matches(text, attempt: attempt + 1))
        }
    }
}

/// A bench behind another proxy.
private struct ProxiedBench: PrinterBench {
    private let bench: any PrinterBench
    let port: UInt16
    let isReal: Bool
    let path: String

    init(_ bench: any PrinterBench, through proxy: PrinterProxy) {
        self.bench = bench
        (port, isReal, path) = (proxy.port, bench.isReal, bench.path)
    }

    func papers(of job: String) -> Int { bench.papers(of: job) }
    func finish() async { await bench.finish() }
}
