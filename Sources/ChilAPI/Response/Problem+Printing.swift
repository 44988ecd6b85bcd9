import ChilHTTP

extension Problem {
    static let printJobOver = Problem(
        status: .conflict,
        code: .printJobOver,
        title: "Printed already",
        detail: "The page is on paper: there is nothing left to cancel."
    )

    static let printJobRunning = Problem(
        status: .conflict,
        code: .printJobRunning,
        title: "Nothing to begin again",
        detail:
            "Only a print that has failed, was canceled, has expired, or of which nobody knows how it ended is begun again."
    )

    static let drawingGone = Problem.invalidFields([
        FieldFault(pointer: "/drawingId", detail: "The drawing of this print is no more: print another.")
    ])

    static let printerTakesNone = Problem.invalidFields([
        FieldFault(pointer: "/printerId", detail: "This printer takes no prints now: choose another.")
    ])
}
