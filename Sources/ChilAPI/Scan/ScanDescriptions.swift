import ChilHTTP
import ChilOpenAPI

extension RouteDescription {
    static let scan = RouteDescription(
        "receiveScan",
        .drawings,
        "Takes pages that a scanner pushes",
        """
        A form as Epson's service sends it: a JPEG, PNG or PDF in each part, whatever the parts are called. Who has the address needs no more; a \
        wrong one is answered 404. Answered once the pages are kept; drawings are made of them after that.
        """,
        body: .other([Content("multipart/form-data", .reference(scanForm))]),
        answers: [
            .json(
                Component(
                    "ScanReceived",
                    .object([
                        .required("received", .integer(from: 0).described("Pages that are new.")),
                        .required("repeated", .integer(from: 0).described("Pages that came before.")),
                    ])
                ),
                "They are kept."
            )
        ],
        refusing: [
            .unsupportedMediaType, .invalidImage, .consentRequired, .quotaExceeded, .quotaWindowExceeded,
            .imageStoreAway,
        ],
        security: ChilOpenAPI.Operation.Security.none
    )

    /// Its parts have whatever names.
    private static let scanForm = Component(
        "ScanForm",
        .object([.optional("file", .text(format: "binary"))], isOpen: true)
    )

    static let scanSession = RouteDescription(
        "openScanSession",
        .drawings,
        "An address for one push, of the page that was printed of this drawing",
        parameters: [.idempotencyKey],
        answers: [
            .json(
                .created,
                Component(
                    "ScanSession",
                    .object([.required("url", .text(format: "uri")), .required("expiresAt", .moment)])
                ),
                "The address, good for a week, or until eight newer ones are opened for the drawing."
            )
        ],
        refusing: [.invalidIdempotencyKey, .idempotencyKeyReused]
    )
}
