import ChilCore
import ChilCrypto
import ChilLoop
import ChilPrint
import ChilPrintTestSupport
import ChilTestSupport
import Testing

/// At a real printer, for which time passes: beside other tests it would be judged by how busy they keep the machine.
@Suite("Print conformance: ippeveprinter", .serialized, .enabled(if: EvePrinter.isHere, "cups-ipp-utils is not here"))
struct EveConformanceMeasurements {
    typealias Fault = PrinterProxy.Fault

    /// At one printer, one after another, as they come. It gives a job whose page was cut off no end, and blocks for it: that the job is taken
    /// back is what lets the next one through.
    @Test func situations() async throws {
        let bench = try EvePrinter()
        defer { bench.stop() }
        for (number, situation) in Situation.cuts.enumerated() {
            let outcome = try await bench.print(number + 100, situation.faults)
            bench.check(outcome, situation.ends)
            if !situation.ends.contains(outcome.end.status) || outcome.papers > 1 {
                Issue.record("\(situation.name): \(outcome.history), \(outcome.papers) papers")
            }
        }
    }

    @Test func theWorkerDiesAtEachStep() async throws {
        let bench = try EvePrinter()
        defer { bench.stop() }
        for step in 1...6 {
            bench.check(try await bench.print(step, [], crash: { $1 == step }), [.completed, .outcomeUnknown])
        }
    }

    @Test func canceledWhilePrinting() async throws {
        let bench = try EvePrinter(seconds: 5)
        defer { bench.stop() }
        let outcome = try await bench.print(1, [], canceling: { $0.status == .printing })
        bench.check(outcome, [.canceled, .completed])
    }

    @Test func outOfPaperThenRefilled() async throws {
        let bench = try EvePrinter()
        defer { bench.stop() }
        bench.setPaper(0)
        let outcome = try await bench.print(
            1,
            [Fault(.getJobAttributes, .beforeAnswer, after: 3) { bench.setPaper(250) }]
        )
        bench.check(outcome, [.completed])
        #expect(outcome.history.contains("blocked:paperEmpty"), "\(outcome.history)")
    }

    private func ask(_ uri: PrinterURI, _ pin: PeerPin?) async throws -> (PrintFailure?, PeerCertificate?, PeerPin?) {
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            thread.join()
        }
        return await LoopHome(thread.loop).run { loop in
            let identity = PrinterIdentity.passing(pin: pin, at: loop.wallClock)
            var printer = IPPPrinter(uri: uri, transport: .http(to: uri, on: loop, identity: identity))
            do throws(PrintFailure) {
                _ = try await printer.getPrinterAttributes()
                return (nil, identity.seen, identity.pin)
            } catch {
                return (error, identity.seen, identity.pin)
            }
        }
    }

    @Test func aKeyIsTrustedWhenFirstMetAndNoOther() async throws {
        let first = try EvePrinter()
        let uri = try PrinterURI("ipps://localhost:\(first.port)/ipp/print")
        let (failure, shown, pin) = try await ask(uri, nil)
        #expect(failure == nil && shown?.objection != nil)
        let kept = try #require(pin)
        #expect(kept.keyDigest == shown?.keyDigest)
        #expect(try await ask(uri, kept).0 == nil)
        first.stop()

        let second = try EvePrinter(on: first.port)
        defer { second.stop() }
        let (refusal, other, still) = try await ask(uri, kept)
        #expect(refusal == .certificateChanged && other?.keyDigest != kept.keyDigest && still == kept)
    }
}
