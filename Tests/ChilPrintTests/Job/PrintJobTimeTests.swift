import ChilCore
import Testing

@testable import ChilPrint

@Suite("Print job in time")
struct PrintJobTimeTests {
    @Test func wholeLife() {
        var machine = PrintJobMachine(at: start, expiresAt: deadline)
        #expect(machine.step(at: start) == .checkPrinter)
        #expect(machine.received(.printerChecked(printer()), at: start) == .createJob(attempt: 1))
        #expect(machine.received(.jobCreated(seven), at: start) == .sendDocument(seven))
        #expect(machine.status == .submitting && machine.remoteJob == seven)
        #expect(machine.received(.documentSent, at: start) == .wait(until: start + .seconds(1)))
        #expect(machine.status == .sent && machine.reason == nil)
        let second = start + .seconds(1)
        #expect(machine.received(.taken, at: second) == .poll(seven, attempt: 1))
        let empty = printer(reasons: ["media-empty"])
        #expect(machine.received(poll(.processing, printer: empty), at: second) == .wait(until: start + .seconds(2)))
        #expect(machine.status == .blocked && machine.reason == "paperEmpty")
        #expect(machine.received(poll(.processing, printer: printer()), at: second) != .done)
        #expect(machine.status == .printing)
        #expect(machine.received(poll(.completed, pages: 3), at: second) == .done)
        #expect(machine.status == .completed && machine.pagesPrinted == 3 && machine.remoteJob == nil)
    }

    @Test func unreachablePrinterIsTriedLessAndLess() {
        var machine = PrintJobMachine(at: start, expiresAt: deadline)
        var now = start
        var waits: [Int64] = []
        while waits.count < 14 {
            guard case .wait(let until) = machine.received(.stepFailed(.unreachable(detail: "")), at: now) else {
                break
            }
            #expect(machine.status == .queued && machine.reason == "printerUnreachable")
            waits.append((until - now).components.seconds)
            now = until
            #expect(machine.received(.taken, at: now) == .checkPrinter)
        }
        #expect(waits == [1, 1, 2, 3, 5, 8, 13, 21, 34, 60, 120, 300, 300, 300])
    }

    @Test func twoLostPollsAreOfflineAndOneGoodIsNot() {
        var machine = machine(.printing(seven))
        _ = machine.received(.stepFailed(.unreachable(detail: "")), at: start)
        #expect(machine.status == .printing)
        _ = machine.received(.stepFailed(.answerLost(detail: "")), at: start)
        #expect(machine.status == .blocked && machine.reason == "offline")
        _ = machine.received(poll(.processing), at: start)
        #expect(machine.status == .printing)
    }

    /// What was seen to print was printed, whatever came in between and however it is gone; a restart is the one thing that speaks against it.
    @Test(
        arguments: [
            ("seen", [poll(.processing)], nil, Stage.completed),
            ("seen, and away since", [poll(.processing), Transition.away, Transition.away], nil, .completed),
            (
                "seen, and away in a restart", [poll(.processing), Transition.away, Transition.away], 9,
                .outcomeUnknown(.printerRestarted)
            ),
            ("a page came out", [poll(.pending, pages: 1)], nil, .completed),
            ("only waited", [poll(.pending), poll(.pending)], nil, .outcomeUnknown(.jobForgotten)),
            ("only waited, and it was up all the time", [poll(.pending)], 600, .completed),
            ("only waited, in a restart", [poll(.pending)], 9, .outcomeUnknown(.printerRestarted)),
            ("away since, and it was up all the time", [Transition.away, Transition.away], 600, .completed),
            (
                "only waited, and away since", [poll(.pending), Transition.away, Transition.away], nil,
                .outcomeUnknown(.jobForgotten)
            ),
            (
                "without paper all the time", [poll(.processing, ["media-empty"]), Transition.away, Transition.away],
                nil,
                .outcomeUnknown(.jobForgotten)
            ),
            ("seen, and cancel wanted", [poll(.processing), .cancelRequested], nil, .completed),
            (
                "only waited, and cancel wanted", [poll(.pending), .cancelRequested], nil,
                .outcomeUnknown(.jobForgotten)
            ),
        ] as [(String, [PrintEvent], Int32?, Stage)]
    )
    func whatVanishes(_ name: String, _ before: [PrintEvent], _ upTime: Int32?, endsAs end: Stage) {
        var job = machine(.sent(seven))
        for event in before {
            _ = job.received(event, at: start)
            // As the next worker has it.
            job = PrintJobMachine(text: job.text) ?? job
        }
        _ = job.received(.jobVanished(upTime.map { printer(upTime: $0) }), at: start)
        #expect(job.stage == end, "\(name)")
        guard job.isOver, end != .completed else { return }
        _ = job.received(.retryRequested(expiresAt: deadline), at: start)
        #expect(!job.wasSeenPrinting)
    }

