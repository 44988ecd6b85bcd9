import ChilHTTP

/// Why a drawing does not move: each is said so that a child can do something about it.
extension Problem {
    static let noCharacter = Problem(
        status: .unprocessableContent,
        code: .noCharacter,
        title: "Nobody is there who could move",
        detail: "Draw one figure, seen from the front, with arms and legs apart, and try again."
    )

    static let ambiguousCharacter = Problem(
        status: .unprocessableContent,
        code: .ambiguousCharacter,
        title: "Who shall move?",
        detail: "There is more than one figure: draw one alone, and try again."
    )

    static let unsupportedImage = Problem(
        status: .unprocessableContent,
        code: .unsupportedImage,
        title: "This picture cannot move",
        detail: "The service cannot read it: use another one."
    )

    static let backendUnavailable = Problem(
        status: .serviceUnavailable,
        code: .backendUnavailable,
        title: "Nothing can move now",
        detail: "The services that move drawings do not answer now: try again in a minute.",
        retryAfter: 60
    )

    static let motionTimeout = Problem(
        status: .serviceUnavailable,
        code: .motionTimeout,
        title: "It took too long",
        detail: "The service was not done in time: try again in a minute, or another motion.",
        retryAfter: 60
    )
}
