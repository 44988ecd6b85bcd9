import ChilCore
import Testing

@testable import ChilPrint

typealias Stage = PrintJobMachine.Stage

let start = Timestamp(seconds: 1_800_000_000)
let deadline = start + PrintSchedule.lifetime
let seven = RemoteJobID(rawValue: 7)

func machine(_ stage: Stage, wantsCancel: Bool = false, upTime: Int32? = 500) -> PrintJobMachine {
    var machine = PrintJobMachine(at: start, expiresAt: deadline)
    machine.enter(stage, at: start)
    machine.attempt = 1
    machine.wantsCancel = wantsCancel
    machine.printerUpTime = upTime
    return machine
}

func printer(
    reasons: [String] = [],
    state: Int32 = 3,
    formats: [String] = ["application/pdf"],
    operations: [Int32] = [5, 6],
    accepts: Bool = true,
    upTime: Int32? = 600
) -> PrinterSnapshot {
    PrinterSnapshot(
        IPPMessage.Group(
            .printer,
            [
                IPPAttribute("printer-state", .enumeration(state)),
                IPPAttribute("printer-state-reasons", values: reasons.map { .keyword($0) }),
                IPPAttribute("document-format-supported", values: formats.map { .mimeMediaType($0) }),
                IPPAttribute("operations-supported", values: operations.map { .enumeration($0) }),
                IPPAttribute("printer-is-accepting-jobs", .boolean(accepts)),
                IPPAttribute("printer-up-time", values: upTime.map { [.integer($0)] } ?? []),
            ]
        )
    )
}

func poll(
    _ state: JobSnapshot.State?,
    _ reasons: [String] = [],
    printer: PrinterSnapshot? = nil,
    isOurs: Bool = true,
    pages: Int32? = nil
) -> PrintEvent {
    let job = JobSnapshot(id: seven, name: nil, state: state, stateReasons: reasons, impressionsCompleted: pages)
    return .polled(PrintPoll(job: job, isOurs: isOurs, printer: printer))
}

/// A stage, a fact, and the stage and step that follow at once (a wait of any length is `wait`).
struct Transition: Sendable, CustomTestStringConvertible {
    let name: String
    let from: Stage
    var wantsCancel = false
    let event: PrintEvent
    let to: Stage

    init(_ name: String, _ from: Stage, _ event: PrintEvent, _ to: Stage, wantsCancel: Bool = false) {
        (self.name, self.from, self.event, self.to, self.wantsCancel) = (name, from, event, to, wantsCancel)
    }

    var testDescription: String { name }
}

@Suite("Print job machine")
struct PrintJobMachineTests {
    static let lost = PrintEvent.stepFailed(.answerLost(detail: "reset"))
    static let away = PrintEvent.stepFailed(.unreachable(detail: "refused"))

    static let checks: [Transition] = [
        Transition("printer ready", .queued(nil), .printerChecked(printer()), .creating),
        Transition("printer stopped but accepting", .queued(nil), .printerChecked(printer(state: 5)), .creating),
        Transition(
            "printer without lists",
            .queued(nil),
            .printerChecked(printer(formats: [], operations: [])),
            .creating
        ),
        Transition(
            "no PDF",
            .queued(nil),
            .printerChecked(printer(formats: ["image/urf"])),
            .failed(.formatUnsupported)
        ),
        Transition(
            "no Create-Job",
            .queued(nil),
            .printerChecked(printer(operations: [2, 4])),
            .failed(.printerUnusable)
        ),
        Transition("not accepting", .queued(nil), .printerChecked(printer(accepts: false)), .queued(.notAccepting)),
        Transition(
            "spool full",
            .queued(nil),
            .printerChecked(printer(reasons: ["spool-area-full-report"])),
            .queued(.busy)
        ),
        Transition("unreachable", .queued(nil), away, .queued(.printerUnreachable)),
        Transition("check lost", .queued(nil), lost, .queued(.printerUnreachable)),
        Transition("check busy", .queued(nil), .stepFailed(.busy), .queued(.busy)),
        Transition("check refused", .queued(nil), .stepFailed(.forbidden), .queued(.credentials)),
        Transition("wrong path", .queued(nil), .stepFailed(.noSuchResource), .failed(.printerUnusable)),
        Transition("wants TLS", .queued(nil), .stepFailed(.secureOnly), .failed(.printerUnusable)),
        Transition("old IPP", .queued(nil), .stepFailed(.versionUnsupported), .failed(.printerUnusable)),
    ]

