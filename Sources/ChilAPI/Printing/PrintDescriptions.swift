import ChilCore
import ChilHTTP
import ChilOpenAPI
import ChilPrint
import ChilStore

extension RouteDescription {
    static let print = RouteDescription(
        "printDrawing",
        .printing,
        "Prints a drawing, or several as a book: a page each",
        parameters: [.idempotencyKey],
        body: .json(
            Component(
                "PrintRequest",
                .object([
                    .omissible("drawingId", .number.described("This or `drawingIds` is required.")),
                    .omissible(
                        "drawingIds",
                        .list(of: .number, 1...Int64(PrintJobCreate.drawingsMax))
                            .described(
                                "A page each, in this order. With copies at most \(PrintJobCreate.pagesMax) pages."
                            )
                    ),
                    .omissible(
                        "paper",
                        .word(PaperName.self).described(
                            "Printed on if it is loaded; else on what is, and the print says so."
                        )
                    ),
                    .omissible("scale", .word(PrintJobCreate.Scale.self).described("LARGE unless it is said.")),
                    .omissible("printerId", .number.described("The tenant's default one unless it is said.")),
                    .omissible(
                        "copies",
                        .integer(1...Int64(PrintJobCreate.copiesMax)).described("One unless it is said.")
                    ),
                    .omissible("expiresIn", .lifetime),
                ])
            )
        ),
        answers: [
            .json(
                Component(
                    "PrintAccepted",
                    .object([.required("printJobId", .number), .required("status", .word(PrintJobState.self))])
                ),
                "It is kept, and will be printed."
            )
        ],
        refusing: [
            .noPrinter, .consentRequired, .quotaExceeded, .quotaWindowExceeded, .invalidIdempotencyKey,
            .idempotencyKeyReused, .idempotencyKeyRunning,
        ]
    )

    static let printJob = RouteDescription(
        "getPrintJob",
        .printing,
        "How a print goes",
        answers: [.json(.printJob, "The print.")]
    )

    static let listPrintJobs = RouteDescription(
        "listPrintJobs",
        .printing,
        "The caller's prints, the newest first",
        parameters: [
            Parameter("status", in: .query, .word(PrintJobState.self), "Those of this state alone."),
            Parameter(
                "limit",
                in: .query,
                .integer(1...Int64(PrintJobPage.countMax)).defaulting(to: 50),
                "Prints of a page."
            ),
            Parameter("cursor", in: .query, .cursor, "`nextCursor` of the page before."),
        ],
        answers: [.json(.printJobPage, "The page.")],
        refusing: [.invalidFields]
    )

    static let cancelPrintJob = RouteDescription(
        "cancelPrintJob",
        .printing,
        "Cancels a print",
        """
        Whatever it is at: the printer is asked to drop what it has. Its state says how that went; a page that comes out already is let out. \
        What has ended without paper stays as it is, and a print in the state `outcomeUnknown` is `canceled` then.
        """,
        answers: [.empty(.noContent, "It is on record that nobody wants it.")],
        refusing: [.printJobOver, .printJobRunning]
    )

    static let retryPrintJob = RouteDescription(
        "retryPrintJob",
        .printing,
        "Begins a print again",
        """
        One that has failed, was canceled, has expired; or whose outcome nobody knows: then it is the answer of somebody who has looked, and \
        nothing came out. It counts for the quotas as a new print.
        """,
        parameters: [.idempotencyKey],
        body: .optionalJSON(Component("PrintRetry", .object([.omissible("expiresIn", .lifetime)]))),
        answers: [.json(.printJob, "The print, which waits again.")],
        refusing: [
            .printJobRunning, .noPrinter, .consentRequired, .quotaExceeded, .quotaWindowExceeded,
            .invalidIdempotencyKey, .idempotencyKeyReused, .idempotencyKeyRunning,
        ]
    )

    static let listPrinters = RouteDescription(
        "listPrinters",
        .printing,
        "The printers that the tenant has",
        answers: [.json(.printers, "All of them, the default one first.")]
    )
}

extension Schema {
    fileprivate static let lifetime = Schema.integer(PrintJobCreate.lifetimeSeconds)
        .described("For how many seconds it may wait for its printer. Three days unless it is said.")
}

extension Component {
    /// `PrintJobJSON`.
    fileprivate static let printJob = Component(
        "PrintJob",
        .object(
            printJobMembers + [
                .required("history", .list(of: .reference(printEvent)).described("From the first."))
            ]
        )
    )

    private static let printJobMembers: [Schema.Property] = [
        .required("printJobId", .number),
        .required("drawingId", .number),
        .required("drawingIds", .list(of: .number).described("Its pages, in order.")),
        .required("printerId", .number),
        .required("status", .word(PrintJobState.self)),
        .required("state", .word(PrintJobState.self).described("The same as `status`.")),
        .optional("reason", .text.example("paperEmpty")),
        .required("scale", .word(PrintJobCreate.Scale.self)),
        .required("copies", .integer(1...Int64(PrintJobCreate.copiesMax))),
        .required("pages", .integer(from: 1).described("Copies included.")),
        .required("pagesPrinted", .integer(from: 0).described("As far as the printer has said.")),
        .optional("paperWanted", .word(PaperName.self)),
        .optional("paper", .text.example("a4").described("What it was drawn for, once it was.")),
        .optional("paperSubstituted", .flag.described("That is another paper than was wanted.")),
        .required("attempts", .integer(from: 0).described("How often a printer was asked to take it.")),
        .required("expiresAt", .moment.described("Until when it may wait for its printer.")),
        .optional("cancelRequestedAt", .moment.described("Since when it is to be canceled.")),
        .required("createdAt", .moment),
        .required("updatedAt", .moment),
    ]

    fileprivate static let printJobPage = Component(
        "PrintJobPage",
        .object([
            .required(
                "data",
                .list(
                    of: .reference(Component("PrintJobSummary", .object(printJobMembers))),
                    0...Int64(PrintJobPage.countMax)
                )
            ),
            .required("hasMore", .flag),
            .optional("nextCursor", .cursor),
        ])
    )

    /// `PrinterJSON`.
    fileprivate static let printers = Component(
        "PrinterList",
        .object([.required("data", .list(of: .reference(printer)))])
    )

    private static let printer = Component(
        "Printer",
        .object([
            .required("printerId", .number),
            .required("name", .text.example("office")),
            .required("kind", .word(PrinterRecord.Kind.self)),
            .required("isDefault", .flag),
            .required(
                "state",
                .word(["enabled", "disabled", "draining"])
                    .described("What the operator has set: only an enabled one takes prints.")
            ),
            .optional(
                "live",
                .object([
                    .required("state", .word(PrinterView.Seen.State.self)),
                    .required("reasons", .list(of: .text.example("media-empty-warning"))),
                    .required("seenAt", .moment),
                ]).described("What was seen when a print last asked it.")
            ),
            .required("media", .list(of: .text.example("iso_a4_210x297mm"))),
        ])
    )

    fileprivate static let printEvent = Component(
        "PrintEvent",
        .object([
            .required("state", .word(PrintJobState.self)),
            .optional("reason", .text),
            .required("at", .moment),
        ])
    )
}
