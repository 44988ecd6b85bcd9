import ChilHTTP

extension Problem {
    static let invalidIdempotencyKey = Problem(
        status: .badRequest,
        code: .invalidIdempotencyKey,
        title: "Malformed Idempotency-Key",
        detail:
            "Send 1 to 128 printable ASCII characters, best a new UUID in double quotes, and the same ones with each retry."
    )

    static let guessableIdempotencyKey = Problem(
        status: .badRequest,
        code: .invalidIdempotencyKey,
        title: "Guessable Idempotency-Key",
        detail:
            "Without a token, send \(IdempotencyKey.guestBytesMin) characters at least, best a new UUID, and the same with each retry."
    )

    static let idempotencyKeyReused = Problem(
        status: .unprocessableContent,
        code: .idempotencyKeyReused,
        title: "Idempotency-Key used before",
        detail: "This key belongs to a request that asked for something else: send a new key."
    )

    static let idempotencyKeyRunning = Problem(
        status: .conflict,
        code: .idempotencyKeyRunning,
        title: "Request under way",
        detail: "A request with this key is still under way: send it again shortly, with the same key.",
        retryAfter: 1
    )
}