    static let creation: [Transition] = [
        Transition("created", .creating, .jobCreated(seven), .sending(seven)),
        Transition(
            "created, but canceled",
            .creating,
            .jobCreated(seven),
            .discarding(seven, then: .cancel, isDoubtful: false),
            wantsCancel: true
        ),
        Transition("create unreachable", .creating, away, .queued(.printerUnreachable)),
        Transition("create busy", .creating, .stepFailed(.busy), .queued(.busy)),
        Transition("create busy, but canceled", .creating, .stepFailed(.busy), .canceled, wantsCancel: true),
        Transition("create lost", .creating, lost, .finding(.answerLost)),
        Transition("create stumbled", .creating, .stepFailed(.temporary(status: 0x0505)), .finding(.busy)),
        Transition("paper refused", .creating, .stepFailed(.attributesUnsupported), .failed(.paperUnsupported)),
        Transition("crash while creating", .creating, .taken, .finding(nil)),
        Transition("found", .finding(nil), .jobFound(seven), .sending(seven)),
        Transition(
            "found, but canceled",
            .finding(nil),
            .jobFound(seven),
            .discarding(seven, then: .cancel, isDoubtful: false),
            wantsCancel: true
        ),
        Transition("not found", .finding(.answerLost), .jobNotFound, .queued(.answerLost)),
        Transition("not found, and canceled", .finding(nil), .jobNotFound, .canceled, wantsCancel: true),
        Transition("can't be asked now", .finding(.answerLost), away, .finding(.printerUnreachable)),
        Transition("can't list jobs", .finding(nil), .stepFailed(.operationUnsupported), .queued(nil)),
    ]

    static let sending: [Transition] = [
        Transition("sent", .sending(seven), .documentSent, .sent(seven)),
        Transition(
            "sent, but canceled",
            .sending(seven),
            .documentSent,
            .canceling(seven, for: .person, isAsked: false),
            wantsCancel: true
        ),
        Transition("send lost", .sending(seven), lost, .verifying(seven)),
        Transition("send stumbled", .sending(seven), .stepFailed(.temporary(status: 0x0500)), .verifying(seven)),
        Transition("has it already", .sending(seven), .stepFailed(.documentAlreadySent), .verifying(seven)),
        Transition(
            "send unreachable",
            .sending(seven),
            away,
            .discarding(seven, then: .requeue(.printerUnreachable), isDoubtful: false)
        ),
        Transition(
            "send busy",
            .sending(seven),
            .stepFailed(.busy),
            .discarding(seven, then: .requeue(.busy), isDoubtful: false)
        ),
        Transition(
            "format refused",
            .sending(seven),
            .stepFailed(.formatUnsupported),
            .discarding(seven, then: .fail(.formatUnsupported), isDoubtful: false)
        ),
        Transition(
            "page refused",
            .sending(seven),
            .stepFailed(.documentRefused),
            .discarding(seven, then: .fail(.documentRefused), isDoubtful: false)
        ),
        Transition("closed meanwhile", .sending(seven), .stepFailed(.notFound), .queued(.busy)),
        Transition("canceled at the panel", .sending(seven), .stepFailed(.jobCanceled), .canceled),
        Transition("crash while sending", .sending(seven), .taken, .verifying(seven)),
        Transition(
            "taken back",
            .discarding(seven, then: .requeue(.busy), isDoubtful: false),
            .cancelAccepted,
            .queued(.busy)
        ),
        Transition(
            "taken back, failed",
            .discarding(seven, then: .fail(.tooLarge), isDoubtful: false),
            .cancelAccepted,
            .failed(.tooLarge)
        ),
        Transition(
            "taken back, canceled",
            .discarding(seven, then: .cancel, isDoubtful: false),
            .cancelAccepted,
            .canceled
        ),
        Transition(
            "gone before taken back",
            .discarding(seven, then: .requeue(.busy), isDoubtful: false),
            .stepFailed(.notFound),
            .queued(.busy)
        ),
        Transition(
            "can't be taken back",
            .discarding(seven, then: .requeue(.busy), isDoubtful: false),
            .stepFailed(.notPossible),
            .discarding(seven, then: .requeue(.busy), isDoubtful: true)
        ),
        Transition(
            "take back later",
            .discarding(seven, then: .cancel, isDoubtful: false),
            away,
            .discarding(seven, then: .cancel, isDoubtful: false)
        ),
        Transition(
            "was printed instead",
            .discarding(seven, then: .requeue(.busy), isDoubtful: true),
            poll(.completed),
            .completed
        ),
        Transition(
            "was canceled before",
            .discarding(seven, then: .requeue(.busy), isDoubtful: true),
            poll(.canceled),
            .queued(.busy)
        ),
        Transition(
            "is being printed instead",
            .discarding(seven, then: .requeue(.busy), isDoubtful: true),
            poll(.processing),
            .printing(seven)
        ),
        Transition(
            "still has no document",
            .discarding(seven, then: .requeue(.busy), isDoubtful: true),
            poll(.pendingHeld, ["job-data-insufficient"]),
            .queued(.busy)
        ),
    ]

