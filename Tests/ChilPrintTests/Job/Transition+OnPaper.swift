@testable import ChilPrint

extension Transition {
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
        Transition(
            "vanished while it stood still",
            .blocked(seven, .paperEmpty),
            .jobVanished(nil),
            .outcomeUnknown(.answerLost)
        ),
        Transition(
            "vanished while it was away",
            .blocked(seven, .offline),
            .jobVanished(nil),
            .outcomeUnknown(.jobForgotten)
        ),
        Transition(
            "vanished before it was seen to print",
            .sent(seven),
            .jobVanished(nil),
            .outcomeUnknown(.jobForgotten)
        ),
        Transition(
            "vanished before it was seen to print, in a restart",
            .sent(seven),
            .jobVanished(printer(upTime: 9)),
            .outcomeUnknown(.printerRestarted)
        ),
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
        Transition("no consent in the queue", .queued(.busy), .consentMissing, .canceled),
        Transition("no consent before a job is made", .creating, .consentMissing, .canceled),
        Transition(
            "no consent before the page is sent",
            .sending(seven),
            .consentMissing,
            .discarding(seven, then: .cancel, isDoubtful: false)
        ),
        Transition(
            "no consent while printing",
            .printing(seven),
            .consentMissing,
            .canceling(seven, for: .person, isAsked: false)
        ),
        Transition("no consent too late", .completed, .consentMissing, .completed),
        Transition("drawing gone from the queue", .queued(.busy), .drawingGone, .canceled),
        Transition("drawing gone before a job is made", .creating, .drawingGone, .canceled),
        Transition(
            "drawing gone before it is sent",
            .sending(seven),
            .drawingGone,
            .discarding(seven, then: .cancel, isDoubtful: false)
        ),
        Transition("drawing gone too late", .completed, .drawingGone, .completed),
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
            .outcomeUnknown(.jobForgotten)
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
}
