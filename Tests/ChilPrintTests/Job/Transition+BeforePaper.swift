@testable import ChilPrint

extension Transition {
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
        Transition("no Create-Job", .queued(nil), .printerChecked(printer(operations: [2, 4])), .handing),
        Transition("no Send-Document", .queued(nil), .printerChecked(printer(operations: [2, 5])), .handing),
        Transition(
            "no Print-Job either",
            .queued(nil),
            .printerChecked(printer(operations: [4, 5])),
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
        Transition("wants TLS", .queued(nil), .stepFailed(.secureOnly), .queued(.tlsRequired)),
        Transition("other certificate", .queued(nil), .stepFailed(.certificateChanged), .queued(.certificateChanged)),
        Transition("old certificate", .queued(nil), .stepFailed(.certificateExpired), .queued(.certificateExpired)),
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
        Transition("create not known", .creating, .stepFailed(.operationUnsupported), .handing),
        Transition(
            "create not known, and canceled",
            .creating,
            .stepFailed(.operationUnsupported),
            .canceled,
            wantsCancel: true
        ),
        Transition("create met another", .creating, .stepFailed(.certificateChanged), .queued(.certificateChanged)),
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

    /// Job and page in one request.
    static let handing: [Transition] = [
        Transition("handed", .handing, .jobAccepted(seven), .sent(seven)),
        Transition(
            "handed, but canceled",
            .handing,
            .jobAccepted(seven),
            .canceling(seven, for: .person, isAsked: false),
            wantsCancel: true
        ),
        Transition("hand unreachable", .handing, away, .queued(.printerUnreachable)),
        Transition("hand busy", .handing, .stepFailed(.busy), .queued(.busy)),
        Transition("hand busy, but canceled", .handing, .stepFailed(.busy), .canceled, wantsCancel: true),
        Transition("hand refused", .handing, .stepFailed(.formatUnsupported), .failed(.formatUnsupported)),
        Transition("hand not known", .handing, .stepFailed(.operationUnsupported), .failed(.printerUnusable)),
        Transition("hand met another", .handing, .stepFailed(.certificateChanged), .queued(.certificateChanged)),
        Transition("canceled at the panel meanwhile", .handing, .stepFailed(.jobCanceled), .canceled),
        Transition("hand lost", .handing, lost, .tracing),
        Transition("hand stumbled", .handing, .stepFailed(.temporary(status: 0x0500)), .tracing),
        Transition("crash while handing", .handing, .taken, .tracing),
        Transition("gone before handed", .handing, .drawingGone, .canceled),
        Transition("traced", .tracing, .jobFound(seven), .verifying(seven)),
        Transition("not listed yet", .tracing, .jobNotFound, .tracing),
        Transition("not listed, and canceled", .tracing, .jobNotFound, .tracing, wantsCancel: true),
        Transition("can't be traced now", .tracing, away, .tracing),
        Transition("can't be traced by another", .tracing, .stepFailed(.certificateChanged), .tracing),
        Transition("can't list its jobs", .tracing, .stepFailed(.operationUnsupported), .outcomeUnknown(.answerLost)),
        Transition("tracing is taken", .tracing, .taken, .tracing),
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
            "send met another",
            .sending(seven),
            .stepFailed(.certificateChanged),
            .discarding(seven, then: .requeue(.certificateChanged), isDoubtful: false)
        ),
        Transition(
            "take back from another",
            .discarding(seven, then: .cancel, isDoubtful: false),
            .stepFailed(.certificateExpired),
            .discarding(seven, then: .cancel, isDoubtful: false)
        ),
        Transition(
            "taken back",
            .discarding(seven, then: .requeue(.busy), isDoubtful: false),
            .cancelAccepted,
            .queued(.busy)
        ),
        Transition(
            "half a page taken back",
            .discarding(seven, then: .requeue(.answerLost), isDoubtful: false),
            .cancelAccepted,
            .discarding(seven, then: .requeue(.answerLost), isDoubtful: true)
        ),
        Transition(
            "half a page is taken back",
            .discarding(seven, then: .requeue(.answerLost), isDoubtful: true),
            poll(.canceled),
            .queued(.answerLost)
        ),
        Transition(
            "half a page is printed for all that",
            .discarding(seven, then: .requeue(.answerLost), isDoubtful: true),
            poll(.processing),
            .printing(seven)
        ),
        Transition(
            "half a page came out and was taken back",
            .discarding(seven, then: .requeue(.answerLost), isDoubtful: true),
            poll(.canceled, pages: 1),
            .outcomeUnknown(.answerLost)
        ),
        Transition(
            "half a page, taken back and forgotten",
            .discarding(seven, then: .requeue(.answerLost), isDoubtful: true),
            .jobVanished(nil),
            .outcomeUnknown(.answerLost)
        ),
        Transition(
            "half a page, forgotten before",
            .discarding(seven, then: .requeue(.answerLost), isDoubtful: false),
            .stepFailed(.notFound),
            .outcomeUnknown(.answerLost)
        ),
        Transition(
            "half a page can't be taken back",
            .discarding(seven, then: .requeue(.answerLost), isDoubtful: false),
            .stepFailed(.operationUnsupported),
            .discarding(seven, then: .requeue(.answerLost), isDoubtful: true)
        ),
        Transition(
            "half a page can't be asked for",
            .discarding(seven, then: .requeue(.answerLost), isDoubtful: true),
            .stepFailed(.badRequest),
            .outcomeUnknown(.answerLost)
        ),
        Transition(
            "half a page waits for the other half",
            .discarding(seven, then: .requeue(.answerLost), isDoubtful: true),
            poll(.pendingHeld, ["job-data-insufficient"]),
            .discarding(seven, then: .requeue(.answerLost), isDoubtful: true)
        ),
        Transition(
            "half a page that nobody wants, forgotten",
            .discarding(seven, then: .cancel, isDoubtful: true),
            .jobVanished(nil),
            .canceled
        ),
        Transition(
            "no page, taken back and forgotten",
            .discarding(seven, then: .requeue(.busy), isDoubtful: false),
            .stepFailed(.notFound),
            .queued(.busy)
        ),
        Transition("too many jobs", .creating, .stepFailed(.notPossible), .queued(.busy)),
        Transition("too many pages", .handing, .stepFailed(.notPossible), .queued(.busy)),
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
}