    static let verifying: [Transition] = [
        Transition(
            "document did not arrive",
            .verifying(seven),
            poll(.pendingHeld, ["job-data-insufficient"]),
            .discarding(seven, then: .requeue(.answerLost), isDoubtful: false)
        ),
        Transition(
            "document arrived in part",
            .verifying(seven),
            poll(.pending, ["job-incoming"]),
            .discarding(seven, then: .requeue(.answerLost), isDoubtful: false)
        ),
        Transition(
            "did not arrive, canceled",
            .verifying(seven),
            poll(.pendingHeld, ["job-data-insufficient"]),
            .discarding(seven, then: .cancel, isDoubtful: false),
            wantsCancel: true
        ),
        Transition("arrived", .verifying(seven), poll(.pending), .sent(seven)),
        Transition("is printing", .verifying(seven), poll(.processing, ["job-incoming"]), .printing(seven)),
        Transition(
            "is printing, canceled",
            .verifying(seven),
            poll(.processing),
            .canceling(seven, for: .person, isAsked: false),
            wantsCancel: true
        ),
        Transition("was printed", .verifying(seven), poll(.completed), .completed),
        Transition("was aborted", .verifying(seven), poll(.aborted), .failed(.abortedByPrinter)),
        Transition("nobody knows", .verifying(seven), .jobVanished(printer()), .outcomeUnknown(.answerLost)),
        Transition(
            "nobody knows after a restart",
            .verifying(seven),
            .jobVanished(printer(upTime: 3)),
            .outcomeUnknown(.printerRestarted)
        ),
        Transition("no answer yet", .verifying(seven), away, .verifying(seven)),
        Transition("verifying is taken", .verifying(seven), .taken, .verifying(seven)),
    ]

