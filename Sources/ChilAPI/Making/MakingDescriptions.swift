import ChilCore
import ChilGenerator
import ChilHTTP
import ChilMotion
import ChilOpenAPI
import ChilStore

extension RouteDescription {
    static let generateDrawing = RouteDescription(
        "generateDrawing",
        .drawings,
        "Draws a wish",
        "Within 30 seconds; else 202, and the work goes on: Location says where to look.",
        parameters: [.prefer, .idempotencyKey],
        body: .json(
            Component(
                "GenerationRequest",
                .object([
                    .required("prompt", .text(APIService.wishRule).example("달 위의 고양이")),
                    .omissible("style", .word(LineArtRecipe.Level.self).described("The tenant's unless it is said.")),
                ])
            )
        ),
        answers: [
            .json(
                .created,
                Component(
                    "GeneratedDrawing",
                    .object([
                        .required("drawingId", .number),
                        .required("url", .text(format: "uri")),
                        .required("prompt", .text),
                    ])
                ),
                fields: [.location, .preferenceApplied],
                "The drawing."
            ),
            .json(
                .accepted,
                .drawing,
                fields: [.location, .preferenceApplied, .retryAfter],
                "It is being drawn."
            ),
        ],
        refusing: makingRefusals.union([.wishRefused])
    )

    static let moveDrawing = RouteDescription(
        "moveDrawing",
        .drawings,
        "Makes a drawing move",
        "Within 55 seconds; else 202, and the work goes on: Location says where to look.",
        parameters: [.prefer, .idempotencyKey],
        body: .json(
            Component(
                "MotionRequest",
                .object([
                    .required(
                        "motionType",
                        .text(pattern: anyCase(MotionType.allCases.map(\.rawValue))).example("dance")
                            .described("In upper or lower case.")
                    )
                ])
            )
        ),
        answers: [
            .json(
                .created,
                Component(
                    "MovingDrawing",
                    .object([.required("drawingId", .number), .required("url", .text(format: "uri"))])
                ),
                fields: [.location, .preferenceApplied],
                "The drawing that moves: a GIF."
            ),
            .json(
                .accepted,
                .drawing,
                fields: [.location, .preferenceApplied, .retryAfter],
                "It is being made."
            ),
        ],
        refusing: makingRefusals.union([
            .noCharacter, .ambiguousCharacter, .unsupportedImage, .backendUnavailable, .motionTimeout,
        ])
    )

    /// Of patterns: these words, whatever the case of their letters.
    private static func anyCase(_ words: [String]) -> String {
        words.map { word in word.map { "[\($0.uppercased())\($0)]" }.joined() }.joined(separator: "|")
    }

    private static let makingRefusals: Set<Problem.Code> = [
        .pictureUnusable, .noPictureService, .pictureServicesAway, .consentRequired, .quotaExceeded,
        .quotaWindowExceeded, .invalidIdempotencyKey, .idempotencyKeyReused, .idempotencyKeyRunning,
    ]
}

extension Parameter {
    fileprivate static let prefer = Parameter(
        "Prefer",
        in: .header,
        .text.example("respond-async"),
        "RFC 7240: `respond-async` for 202 at once, `wait=N` for at most so many seconds."
    )
}

extension AnswerField {
    fileprivate static let preferenceApplied = AnswerField(
        "Preference-Applied",
        .text(pattern: "respond-async|wait=[0-9]+"),
        isRequired: false,
        "What of Prefer was done."
    )
}
