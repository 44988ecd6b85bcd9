import ChilHTTP
import ChilOpenAPI

extension RouteDescription {
    static let events = RouteDescription(
        "listen",
        .account,
        "What happens to the caller's drawings and prints, as it happens",
        "Server-sent events. After a break the client sends Last-Event-ID, and leaves out what it has seen by its id.",
        parameters: [
            Parameter(
                "Last-Event-ID",
                in: .header,
                .text.example("188028551905509617"),
                "The id of the last event that was seen."
            )
        ],
        answers: [
            AnswerForm(
                200,
                "Events, until the session or the connection ends.",
                [Content("text/event-stream", nil)],
                fields: [
                    .cacheControl("no-store"),
                    AnswerField("X-Accel-Buffering", .constant("no"), "For nginx: events are passed on at once."),
                ]
            )
        ],
        refusing: [.tooManyListeners]
    )
}
