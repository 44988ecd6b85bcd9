import ChilCore
import Testing

@testable import ChilPrint

@Suite("Print job machine")
struct PrintJobMachineTests {
    @Test(arguments: Transition.all)
    func moves(_ row: Transition) {
        var machine = machine(row.from, wantsCancel: row.wantsCancel)
        let step = machine.received(row.event, at: start)
        #expect(machine.stage == row.to)
        #expect(step == machine.step(at: start))
        #expect(machine.isOver == (step == .done))
    }

    static let stages: [Stage] = [
        .queued(nil), .creating, .finding(nil), .handing, .tracing, .sending(seven), .asking(seven),
        .discarding(seven, then: .cancel, isDoubtful: false),
        .discarding(seven, then: .requeue(.busy), isDoubtful: true),
        .discarding(seven, then: .requeue(.answerLost), isDoubtful: false),
        .discarding(seven, then: .requeue(.answerLost), isDoubtful: true), .verifying(seven), .sent(seven),
        .printing(seven),
        .blocked(seven, .inkEmpty), .canceling(seven, for: .person, isAsked: false),
        .canceling(seven, for: .deadline, isAsked: true), .completed, .failed(.tooLarge), .canceled, .expired,
        .outcomeUnknown(.answerLost),
    ]

    static let events: [PrintEvent] = [
        .taken, .cancelRequested, .hinted, .consentMissing, .drawingGone, .printerChecked(printer()),
        .jobCreated(seven),
        .jobFound(seven), .jobAccepted(seven),
        .jobNotFound,
        .documentUploaded, .documentSent, poll(.pending), poll(.pendingHeld, ["job-data-insufficient"]),
        poll(.processing),
        poll(.completed),
        poll(.canceled), poll(.aborted), poll(nil), .jobVanished(nil), .cancelAccepted, Transition.lost,
        Transition.away,
        .stepFailed(.busy), .stepFailed(.notAccepting), .stepFailed(.temporary(status: 0x0500)), .stepFailed(.notFound),
        .stepFailed(.noSuchResource), .stepFailed(.notPossible), .stepFailed(.forbidden),
        .stepFailed(.formatUnsupported),
        .stepFailed(.secureOnly), .stepFailed(.certificateChanged), .stepFailed(.certificateExpired),
        .stepFailed(.operationUnsupported), .stepFailed(.documentAlreadySent), .stepFailed(.other(status: 0x04FF)),
    ]

    /// The promise that matters: from where paper may be on its way, no single fact leads to a new Create-Job, save
    /// the printer's own word that it has no document.
    @Test func paperIsNeverSentTwice() {
        for (stage, event) in Self.stages.flatMap({ stage in Self.events.map { (stage, $0) } }) {
            var machine = machine(stage)
            _ = machine.received(event, at: start)
            switch stage {
            case .tracing, .verifying, .sent, .printing, .blocked, .canceling:
                switch machine.stage {
                case .queued, .creating, .finding, .sending, .handing:
                    Issue.record("\(stage), \(event): \(machine.stage)")
                case .discarding: #expect(event == poll(.pendingHeld, ["job-data-insufficient"]))
                default: break
                }
            // It may have half of the page.
            case .discarding(_, .requeue(.answerLost), _):
                if case .queued = machine.stage { #expect([poll(.canceled), poll(.aborted)].contains(event)) }
            case .completed, .failed, .canceled, .expired, .outcomeUnknown: #expect(machine.stage == stage)
            default: break
            }
            if machine.stage == .creating && stage != .creating { #expect(machine.attempt == 2) }
            // The name of an attempt that made no job may be used again, by another operation.
            if machine.stage == .handing && stage != .handing && stage != .creating { #expect(machine.attempt == 2) }
        }
    }

    @Test func everyMachineIsStoredWhole() {
        for (stage, event) in Self.stages.flatMap({ stage in Self.events.map { (stage, $0) } }) {
            var machine = machine(stage, wantsCancel: event == .cancelRequested, upTime: event == .taken ? nil : 77)
            _ = machine.received(event, at: start + .milliseconds(1))
            if PrintJobMachine(text: machine.text) != machine { Issue.record("\(machine.text)") }
        }
    }

    /// A hint has the printer asked at once where it is asked anyway, and does nothing else, however often it comes.
    @Test(arguments: stages)
    func aHintIsNoWord(_ stage: Stage) {
        let later = start + .seconds(300)
        var hinted = machine(stage)
        hinted.nextAt = later
        var expected = hinted
        for _ in 0..<3 { _ = hinted.received(.hinted, at: start) }
        switch stage {
        case .sent, .printing, .blocked, .canceling(_, _, isAsked: true):
            expected.nextAt = start
            #expect(hinted.step(at: start) == .poll(seven, attempt: 1))
        default: break
        }
        #expect(hinted == expected)
        hinted.nextAt = start
        expected.nextAt = start
        _ = hinted.received(.hinted, at: later)
        #expect(hinted == expected, "what is due already is not put off")
    }

    /// Whoever looks at the job sees why, until somebody asks for it once more.
    @Test func withoutConsentItSaysSo() {
        var waiting = machine(.queued(.busy)), sending = machine(.sending(seven)), printed = machine(.completed)
        #expect(waiting.received(.consentMissing, at: start) == .done)
        #expect(waiting.status == .canceled && waiting.reason == "consent")
        #expect(sending.received(.consentMissing, at: start) == .cancelJob(seven))
        #expect(sending.status == .canceling && sending.reason == "consent")
        #expect(sending.received(.cancelAccepted, at: start) == .done)
        #expect(sending.status == .canceled && sending.reason == "consent")
        #expect(PrintJobMachine(text: sending.text)?.reason == "consent")
        #expect(printed.received(.consentMissing, at: start) == .done && printed.reason == nil)
        _ = waiting.received(.retryRequested(expiresAt: deadline), at: start)
        #expect(waiting.status == .queued && waiting.reason == nil)
        var person = machine(.queued(.busy))
        _ = person.received(.cancelRequested, at: start)
        #expect(person.reason == nil && !person.text.contains("consent"))
    }

    /// Nothing of the person's leaves by these steps.
    @Test func onlyTwoStepsHandOver() {
        for step in [
            PrintStep.checkPrinter, .findJob(attempt: 1), .traceJob(attempt: 1), .poll(seven, attempt: 1),
            .cancelJob(seven), .done,
        ] {
            #expect(!step.handsOver)
        }
        #expect(PrintStep.createJob(attempt: 1).handsOver && PrintStep.sendDocument(seven).handsOver)
        #expect(PrintStep.printJob(attempt: 1).handsOver && PrintStep.askToPrint(seven).handsOver)
    }

    @Test(arguments: [
        "", "1", "2 queued", "1 flying", "1 sent", "1 sent:x", "1 queued:bored", "1 queued attempt=x",
        "1 sent:7 attempt=1", "1 blocked:7:", "1 canceling:7:2:person", "1 discarding:7:0:requeue",
    ])
    func foreignTextIsNoMachine(_ text: String) {
        #expect(PrintJobMachine(text: text) == nil)
    }
}
