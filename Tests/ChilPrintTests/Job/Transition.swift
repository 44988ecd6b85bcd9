import ChilCore
import Testing

@testable import ChilPrint

typealias Stage = PrintJobMachine.Stage

let start = Timestamp(seconds: 1_800_000_000)
let deadline = start + PrintSchedule.lifetime
let seven = RemoteJobID(number: 7)

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

extension Transition {
    static let all = checks + creation + handing + sending + verifying + polls + cancelation + told
}