    @Test(arguments: [
        (Stage.queued(.busy), Stage.expired), (.creating, .expired), (.finding(nil), .expired),
        (.sending(seven), .outcomeUnknown(.answerLost)), (.asking(seven), .outcomeUnknown(.answerLost)),
        (.verifying(seven), .outcomeUnknown(.answerLost)),
        (.discarding(seven, then: .requeue(.busy), isDoubtful: false), .expired),
        (.discarding(seven, then: .cancel, isDoubtful: false), .canceled),
        (.discarding(seven, then: .requeue(.answerLost), isDoubtful: false), .outcomeUnknown(.answerLost)),
        (.discarding(seven, then: .requeue(.busy), isDoubtful: true), .outcomeUnknown(.answerLost)),
        (.sent(seven), .canceling(seven, for: .deadline, isAsked: false)),
        (.blocked(seven, .paperEmpty), .canceling(seven, for: .deadline, isAsked: false)),
        (.printing(seven), .printing(seven)),
        (.canceling(seven, for: .person, isAsked: true), .outcomeUnknown(.answerLost)),
        (.completed, .completed), (.failed(.tooLarge), .failed(.tooLarge)), (.canceled, .canceled),
    ])
    func deadlineEnds(_ stage: Stage, as end: Stage) {
        var machine = machine(stage)
        _ = machine.received(.taken, at: deadline)
        // A send that a crash interrupted is asked after first; that, too, ends.
        if case .verifying = machine.stage { _ = machine.received(.taken, at: deadline + PrintSchedule.verifyingMax) }
        #expect(machine.stage == end)
    }

    @Test func aFreshCancelOutlivesTheDeadlineByItsWindow() {
        var machine = machine(.sent(seven))
        #expect(machine.received(.taken, at: deadline) == .cancelJob(seven))
        #expect(machine.received(.cancelAccepted, at: deadline) == .wait(until: deadline + .seconds(1)))
        #expect(machine.received(poll(.canceled), at: deadline + .seconds(1)) == .done)
        #expect(machine.status == .expired)
    }

    @Test func verifyingEndsInDoubt() {
        var machine = machine(.verifying(seven))
        _ = machine.received(.stepFailed(.unreachable(detail: "")), at: start + .seconds(899))
        #expect(machine.status == .submitting && machine.reason == "answerLost")
        _ = machine.received(.stepFailed(.unreachable(detail: "")), at: start + .seconds(900))
        #expect(machine.status == .outcomeUnknown)
    }

    @Test(arguments: [Stage.failed(.tooLarge), .canceled, .expired, .outcomeUnknown(.answerLost)])
    func aPersonMayAskAgain(_ stage: Stage) {
        var machine = machine(stage, wantsCancel: true)
        let later = deadline + .seconds(5)
        #expect(
            machine.received(.retryRequested(expiresAt: later + PrintSchedule.lifetime), at: later) == .checkPrinter
        )
        #expect(machine.received(.printerChecked(printer()), at: later) == .createJob(attempt: 2))
        #expect(!machine.wantsCancel && machine.expiresAt == later + PrintSchedule.lifetime)
    }

    @Test(arguments: [Stage.queued(nil), .printing(seven), .completed, .canceling(seven, for: .person, isAsked: true)])
    func whatRunsOrIsDoneIsNotAskedAgain(_ stage: Stage) {
        var machine = machine(stage)
        _ = machine.received(.retryRequested(expiresAt: deadline + .seconds(1)), at: start)
        #expect(machine.stage == stage && machine.expiresAt == deadline)
    }

    @Test func schedulesAreBounded() {
        #expect(PrintSchedule.retryDelay(failures: -5) == .seconds(1))
        #expect(PrintSchedule.retryDelay(failures: .max) == .seconds(300))
        #expect(
            (0..<11).map { PrintSchedule.pollDelay(polls: $0).components.seconds } == [
                1, 1, 2, 2, 3, 3, 5, 5, 8, 10, 10,
            ]
        )
    }

    @Test func namesTellAttemptsApartAndFitTheirField() {
        let name = PrintJobName(tenant: TenantID(rawValue: 3), job: PrintJobID(rawValue: 44), title: "그\n림")
        #expect(name.name(attempt: 1) == "chil-3-44-1 그 림")
        #expect(name.matches("chil-3-44-1", attempt: 1) && name.matches("chil-3-44-1 other", attempt: 1))
        #expect(!name.matches("chil-3-44-12", attempt: 1) && !name.matches("chil-3-44-1", attempt: 2))
        #expect(!name.matches(nil, attempt: 1) && !name.matches("x chil-3-44-1", attempt: 1))
        let long = PrintJobName(
            tenant: TenantID(rawValue: 3),
            job: PrintJobID(rawValue: 44),
            title: String(repeating: "그림", count: 90)
        )
        #expect((250...255).contains(long.name(attempt: 1).utf8.count))
    }
}
