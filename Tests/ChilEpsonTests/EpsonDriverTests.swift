import ChilDevEpson
import ChilTestSupport
import Testing

@testable import ChilEpson
@testable import ChilPrint

/// Whatever goes wrong between here and Epson Connect: one paper, or nobody knows and nobody sends it again. Never two.
@Suite struct EpsonDriverTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var quirks: [(EpsonOperation, [EpsonQuirk])] = []
        var ends = "completed"
        /// Where the generations differ: the first says nothing of a job that was not asked to be printed.
        var endsV1: String?
        /// Jobs that were made at the service, the one that was printed among them.
        var jobs = 1
        var jobsV1: Int?

        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "nothing"),
        Row(name: "create: cut before", quirks: [(.create, [.cutBefore])]),
        Row(name: "create: answer lost", quirks: [(.create, [.cutAfter])], jobs: 2),
        Row(name: "create: another's page", quirks: [(.create, [.garbage])]),
        Row(name: "create: too often", quirks: [(.create, [.rateLimit, .rateLimit])]),
        Row(name: "create: internal error", quirks: [(.create, [.internalError])]),
        Row(name: "create: token refused", quirks: [(.create, [.expired])]),
        Row(name: "upload: cut before", quirks: [(.upload, [.cutBefore])]),
        Row(name: "upload: answer lost, and it is there", quirks: [(.upload, [.cutAfter])]),
        Row(name: "upload: another's page", quirks: [(.upload, [.garbage])]),
        Row(name: "upload: never", quirks: [(.upload, [.cutBefore, .unavailable, .cutBefore])], jobs: 2),
        Row(
            name: "print: cut before",
            quirks: [(.print, [.cutBefore])],
            endsV1: "outcomeUnknown(answerLost)",
            jobs: 2,
            jobsV1: 1
        ),
        Row(name: "print: answer lost", quirks: [(.print, [.cutAfter])]),
        Row(
            name: "print: another's page",
            quirks: [(.print, [.garbage])],
            endsV1: "outcomeUnknown(answerLost)",
            jobs: 2,
            jobsV1: 1
        ),
        Row(
            name: "print: internal error",
            quirks: [(.print, [.internalError])],
            endsV1: "outcomeUnknown(answerLost)",
            jobs: 2,
            jobsV1: 1
        ),
        Row(name: "print: too often", quirks: [(.print, [.rateLimit])], jobs: 2),
        Row(name: "print: token refused", quirks: [(.print, [.expired])]),
        Row(name: "poll: cut, garbage, too often", quirks: [(.job, [.cutBefore, .garbage, .rateLimit, .unavailable])]),
        Row(name: "poll: token refused", quirks: [(.job, [.expired, .expired])]),
        Row(name: "check: away, too often", quirks: [(.device, [.unavailable, .rateLimit, .cutBefore, .garbage])]),
        Row(name: "check: half an answer", quirks: [(.capability, [.cutAfter, .garbage])]),
        Row(name: "token: away", quirks: [(.token, [.unavailable, .cutBefore])]),
    ]

    @Test(arguments: rows, EpsonGeneration.allCases)
    func onePaperOrNobodyKnows(_ row: Row, _ generation: EpsonGeneration) async throws {
        try await EpsonStage.with(generation) { stage in
            for (operation, quirks) in row.quirks {
                for quirk in quirks { stage.simulator.misbehave(operation, quirk) }
            }
            let run = await stage.run()
            let ends = generation == .v1 ? row.endsV1 ?? row.ends : row.ends
            #expect(run.statuses.last == ends, "\(run.statuses)")
            let facts = stage.simulator.facts
            #expect(facts.papers.count == (ends == "completed" ? 1 : 0))
            #expect(facts.jobs.count == (generation == .v1 ? row.jobsV1 ?? row.jobs : row.jobs))
            #expect(facts.reuses == 0)
            if ends == "completed" { #expect(run.machine.pagesPrinted == 1) }
        }
    }

    /// The worker dies before or after each of its steps, and another one takes over from what was stored.
    @Test(arguments: 1...7, EpsonGeneration.allCases)
    func aDeadWorkersJobIsOnePaperOrNobodyKnows(_ step: Int, _ generation: EpsonGeneration) async throws {
        for isDone in [false, true] {
            try await EpsonStage.with(generation) { stage in
                let run = await stage.run(dyingAt: (step, isDone))
                let facts = stage.simulator.facts
                // Check, create, upload, ask to print, polls. Generation 1 says nothing of a job that nobody asked it to print.
                let isDoubtful = generation == .v1 && step == 4 && !isDone
                #expect(
                    run.statuses.last == (isDoubtful ? "outcomeUnknown(answerLost)" : "completed"),
                    "\(run.statuses)"
                )
                #expect(facts.papers.count == (isDoubtful ? 0 : 1))
                // Until it is asked for, a job is as good as none, and another is made.
                let isAnew = step == 2 && isDone || step == 3 || step == 4 && generation == .v2 && !isDone
                #expect(facts.jobs.count == (isAnew ? 2 : 1), "step \(step), \(isDone)")
            }
        }
    }

    @Test(arguments: EpsonGeneration.allCases)
    func paperIsEmptyAndThenRefilled(_ generation: EpsonGeneration) async throws {
        try await EpsonStage.with(generation) { stage in
            stage.simulator.setSheets(0)
            let run = await stage.run { [simulator = stage.simulator] run in
                if run.machine.reason == "paperEmpty" { simulator.setSheets(5) }
                return nil
            }
            #expect(run.statuses.contains("blocked(paperEmpty)") && run.statuses.last == "completed", "\(run.statuses)")
            #expect(stage.simulator.facts.papers.count == 1)
        }
    }

    @Test(arguments: EpsonGeneration.allCases)
    func aJamIsCleared(_ generation: EpsonGeneration) async throws {
        try await EpsonStage.with(generation) { stage in
            stage.simulator.setJammed(true)
            let run = await stage.run { [simulator = stage.simulator] run in
                if run.machine.reason == "paperJam" { simulator.setJammed(false) }
                return nil
            }
            #expect(run.statuses.contains("blocked(paperJam)") && run.statuses.last == "completed", "\(run.statuses)")
            #expect(stage.simulator.facts.papers.count == 1)
        }
    }

    @Test(arguments: EpsonGeneration.allCases)
    func thePrinterIsAwayAndComesBack(_ generation: EpsonGeneration) async throws {
        try await EpsonStage.with(generation) { stage in
            stage.simulator.setConnected(false)
            var waits = 0
            let run = await stage.run { [simulator = stage.simulator] run in
                if run.machine.reason == "printerUnreachable" { waits += 1 }
                if waits == 3 { simulator.setConnected(true) }
                return nil
            }
            #expect(
                run.statuses == ["queued", "queued(printerUnreachable)", "submitting", "sent", "printing", "completed"]
                    || run.statuses.starts(with: ["queued", "queued(printerUnreachable)", "submitting"])
            )
            #expect(run.statuses.last == "completed")
            #expect(stage.simulator.facts.papers.count == 1)
        }
    }

    @Test(arguments: EpsonGeneration.allCases)
    func thePrinterGoesAwayWithAJob(_ generation: EpsonGeneration) async throws {
        try await EpsonStage.with(generation) { stage in
            let run = await stage.run { [simulator = stage.simulator] run in
                if run.machine.status == .sent { simulator.setConnected(false) }
                if run.machine.reason == "offline" { simulator.setConnected(true) }
                return nil
            }
            #expect(run.statuses.contains("blocked(offline)") && run.statuses.last == "completed", "\(run.statuses)")
            #expect(stage.simulator.facts.papers.count == 1)
        }
    }

    @Test(arguments: EpsonGeneration.allCases)
    func theOwnerHasNotAllowedIt(_ generation: EpsonGeneration) async throws {
        try await EpsonStage.with(generation) { stage in
            stage.simulator.setAllowed(generation == .v2)
            if generation == .v2 {
                _ = try await stage.tokens.token(insteadOf: nil)
                stage.simulator.expireTokens()
                stage.simulator.setAllowed(false)
            }
            var waits = 0
            let run = await stage.run { [simulator = stage.simulator] run in
                if run.machine.reason == "credentials" { waits += 1 }
                if waits == 2 { simulator.setAllowed(true) }
                return nil
            }
            #expect(run.statuses.contains("queued(credentials)") && run.statuses.last == "completed", "\(run.statuses)")
            #expect(stage.simulator.facts.papers.count == 1)
        }
    }

    /// Epson keeps jobs. One that is gone was printed if it was seen to be; else nobody knows.
    @Test(arguments: [PrintJobStatus.sent, .printing], EpsonGeneration.allCases)
    func aJobVanishes(_ moment: PrintJobStatus, _ generation: EpsonGeneration) async throws {
        try await EpsonStage.with(generation) { stage in
            let run = await stage.run { [simulator = stage.simulator] run in
                if run.machine.status == moment { for job in simulator.facts.jobs { simulator.forget(job) } }
                return nil
            }
            #expect(
                run.statuses.last == (moment == .sent ? "outcomeUnknown(jobForgotten)" : "completed"),
                "\(run.statuses)"
            )
            #expect(stage.simulator.facts.papers.isEmpty && stage.simulator.facts.jobs.count == 1)
        }
    }

    /// Without paper for three days.
    @Test(arguments: EpsonGeneration.allCases)
    func aJobIsGivenUpByEpson(_ generation: EpsonGeneration) async throws {
        try await EpsonStage.with(generation) { stage in
            stage.simulator.setSheets(0)
            let run = await stage.run { [simulator = stage.simulator] run in
                if run.machine.reason == "paperEmpty" { for job in simulator.facts.jobs { simulator.expire(job) } }
                return nil
            }
            #expect(
                run.statuses.last == (generation == .v1 ? "failed(abortedByPrinter)" : "expired"),
                "\(run.statuses)"
            )
            #expect(stage.simulator.facts.papers.isEmpty && stage.simulator.facts.jobs.count == 1)
        }
    }

    /// When somebody cancels: before it is sent, while it waits there, while it is printed.
    @Test(arguments: [PrintJobStatus.queued, .sent, .printing], EpsonGeneration.allCases)
    func itIsCancelled(_ moment: PrintJobStatus, _ generation: EpsonGeneration) async throws {
        try await EpsonStage.with(generation) { stage in
            if moment == .queued { stage.simulator.setConnected(false) }
            var isAsked = false
            let run = await stage.run { run in
                guard !isAsked, run.machine.status == moment else { return nil }
                isAsked = true
                return .cancelRequested
            }
            let facts = stage.simulator.facts
            // Whoever comes too late gets their paper, and is told so.
            switch run.machine.status {
            case .canceled: #expect(facts.papers.isEmpty && moment != .printing, "\(run.statuses)")
            case .completed: #expect(facts.papers.count == 1 && moment != .queued, "\(run.statuses)")
            default: Issue.record("\(run.statuses)")
            }
            if moment == .queued { #expect(facts.jobs.isEmpty) }
        }
    }

    /// What the printer can't do is told before anything is made, and what Epson has no name for too.
    @Test(arguments: EpsonGeneration.allCases)
    func paperThatItDoesNotTakeIsRefused(_ generation: EpsonGeneration) async throws {
        try await EpsonStage.with(generation) { stage in
            let sizes = [
                PaperSize(keyword: "iso_a3_297x420mm", width: 29_700, height: 42_000),
                PaperSize(keyword: "custom_1x1mm", width: 100, height: 100),
            ]
            for size in sizes {
                let run = await stage.run(paper: size)
                #expect(run.statuses.last == "failed(paperUnsupported)", "\(run.statuses)")
            }
            #expect(stage.simulator.facts.jobs.isEmpty)
        }
    }

    /// What an answer names does not get the operator's word: but for the very place that the operator has named.
    @Test(arguments: EpsonGeneration.allCases)
    func pagesGoWhereTheOperatorSaid(_ generation: EpsonGeneration) async throws {
        try await EpsonStage.with(generation) { stage in
            let elsewhere = EpsonStage.site(stage.server, generation, upload: "http://127.0.0.1:9")
            let client = EpsonClient(elsewhere, stage.tokens, on: stage.loop)
            var driver = EpsonDriver(client, name: EpsonStage.name, pages: OnePage(paper: .a4))
            let event = await driver.perform(.createJob(attempt: 1))
            #expect(event == .stepFailed(.badRequest), "\(String(describing: event))")
            #expect(!stage.simulator.facts.calls.contains(.upload))
            let closed = EpsonStage.site(stage.server, generation, isPrivate: false)
            var shut = EpsonDriver(
                EpsonClient(closed, stage.tokens, on: stage.loop),
                name: EpsonStage.name,
                pages: OnePage(paper: .a4)
            )
            guard case .stepFailed(.unreachable(let detail)) = await shut.perform(.checkPrinter) else {
                Issue.record("a private address was reached")
                return
            }
            #expect(detail.contains("not public"))
        }
    }

    @Test(arguments: EpsonGeneration.allCases)
    func theJobCarriesItsName(_ generation: EpsonGeneration) async throws {
        try await EpsonStage.with(generation) { stage in
            _ = await stage.run()
            #expect(stage.simulator.facts.names == ["chil-3-44-1 그림"])
        }
    }

    @Test(arguments: EpsonGeneration.allCases)
    func destinationsComeAndGo(_ generation: EpsonGeneration) async throws {
        try await EpsonStage.with(generation) { stage in
            let client = stage.client
            let id = try await client.addDestination("hall", "http://127.0.0.1:8080/north/scan/abc")
            #expect(try await client.destinations().map(\.alias) == ["hall"])
            try await client.setDestination(id, "hall", "http://127.0.0.1:8080/north/scan/def")
            #expect(stage.simulator.facts.destinations == ["hall http://127.0.0.1:8080/north/scan/def"])
            let fault = await #expect(throws: EpsonFault.self) {
                _ = try await client.addDestination("hall", "http://127.0.0.1:8080/north/scan/ghi")
            }
            #expect(fault?.code?.hasPrefix("duplicate_alias") == true)
            try await client.removeDestination(id)
            #expect(try await client.destinations().isEmpty)
            let gone = await #expect(throws: EpsonFault.self) { try await client.removeDestination(id) }
            if case .refused(404, _) = gone {} else { Issue.record("\(String(describing: gone))") }
        }
    }

    /// Callbacks are sent, and change nothing by themselves.
    @Test(arguments: EpsonGeneration.allCases)
    func notificationsAreSet(_ generation: EpsonGeneration) async throws {
        try await EpsonStage.with(generation) { stage in
            try await stage.client.setNotification(to: "http://127.0.0.1:9/callback")
            let run = await stage.run()
            #expect(run.statuses.last == "completed")
            try await stage.client.setNotification(to: nil)
        }
    }
}