    static let polls: [Transition] = [
        Transition("waits at the printer", .sent(seven), poll(.pending), .sent(seven)),
        Transition("prints", .sent(seven), poll(.processing, ["job-printing"]), .printing(seven)),
        Transition(
            "paper out, by the printer's reasons",
            .printing(seven),
            poll(.processing, printer: printer(reasons: ["media-empty-warning", "media-needed-warning"])),
            .blocked(seven, .paperEmpty)
        ),
        Transition(
            "paper out, by the job's reasons",
            .printing(seven),
            poll(.processingStopped, ["media-needed"]),
            .blocked(seven, .paperEmpty)
        ),
        Transition(
            "jam before paper",
            .printing(seven),
            poll(.processing, printer: printer(reasons: ["media-empty", "media-jam-error"])),
            .blocked(seven, .paperJam)
        ),
        Transition(
            "ink",
            .printing(seven),
            poll(.processing, printer: printer(reasons: ["marker-supply-empty-error"])),
            .blocked(seven, .inkEmpty)
        ),
        Transition(
            "low is not empty",
            .printing(seven),
            poll(
                .processing,
                printer: printer(reasons: ["media-low-warning", "marker-supply-low-report", "toner-low"])
            ),
            .printing(seven)
        ),
        Transition(
            "a reason that only begins so",
            .printing(seven),
            poll(.processing, printer: printer(reasons: ["media-empty-tray-2x"])),
            .printing(seven)
        ),
        Transition(
            "cover",
            .printing(seven),
            poll(.processing, printer: printer(reasons: ["cover-open"])),
            .blocked(seven, .coverOpen)
        ),
        Transition(
            "offline",
            .sent(seven),
            poll(.pending, printer: printer(reasons: ["offline-report"])),
            .blocked(seven, .offline)
        ),
        Transition(
            "stopped without a reason",
            .sent(seven),
            poll(.pending, printer: printer(state: 5)),
            .blocked(seven, .other)
        ),
        Transition("refilled", .blocked(seven, .paperEmpty), poll(.processing, printer: printer()), .printing(seven)),
        Transition("done", .printing(seven), poll(.completed), .completed),
        Transition(
            "done, with low paper",
            .blocked(seven, .paperEmpty),
            poll(.completed, printer: printer(reasons: ["media-empty"])),
            .completed
        ),
        Transition(
            "aborted, cannot read",
            .printing(seven),
            poll(.aborted, ["document-format-error"]),
            .failed(.documentRefused)
        ),
        Transition(
            "aborted, not PDF",
            .sent(seven),
            poll(.aborted, ["unsupported-document-format"]),
            .failed(.formatUnsupported)
        ),
        Transition("aborted", .sent(seven), poll(.aborted, ["aborted-by-system"]), .failed(.abortedByPrinter)),
        Transition("canceled at the printer", .printing(seven), poll(.canceled, ["job-canceled-at-device"]), .canceled),
        Transition("vanished", .printing(seven), .jobVanished(printer()), .completed),
        Transition("vanished before it was seen to print", .sent(seven), .jobVanished(nil), .completed),
        Transition(
            "vanished in a restart",
            .printing(seven),
            .jobVanished(printer(upTime: 9)),
            .outcomeUnknown(.printerRestarted)
        ),
        Transition(
            "another's job after a restart",
            .printing(seven),
            poll(.processing, printer: printer(upTime: 9), isOurs: false),
            .outcomeUnknown(.printerRestarted)
        ),
        Transition(
            "our job after a restart",
            .printing(seven),
            poll(.processing, printer: printer(upTime: 9)),
            .printing(seven)
        ),
        Transition(
            "name cut by the printer",
            .printing(seven),
            poll(.processing, printer: printer(), isOurs: false),
            .printing(seven)
        ),
        Transition("no state in the answer", .printing(seven), poll(nil), .printing(seven)),
        Transition("one poll lost", .printing(seven), lost, .printing(seven)),
    ]

    static let cancelation: [Transition] = [
        Transition("canceled in the queue", .queued(.busy), .cancelRequested, .canceled),
        Transition("canceled while creating", .creating, .cancelRequested, .creating),
        Transition("canceled while sending", .sending(seven), .cancelRequested, .sending(seven)),
        Transition(
            "canceled while taken back",
            .discarding(seven, then: .requeue(.busy), isDoubtful: false),
            .cancelRequested,
            .discarding(seven, then: .cancel, isDoubtful: false)
        ),
        Transition(
            "canceled after sending",
            .sent(seven),
            .cancelRequested,
            .canceling(seven, for: .person, isAsked: false)
        ),
        Transition(
            "canceled while printing",
            .printing(seven),
            .cancelRequested,
            .canceling(seven, for: .person, isAsked: false)
        ),
        Transition(
            "canceled while blocked",
            .blocked(seven, .paperEmpty),
            .cancelRequested,
            .canceling(seven, for: .person, isAsked: false)
        ),
        Transition(
            "cancel accepted",
            .canceling(seven, for: .person, isAsked: false),
            .cancelAccepted,
            .canceling(seven, for: .person, isAsked: true)
        ),
        Transition(
            "cancel too late",
            .canceling(seven, for: .person, isAsked: false),
            .stepFailed(.notPossible),
            .canceling(seven, for: .person, isAsked: true)
        ),
        Transition(
            "cancel of the forgotten",
            .canceling(seven, for: .person, isAsked: false),
            .stepFailed(.notFound),
            .completed
        ),
        Transition(
            "cancel lost",
            .canceling(seven, for: .person, isAsked: false),
            lost,
            .canceling(seven, for: .person, isAsked: false)
        ),
        Transition(
            "stops at paper's return",
            .canceling(seven, for: .person, isAsked: true),
            poll(.processing, ["processing-to-stop-point"]),
            .canceling(seven, for: .person, isAsked: true)
        ),
        Transition("is canceled", .canceling(seven, for: .person, isAsked: true), poll(.canceled), .canceled),
        Transition(
            "was printed all the same",
            .canceling(seven, for: .person, isAsked: true),
            poll(.completed),
            .completed
        ),
        Transition(
            "vanished once canceled",
            .canceling(seven, for: .person, isAsked: true),
            .jobVanished(nil),
            .canceled
        ),
        Transition(
            "deadline's cancel done",
            .canceling(seven, for: .deadline, isAsked: true),
            poll(.canceled),
            .expired
        ),
        Transition(
            "deadline's cancel vanished",
            .canceling(seven, for: .deadline, isAsked: true),
            .jobVanished(nil),
            .expired
        ),
    ]

