import ChilCore
import ChilHTTP
import ChilOpenAPI
import ChilStore

extension RouteDescription {
    static let print = RouteDescription(
        "printDrawing",
        .printing,
        "Prints a drawing",
        parameters: [.idempotencyKey],
        body: .json(
            Component(
                "PrintRequest",
                .object([
                    .required("drawingId", .number),
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
            .required("printerId", .number),
            .required("status", .word(PrintJobState.self)),
            .required("state", .word(PrintJobState.self).described("The same as `status`.")),
            .optional("reason", .text.example("paperEmpty")),
            .required("scale", .word(PrintJobCreate.Scale.self)),
            .required("copies", .integer(1...Int64(PrintJobCreate.copiesMax))),
            .required("pages", .integer(from: 1)),
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
