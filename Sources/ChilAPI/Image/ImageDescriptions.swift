import ChilHTTP
import ChilOpenAPI

extension RouteDescription {
    static let drawingImage = RouteDescription(
        "getDrawingImage",
        .drawings,
        "A drawing's image",
        "With an access token, or by the drawing's `url` without one.",
        parameters: [
            Parameter("e", in: .query, .integer(from: 0), "Of a signed URL: when it ends."),
            Parameter("k", in: .query, .integer(0...255), "Of a signed URL: the key's version."),
            Parameter("s", in: .query, .text(pattern: "[A-Za-z0-9_-]{22}"), "Of a signed URL: the signature."),
            Parameter("variant", in: .query, .word(["original"]), "What the image was made of, as it came."),
            Parameter(
                "size",
                in: .query,
                .word(["thumbnail"]),
                "At most 512 pixels a side; of a GIF its first frame. Add it to a signed URL as it is: `&size=thumbnail`."
            ),
            Parameter("Range", in: .header, .text.example("bytes=0-1023"), "One range of bytes (RFC 9110 §14)."),
            Parameter("If-Range", in: .header, .text, "The ETag that Range is about: another version is sent whole."),
            .ifNoneMatch,
        ],
        answers: [
            AnswerForm(200, "The image.", images, fields: kept + [ranges]),
            AnswerForm(206, "The part of it that was asked for.", images, fields: kept + [ranges, .contentRange]),
            AnswerForm(
                307,
                "Where an object store hands out the images: its own URL, which ends in a minute.",
                fields: [.location, .cacheControl("no-store")]
            ),
            AnswerForm(304, "What the client has is what there is.", fields: kept),
        ],
        refusing: [.unauthorized, .rangeNotSatisfiable, .imageStoreAway],
        security: .optionalBearer
    )

    private static let images = [
        Content("image/png", nil), Content("image/jpeg", nil), Content("image/gif", nil),
        Content("application/pdf", nil),
    ]
    private static let kept = [AnswerField.entityTag, .cacheControl("private, max-age=3600")]
    private static let ranges = AnswerField("Accept-Ranges", .constant("bytes"), "Parts can be had.")
}
