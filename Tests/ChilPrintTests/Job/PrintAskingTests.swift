import ChilCore
import Testing

@testable import ChilPrint

/// Where a page that has arrived is not printed before it is asked for: what was not asked for was not printed, and what may have been is
/// nobody's to send again.
@Suite("Print asked for")
struct PrintAskingTests {
    static let rows: [Transition] = [
        Transition("the page is there", .sending(seven), .documentUploaded, .asking(seven)),
        Transition(
            "the page is there, and nobody wants it",
            .sending(seven),
            .documentUploaded,
            .discarding(seven, then: .cancel, isDoubtful: false),
            wantsCancel: true
        ),
        Transition("it is not printed by itself", .sending(seven), .documentSent, .sending(seven)),
        Transition("asked for", .asking(seven), .documentSent, .sent(seven)),
        Transition(
            "asked for, and nobody wants it",
            .asking(seven),
            .documentSent,
            .canceling(seven, for: .person, isAsked: false),
            wantsCancel: true
        ),
        Transition("asked for twice", .sent(seven), .documentUploaded, .sent(seven)),
        Transition(
            "crash before it was asked for",
            .sending(seven),
            .taken,
            .discarding(seven, then: .requeue(.busy), isDoubtful: false)
        ),
        Transition(
            "crash before it was asked for, and nobody wants it",
            .sending(seven),
            .taken,
            .discarding(seven, then: .cancel, isDoubtful: false),
            wantsCancel: true
        ),
        Transition("crash while it was asked for", .asking(seven), .taken, .verifying(seven)),
        Transition("answer lost", .asking(seven), Transition.lost, .verifying(seven)),
        Transition("stumbled", .asking(seven), .stepFailed(.temporary(status: 0x0500)), .verifying(seven)),
        Transition(
            "never reached",
            .asking(seven),
            Transition.away,
            .discarding(seven, then: .requeue(.printerUnreachable), isDoubtful: false)
        ),
        Transition(
            "too often",
            .asking(seven),
            .stepFailed(.busy),
            .discarding(seven, then: .requeue(.busy), isDoubtful: false)
        ),
        Transition(
            "refused",
            .asking(seven),
            .stepFailed(.documentRefused),
            .discarding(seven, then: .fail(.documentRefused), isDoubtful: false)
        ),
        Transition("it is gone", .asking(seven), .stepFailed(.notFound), .queued(.busy)),
        Transition("cancel wanted meanwhile", .asking(seven), .cancelRequested, .asking(seven)),
        Transition(
            "withdrawn before it was asked for",
            .asking(seven),
            .withdrawn,
            .discarding(seven, then: .cancel, isDoubtful: false)
        ),
        Transition(
            "the drawing is gone before it was asked for",
            .asking(seven),
            .drawingGone,
            .discarding(seven, then: .cancel, isDoubtful: false)
        ),
        Transition("a hint", .asking(seven), .hinted, .asking(seven)),
    ]

    private static func asking(_ stage: Stage, wantsCancel: Bool = false) -> PrintJobMachine {
        var asking = machine(stage, wantsCancel: wantsCancel)
        asking.printsWhenAsked = true
        return asking
    }

    @Test(arguments: rows)
    func moves(_ row: Transition) {
        var machine = Self.asking(row.from, wantsCancel: row.wantsCancel)
        let step = machine.received(row.event, at: start)
        #expect(machine.stage == row.to)
        #expect(step == machine.step(at: start))
        #expect(PrintJobMachine(text: machine.text) == machine)
    }

    /// The mark is what the worker stores before it asks: it is there as long as the step is not done, and says which step that is.
    @Test func theMarkIsStoredBeforeTheStep() {
        var machine = Self.asking(.creating)
        #expect(machine.received(.jobCreated(seven), at: start) == .sendDocument(seven))
        #expect(machine.received(.documentUploaded, at: start) == .askToPrint(seven))
        #expect(machine.text.hasPrefix("1 asking:7 ") && machine.status == .submitting && machine.remoteJob == seven)
    }

    /// Printers whose pages are printed as they arrive know no such step, whoever says so.
    @Test func elsewhereAPageIsPrintedAsItArrives() {
        var machine = Self.asking(.sending(seven))
        machine.printsWhenAsked = false
        _ = machine.received(.documentUploaded, at: start)
        #expect(machine.stage == .sending(seven))
        _ = machine.received(.taken, at: start)
        #expect(machine.stage == .verifying(seven))
        var checked = Self.asking(.queued(nil))
        checked.printsWhenAsked = false
        var service = printer(operations: [])
        service.printsWhenAsked = true
        _ = checked.received(.printerChecked(service), at: start)
        #expect(checked.printsWhenAsked)
        // Another printer, after a retry.
        checked.stage = .queued(nil)
        _ = checked.received(.printerChecked(printer()), at: start)
        #expect(!checked.printsWhenAsked)
    }
}
