import ChilCore
import ChilHTTP
import ChilOpenAPI
import ChilStore

extension RouteDescription {
    static let uploadDrawing = RouteDescription(
        "uploadDrawing",
        .drawings,
        "Uploads a picture",
        "PNG or JPEG, of at most 20 MiB and 64 megapixels. What is not the picture (EXIF, comments) is not kept.",
        parameters: [.idempotencyKey],
        body: .other([
            Content("image/png", nil), Content("image/jpeg", nil), Content("application/octet-stream", nil),
            Content(
                "multipart/form-data",
                .reference(uploadForm),
                parts: [("image", "image/png, image/jpeg"), ("type", "text/plain"), ("title", "text/plain")]
            ),
        ]),
        answers: [.json(.created, .drawing, fields: [.location], "The drawing.")],
        refusing: [
            .unsupportedMediaType, .invalidFields, .invalidImage, .consentRequired, .quotaExceeded,
            .quotaWindowExceeded, .imageStoreAway,
            .invalidIdempotencyKey, .idempotencyKeyReused, .idempotencyKeyRunning,
        ]
    )

    private static let uploadForm = Component(
        "DrawingForm",
        .object([
            .required("image", .text(format: "binary")),
            .optional("type", .word([DrawingType.scanned, .uploaded].map(\.rawValue)).defaulting(to: "UPLOADED")),
            .optional("title", .text(DrawingUpload.titleRule).example("고양이")),
        ])
    )

    static let listDrawings = RouteDescription(
        "listDrawings",
        .drawings,
        "The caller's drawings, the newest first",
        "By page, or by cursor, which costs the same however far it goes. Past the end `data` is empty.",
        parameters: [
            Parameter("type", in: .query, .word(DrawingType.self), "Those of this type alone."),
            Parameter(
                "page",
                in: .query,
                .integer(1...Int64(Int.max)).example(1),
                "The page, from 1. Not with `cursor`."
            ),
            Parameter(
                "limit",
                in: .query,
                .integer(1...Int64(DrawingPageRequest.countMax)).defaulting(to: 50),
                "Drawings of a page."
            ),
            Parameter("cursor", in: .query, .cursor, "`nextCursor` of the page before."),
        ],
        answers: [.json(.drawingPage, "The page.")],
        refusing: [.invalidFields]
    )

    static let drawing = RouteDescription(
        "getDrawing",
        .drawings,
        "A drawing",
        answers: [.json(.drawing, fields: [.entityTag], "The drawing.")]
    )

    static let changeDrawing = RouteDescription(
        "changeDrawing",
        .drawings,
        "Changes a drawing's title: a merge patch (RFC 7396)",
        parameters: [.ifMatch],
        body: .mergePatch(
            Component(
                "DrawingPatch",
                .object([.omissible("title", .text(DrawingUpload.titleRule).example("고양이"))])
                    .described("`null` removes the title; left out, it stays.")
            )
        ),
        answers: [.json(.drawing, fields: [.entityTag], "The drawing as it is now.")],
        refusing: [
            .malformedJSON, .invalidFields, .unsupportedMediaType, .preconditionRequired, .preconditionFailed,
        ]
    )

    static let deleteDrawing = RouteDescription(
        "deleteDrawing",
        .drawings,
        "Deletes a drawing",
        answers: [.empty(.noContent, "It is gone.")]
    )
}

extension Component {
    fileprivate static let drawingPage = Component(
        "DrawingPage",
        .object([
            .optional("type", .word(DrawingType.self).described("If it was asked for.")),
            .required("data", .list(of: .reference(drawing), 0...Int64(DrawingPageRequest.countMax))),
            .optional("page", .integer(from: 1).described("Not with `cursor`.")),
            .required("hasMore", .flag),
            .optional("nextCursor", .cursor),
        ])
    )

    /// `DrawingJSON`.
    static let drawing = Component(
        "Drawing",
        .object([
            .required("drawingId", .number),
            .required("type", .word(DrawingType.self)),
            .required("status", .word(["PENDING", "READY", "FAILED"])),
            .optional("title", .text.example("고양이")),
            .optional("prompt", .text.example("달 위의 고양이")),
            .optional(
                "url",
                .text(format: "uri").described(
                    "Of the image. It needs no Authorization, for an hour at least. Not while there is none."
                )
            ),
            .optional("width", .integer(from: 1).described("Pixels.")),
            .optional("height", .integer(from: 1).described("Pixels.")),
            .optional("mediaType", .word(["image/png", "image/jpeg", "image/gif"])),
            .optional("byteCount", .integer(from: 1)),
            .required("createdAt", .moment),
            .required("updatedAt", .moment),
            .optional(
                "sourceId",
                .number.described(
                    "The drawing that an animated one was made of, or that was printed on the page of a scanned one; it may be gone."
                )
            ),
            .optional(
                "originalUrl",
                .text(format: "uri").described("Of what the image was made of, where that is kept.")
            ),
        ])
    )
}

extension Schema {
    static let cursor = Schema.text(pattern: "[A-Za-z0-9_-]{22}")
}
