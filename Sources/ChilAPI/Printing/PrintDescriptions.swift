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
}

extension Component {
    /// `PrintJobJSON`.
    fileprivate static let printJob = Component(
        "PrintJob",
        .object([
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
            .optional("paperWanted", .word(PaperName.self)),
            .optional("paper", .text.example("a4").described("What it was drawn for, once it was.")),
            .optional("paperSubstituted", .flag.described("That is another paper than was wanted.")),
            .required("createdAt", .moment),
            .required("updatedAt", .moment),
            .required("history", .list(of: .reference(printEvent)).described("From the first.")),
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
