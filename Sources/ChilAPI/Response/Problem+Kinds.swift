import ChilCore
import ChilHTTP

extension Problem {
    static let notFound = Problem(
        status: .notFound,
        code: .notFound,
        title: "Not found",
        detail: "There is nothing here for you: check the address."
    )

    static let unauthorized = Problem(
        status: .unauthorized,
        code: .unauthorized,
        title: "Not signed in",
        detail: "Send a valid access token as Authorization: Bearer, or sign in again."
    )

    static let invalidIdentityToken = Problem(
        status: .unauthorized,
        code: .invalidIdentityToken,
        title: "Sign-in refused",
        detail: "Ask the identity provider for a new identity token, with a fresh nonce, and sign in again."
    )

    static let invalidRefreshToken = Problem(
        status: .unauthorized,
        code: .invalidRefreshToken,
        title: "Session over",
        detail: "Sign in again."
    )

    static let invalidNotification = Problem(
        status: .badRequest,
        code: .invalidNotification,
        title: "Notification refused",
        detail:
            "Send {\"payload\": …} with a notification that an identity provider of this service has signed for one of its client ids."
    )

    static let tenantSuspended = Problem(
        status: .forbidden,
        code: .tenantSuspended,
        title: "Suspended",
        detail: "This service is switched off for now: ask its operator."
    )

    static let preconditionRequired = Problem(
        status: .preconditionRequired,
        code: .preconditionRequired,
        title: "Precondition required",
        detail: "Send If-Match with the ETag of what you have seen, so that no other change is lost."
    )

    static let preconditionFailed = Problem(
        status: .preconditionFailed,
        code: .preconditionFailed,
        title: "Changed meanwhile",
        detail: "It is no longer what you have seen: get it again, then change it."
    )

    static let exportRunning = Problem(
        status: .tooManyRequests,
        code: .exportRunning,
        title: "An export is running",
        detail: "Take the export that is running to its end, or break it off, before the next.",
        retryAfter: 10
    )

    static let tooManyListeners = Problem(
        status: .tooManyRequests,
        code: .tooManyListeners,
        title: "Too many listeners",
        detail: "Close one of your streams of events first: a person may have \(LivePeople.streamsMax).",
        retryAfter: 15
    )

    static let tenantUnavailable = Problem(
        status: .serviceUnavailable,
        code: .tenantUnavailable,
        title: "Not set up",
        detail: "This service cannot be served as it is set up: its operator finds the reason in the log.",
        retryAfter: 60
    )

    static let internalError = Problem(
        status: .internalServerError,
        code: .internalError,
        title: "Internal error",
        detail: "Something went wrong here. Try again; if it stays, tell the operator the instance."
    )

    static let databaseAway = Problem(
        status: .serviceUnavailable,
        code: .databaseAway,
        title: "Unavailable",
        detail: "The service cannot reach its database: try again shortly.",
        retryAfter: 2
    )

    static let overloaded = Problem(
        status: .serviceUnavailable,
        code: .overloaded,
        title: "Overloaded",
        detail: "Too much is going on: try again shortly.",
        retryAfter: 1
    )

    static let outcomeUnknown = Problem(
        status: .serviceUnavailable,
        code: .outcomeUnknown,
        title: "Outcome unknown",
        detail:
            "The connection to the database was lost before it answered: look whether it happened before you repeat it.",
        retryAfter: 2
    )

    static func contentTooLarge(_ bytesMax: Int) -> Problem {
        Problem(
            status: .contentTooLarge,
            code: .contentTooLarge,
            title: "Too large",
            detail: "Send at most \(bytesMax) bytes."
        )
    }

    static func malformedJSON(_ fault: JSONFault) -> Problem {
        Problem(
            status: .badRequest,
            code: .malformedJSON,
            title: "Malformed JSON",
            detail: "Send one JSON object (RFC 8259): \(fault)."
        )
    }

    static func malformedRequest(_ detail: String) -> Problem {
        Problem(status: .badRequest, code: .malformedRequest, title: "Malformed request", detail: detail)
    }

    static func unsupportedMediaType(_ expected: String) -> Problem {
        Problem(
            status: .unsupportedMediaType,
            code: .unsupportedMediaType,
            title: "Unsupported media type",
            detail: "Send \(expected)."
        )
    }

    static func invalidFields(_ faults: [FieldFault]) -> Problem {
        Problem(
            status: .unprocessableContent,
            code: .invalidFields,
            title: "Invalid fields",
            detail: "Correct the fields named in errors.",
            fields: faults
        )
    }

    static func invalidImage(_ detail: String) -> Problem {
        Problem(status: .unprocessableContent, code: .invalidImage, title: "Not a usable image", detail: detail)
    }

    static func methodNotAllowed(_ allow: String) -> Problem {
        Problem(
            status: .methodNotAllowed,
            code: .methodNotAllowed,
            title: "Method not allowed",
            detail: "Use one of the methods in Allow.",
            allow: allow
        )
    }
}
