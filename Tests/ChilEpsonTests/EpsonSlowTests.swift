import ChilDevEpson
import ChilTestSupport
import Testing

@testable import ChilEpson
@testable import ChilPrint

/// Answers that come too late, never, or a byte at a time. Each is given up when its time is over, and is then no more than a lost answer:
/// one paper, or nobody knows and nobody sends it again.
@Suite struct EpsonSlowTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let operation: EpsonOperation
        let quirk: EpsonQuirk
        var ends = "completed"
        var papers = 1
        /// Jobs that were made at the service.
        var jobs = 1
        let generation: EpsonGeneration

        var testDescription: String { "\(generation) \(operation): \(quirk)" }
    }

    /// What is done all the same, and nobody hears of it in time.
    private static let done: [EpsonQuirk] = [.mute, .late, .drip]

    static let rows = EpsonGeneration.allCases.flatMap { generation in
        [EpsonQuirk.never, .mute, .late, .drip].flatMap { quirk in
            [EpsonOperation.token, .create, .upload, .print, .job].map { operation in
                var row = Row(operation: operation, quirk: quirk, generation: generation)
                let isDone = done.contains(quirk)
                switch (operation, generation) {
                // The owner's permission is used up, and nobody has what came for it.
                case (.token, .v2) where isDone: (row.ends, row.papers, row.jobs) = ("queued(credentials)", 0, 0)
                // A job without a page stands there.
                case (.create, _) where isDone: row.jobs = 2
                // Whatever became of the page, nobody has asked for it.
                case (.upload, _): row.jobs = 2
                // Only generation 2 says that nobody has asked for it.
                case (.print, .v1) where !isDone: (row.ends, row.papers) = ("outcomeUnknown(answerLost)", 0)
                case (.print, .v2) where !isDone: row.jobs = 2
                default: break
                }
                return row
            }
        }
    }

    @Test(arguments: rows)
    func whatIsNotAnsweredInTimeIsLost(_ row: Row) async throws {
        // Long enough for an answer that is not kept back, on any machine.
        let enough = Duration.seconds(6)
        var patience = EpsonPatience()
        switch row.operation {
        case .token: patience.token = enough
        case .upload: patience.upload = enough
        default: patience.call = enough
        }
        try await EpsonStage.with(row.generation, patience: patience, silence: enough * 2) { stage in
            stage.simulator.misbehave(row.operation, row.quirk)
            let run = await stage.run(stepsMax: 60)
            #expect(run.statuses.last == row.ends, "\(run.statuses)")
            let facts = stage.simulator.facts
            #expect(facts.papers.count == row.papers)
            #expect(facts.jobs.count == row.jobs)
            #expect(facts.calls.contains(row.operation))
        }
    }

    /// What is done only after everybody has given up: the job that was dropped meanwhile is not printed by it.
    @Test func whatIsDoneLongAfterIsNotDoneTwice() async throws {
        var patience = EpsonPatience()
        patience.call = .seconds(6)
        try await EpsonStage.with(.v2, patience: patience, silence: .seconds(9)) { stage in
            stage.simulator.misbehave(.print, .slow)
            let run = await stage.run()
            #expect(run.statuses.last == "completed", "\(run.statuses)")
            // The late one comes to a job that is taken back.
            #expect(await awaitUntil(.seconds(60)) { stage.simulator.facts.judged.count { $0 == .print } == 2 })
            let facts = stage.simulator.facts
            #expect(facts.papers.count == 1 && facts.jobs.count == 2)
            #expect(facts.waiting.isEmpty)
        }
    }
}
