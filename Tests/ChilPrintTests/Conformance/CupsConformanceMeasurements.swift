import ChilCore
import ChilPrint
import ChilPrintTestSupport
import ChilTestSupport
import Testing

/// What cupsd itself does takes real time, and is waited for as long as the service would.
@Suite("Print conformance: cupsd", .serialized, .enabled(if: CupsQueue.isHere, "cups-daemon is not here"))
struct CupsConformanceMeasurements {
    typealias Fault = PrinterProxy.Fault

    /// At one queue, one after another, as they come.
    @Test func situations() async throws {
        let bench = try CupsQueue()
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
        let bench = try CupsQueue()
        defer { bench.stop() }
        for step in 1...6 {
            bench.check(try await bench.print(step, [], crash: { $1 == step }), [.completed, .outcomeUnknown])
        }
    }

    /// A queue that takes none just now, or has as many as it may have.
    @Test func busyThenFree() async throws {
        let bench = try CupsQueue(["MaxJobsPerPrinter 1"])
        defer { bench.stop() }
        bench.say(.rejectJobs)
        let closed = try await bench.print(
            1,
            [Fault(.getPrinterAttributes, .beforeAnswer, after: 2) { bench.say(.acceptJobs) }]
        )
        bench.check(closed, [.completed])
        #expect(closed.history.contains("queued:notAccepting"), "\(closed.history)")

        bench.occupy()
        let full = try await bench.print(
            2,
            [Fault(.createJob, .beforeAnswer, after: 2) { bench.say(.purgeJobs) }]
        )
        bench.check(full, [.completed])
        #expect(full.history.contains("queued:busy"), "\(full.history)")
    }

    @Test func pausedThenResumed() async throws {
        let bench = try CupsQueue()
        defer { bench.stop() }
        bench.say(.pausePrinter)
        let outcome = try await bench.print(
            1,
            [Fault(.getJobAttributes, .beforeAnswer, after: 3) { bench.say(.resumePrinter) }]
        )
        bench.check(outcome, [.completed])
        #expect(outcome.history.contains("blocked:other"), "\(outcome.history)")
    }

    @Test func canceledBeforeDuringAndAfter() async throws {
        let bench = try CupsQueue(seconds: 3)
        defer { bench.stop() }
        bench.say(.rejectJobs)
        let before = try await bench.print(1, [], canceling: { $0.reason == "notAccepting" })
        bench.check(before, [.canceled])
        #expect(before.papers == 0)
        bench.say(.acceptJobs)

        let during = try await bench.print(2, [], canceling: { $0.status == .printing })
        bench.check(during, [.canceled, .completed])
        #expect(during.end.status != .canceled || during.papers == 0, "a device that is stopped prints nothing more")

        // The cancelation comes when it is on paper.
        let after = try await bench.print(
            3,
            [Fault(.cancelJob, .beforeArrival) { waitUntil(.seconds(20)) { bench.papers(of: "-3-") == 1 } }],
            canceling: { $0.status == .printing }
        )
        bench.check(after, [.completed])
    }

    /// The queue is purged under it.
    @Test func vanished() async throws {
        let bench = try CupsQueue(seconds: 1)
        defer { bench.stop() }
        // With its page at the queue and before it is printed.
        bench.say(.pausePrinter)
        let waiting = try await bench.print(
            1,
            [Fault(.getJobAttributes, .beforeArrival, after: 1) { bench.say(.purgeJobs) }]
        )
        bench.check(waiting, [.outcomeUnknown])
        #expect(waiting.papers == 0)
        bench.say(.resumePrinter)
        // Before it has its page.
        let early = try await bench.print(
            2,
            [Fault(.sendDocument, .beforeArrival) { bench.say(.purgeJobs) }]
        )
        bench.check(early, [.outcomeUnknown])
        #expect(early.papers == 0)
    }

    /// Its history is off: what it has finished it forgets at once.
    @Test func forgetful() async throws {
        let bench = try CupsQueue(["PreserveJobHistory No"])
        defer { bench.stop() }
        bench.check(try await bench.print(1, []), [.completed])
        bench.check(
            try await bench.print(2, [Fault(.sendDocument, .midway)]),
            [.completed, .outcomeUnknown]
        )
    }

    @Test func killedAndStartedAgain() async throws {
        let bench = try CupsQueue(seconds: 2)
        defer { bench.stop() }
        let outcome = try await bench.print(
            1,
            [Fault(.getJobAttributes, .beforeArrival, after: 1) { try? bench.restart() }]
        )
        bench.check(outcome, [.completed, .outcomeUnknown])
    }
}
