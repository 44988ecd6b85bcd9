import ChilCore

@testable import ChilPrint

/// What people tell: that a job is withdrawn, that its printer is switched off, and how one ended of which nobody knew.
extension Transition {
    static let told: [Transition] = withdrawals + withholdings + outcomes + expiries

    private static let withdrawals: [Transition] = [
        Transition("withdrawn in the queue", .queued(.busy), .withdrawn, .canceled),
        Transition("withdrawn before a job is made", .creating, .withdrawn, .canceled),
        Transition("withdrawn before all is handed over", .handing, .withdrawn, .canceled),
        Transition(
            "withdrawn before the page is sent",
            .sending(seven),
            .withdrawn,
            .discarding(seven, then: .cancel, isDoubtful: false)
        ),
        Transition("withdrawn while a job is looked for", .finding(nil), .withdrawn, .finding(nil)),
        Transition("withdrawn while a page is looked for", .tracing, .withdrawn, .tracing),
        Transition("withdrawn while nobody knows what arrived", .verifying(seven), .withdrawn, .verifying(seven)),
        Transition(
            "withdrawn while a job is made anew",
            .discarding(seven, then: .requeue(.busy), isDoubtful: true),
            .withdrawn,
            .discarding(seven, then: .cancel, isDoubtful: true)
        ),
        Transition(
            "withdrawn at the printer",
            .sent(seven),
            .withdrawn,
            .canceling(seven, for: .person, isAsked: false)
        ),
        Transition(
            "withdrawn on paper",
            .printing(seven),
            .withdrawn,
            .canceling(seven, for: .person, isAsked: false)
        ),
        Transition(
            "withdrawn without paper",
            .blocked(seven, .paperEmpty),
            .withdrawn,
            .canceling(seven, for: .person, isAsked: false)
        ),
        Transition(
            "withdrawn twice",
            .canceling(seven, for: .person, isAsked: true),
            .withdrawn,
            .canceling(seven, for: .person, isAsked: true),
            wantsCancel: true
        ),
        Transition("withdrawn after the end", .completed, .withdrawn, .completed),
        Transition("withdrawn in doubt", .outcomeUnknown(.printerGone), .withdrawn, .outcomeUnknown(.printerGone)),
    ]

    private static let later = PrintEvent.printerWithheld(until: start + .seconds(30))

    private static let withholdings: [Transition] = [
        Transition("printer switched off", .queued(nil), later, .queued(.printerDisabled)),
        Transition("printer still switched off", .queued(.printerDisabled), later, .queued(.printerDisabled)),
        Transition(
            "switched off until the deadline is past",
            .queued(nil),
            .printerWithheld(until: deadline + .seconds(1)),
            .queued(.printerDisabled)
        ),
        Transition(
            "switched off until a moment that is past",
            .queued(nil),
            .printerWithheld(until: start - .seconds(1)),
            .queued(.printerDisabled)
        ),
        Transition("switched off, canceled", .queued(nil), later, .canceled, wantsCancel: true),
        Transition("switched off while a job is made", .creating, later, .creating),
        Transition("switched off while a page is sent", .sending(seven), later, .sending(seven)),
        Transition("switched off on paper", .printing(seven), later, .printing(seven)),
        Transition("switched off after the end", .failed(.tooLarge), later, .failed(.tooLarge)),
    ]

    private static let outcomes: [Transition] = [
        Transition("it lies there", .outcomeUnknown(.answerLost), .outcomeTold(.printed), .completed),
        Transition("nothing came out", .outcomeUnknown(.printerGone), .outcomeTold(.notPrinted), .failed(.notPrinted)),
        Transition("nobody wants it", .outcomeUnknown(.printerRestarted), .outcomeTold(.dropped), .canceled),
        Transition("told of one that waits", .queued(nil), .outcomeTold(.printed), .queued(nil)),
        Transition("told of one on paper", .printing(seven), .outcomeTold(.notPrinted), .printing(seven)),
        Transition("told of one that is verified", .verifying(seven), .outcomeTold(.dropped), .verifying(seven)),
        Transition("told of one that ended", .completed, .outcomeTold(.notPrinted), .completed),
        Transition("told of one that failed", .failed(.tooLarge), .outcomeTold(.printed), .failed(.tooLarge)),
    ]

    private static let expiries: [Transition] = [
        Transition(
            "given up by the printer's service",
            .sent(seven),
            poll(.aborted, ["job-expired"]),
            .expired
        ),
        Transition(
            "given up while without paper",
            .blocked(seven, .paperEmpty),
            poll(.aborted, ["job-expired"]),
            .expired
        ),
        Transition(
            "given up while it is taken back",
            .canceling(seven, for: .person, isAsked: true),
            poll(.aborted, ["job-expired"]),
            .canceled,
            wantsCancel: true
        ),
    ]
}