    @Test(arguments: checks + creation + sending + verifying + polls + cancelation)
    func moves(_ row: Transition) {
        var machine = machine(row.from, wantsCancel: row.wantsCancel)
        let step = machine.received(row.event, at: start)
        #expect(machine.stage == row.to)
        #expect(step == machine.step(at: start))
        #expect(machine.isOver == (step == .done))
    }

    static let stages: [Stage] = [
        .queued(nil), .creating, .finding(nil), .sending(seven), .discarding(seven, then: .cancel, isDoubtful: false),
        .discarding(seven, then: .requeue(.busy), isDoubtful: true), .verifying(seven), .sent(seven), .printing(seven),
        .blocked(seven, .inkEmpty), .canceling(seven, for: .person, isAsked: false),
        .canceling(seven, for: .deadline, isAsked: true), .completed, .failed(.tooLarge), .canceled, .expired,
        .outcomeUnknown(.answerLost),
    ]

    static let events: [PrintEvent] = [
        .taken, .cancelRequested, .printerChecked(printer()), .jobCreated(seven), .jobFound(seven), .jobNotFound,
        .documentSent, poll(.pending), poll(.pendingHeld, ["job-data-insufficient"]), poll(.processing),
        poll(.completed),
        poll(.canceled), poll(.aborted), poll(nil), .jobVanished(nil), .cancelAccepted, lost, away,
        .stepFailed(.busy), .stepFailed(.notAccepting), .stepFailed(.temporary(status: 0x0500)), .stepFailed(.notFound),
        .stepFailed(.noSuchResource), .stepFailed(.notPossible), .stepFailed(.forbidden),
        .stepFailed(.formatUnsupported),
        .stepFailed(.operationUnsupported), .stepFailed(.documentAlreadySent), .stepFailed(.other(status: 0x04FF)),
    ]

    /// The promise that matters: from where paper may be on its way, no single fact leads to a new Create-Job, save
    /// the printer's own word that it has no document.
    @Test func paperIsNeverSentTwice() {
        for (stage, event) in Self.stages.flatMap({ stage in Self.events.map { (stage, $0) } }) {
            var machine = machine(stage)
            _ = machine.received(event, at: start)
            switch stage {
            case .verifying, .sent, .printing, .blocked, .canceling:
                switch machine.stage {
                case .queued, .creating, .finding, .sending: Issue.record("\(stage), \(event): \(machine.stage)")
                case .discarding: #expect(event == poll(.pendingHeld, ["job-data-insufficient"]))
                default: break
                }
            case .completed, .failed, .canceled, .expired, .outcomeUnknown: #expect(machine.stage == stage)
            default: break
            }
            if machine.stage == .creating && stage != .creating { #expect(machine.attempt == 2) }
        }
    }

    @Test func everyMachineIsStoredWhole() {
        for (stage, event) in Self.stages.flatMap({ stage in Self.events.map { (stage, $0) } }) {
            var machine = machine(stage, wantsCancel: event == .cancelRequested, upTime: event == .taken ? nil : 77)
            _ = machine.received(event, at: start + .milliseconds(1))
            if PrintJobMachine(text: machine.text) != machine { Issue.record("\(machine.text)") }
        }
    }

    @Test(arguments: [
        "", "1", "2 queued", "1 flying", "1 sent", "1 sent:x", "1 queued:bored", "1 queued attempt=x",
        "1 sent:7 attempt=1", "1 blocked:7:", "1 canceling:7:2:person", "1 discarding:7:0:requeue",
    ])
    func foreignTextIsNoMachine(_ text: String) {
        #expect(PrintJobMachine(text: text) == nil)
    }
}
