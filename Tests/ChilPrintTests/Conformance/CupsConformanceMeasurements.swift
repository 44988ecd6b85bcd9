import ChilCore
import ChilPrint
import ChilPrintTestSupport
import ChilTestSupport
import Testing

/// At a real print server, for which time passes: beside other tests it would be judged by how busy they keep the machine.
@Suite(
    "Print conformance: cupsd",
    .serialized,
    .enabled(if: CupsPrinter.isHere, "cups-daemon is not here, or this is not root")
)
struct CupsConformanceMeasurements {
    /// At one queue, one after another, as they come.
    @Test func situations() async throws {
        let bench = try CupsPrinter()
        defer { bench.stop() }
        for (number, situation) in Situation.cuts.enumerated() {
            let outcome = try await bench.print(number + 100, situation.faults)
            bench.check(outcome, situation.ends)
            if outcome.papers > 1 { Issue.record("\(situation.name)") }
        }
    }

    @Test func theWorkerDiesAtEachStep() async throws {
        let bench = try CupsPrinter()
        defer { bench.stop() }
        for step in 1...6 {
            bench.check(try await bench.print(step, [], crash: { $1 == step }), [.completed, .outcomeUnknown])
        }
    }

    /// Before anything is at the queue, and while it prints.
    @Test(arguments: [PrintJobStatus.queued, .sent, .printing])
    func canceled(_ moment: PrintJobStatus) async throws {
        let bench = try CupsPrinter(seconds: 4)
        defer { bench.stop() }
        let outcome = try await bench.print(1, [], canceling: { $0.status == moment })
        bench.check(outcome, [.canceled, .completed])
        if moment == .queued { #expect(outcome.papers == 0) }
    }

    /// The page waits there, and comes out once somebody lets it.
    @Test func theQueueIsPausedAndGoesOn() async throws {
        let bench = try CupsPrinter()
        defer { bench.stop() }
        bench.pause(true)
        let wasBlocked = Locked(false)
        let outcome = try await bench.print(
            1,
            [],
            canceling: { machine in
                if machine.status == .blocked || machine.reason != nil {
                    wasBlocked.withLock { $0 = true }
                    bench.pause(false)
                }
                return false
            }
        )
        #expect(wasBlocked.withLock { $0 }, "\(outcome.history)")
        bench.check(outcome, [.completed])
    }

    /// Whoever purges the queue takes the job's memory with it: it is asked for no second paper.
    @Test func theJobVanishes() async throws {
        let bench = try CupsPrinter(seconds: 4)
        defer { bench.stop() }
        let isPurged = Locked(false)
        let outcome = try await bench.print(
            1,
            [],
            canceling: { machine in
                if machine.status == .printing || machine.status == .sent {
                    let isFirst = isPurged.withLock { flag in
                        defer { flag = true }
                        return !flag
                    }
                    if isFirst { bench.purge() }
                }
                return false
            }
        )
        bench.check(outcome, [.outcomeUnknown, .canceled, .completed])
    }
}
