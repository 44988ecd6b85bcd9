import ChilHTTP
import ChilStore

extension Problem {
    /// Of a drawing that shall move.
    static let noPictureYet = Problem.invalidFields([
        FieldFault(pointer: "/drawingId", detail: "This drawing has no picture yet.")
    ])

    static func noService(for purpose: ImagePurpose) -> Problem {
        Problem(
            status: .serviceUnavailable,
            code: .noPictureService,
            title: "Nobody draws here yet",
            detail: "The operator must add a service: chiladmin \(purpose == .motion ? "motion" : "generator") add.",
            retryAfter: 60
        )
    }

    /// Why a picture was not made.
    ///
    /// - Parameter fault: as the job keeps it; what a newer release wrote is told as any failure.
    static func notMade(_ fault: String?, _ purpose: ImagePurpose) -> Problem {
        switch fault.flatMap(MakingFault.init(rawValue:)) {
        case .refused: wishRefused
        case .unusable: pictureUnusable
        case .noService: noService(for: purpose)
        case .noRoom:
            Problem(
                status: .forbidden,
                code: .quotaExceeded,
                title: "Limit reached",
                detail: "There is no room for another picture: delete some, or ask the operator for more."
            )
        // It was given meanwhile; while it is missing the answer says which (`Problem.consentRequired`).
        case .noConsent:
            Problem(
                status: .forbidden,
                code: .consentRequired,
                title: "Consent was missing",
                detail: "A guardian had not agreed that the services which draw see what they are asked: ask again."
            )
        case .sourceGone: notFound
        case .noCharacter: noCharacter
        case .ambiguousCharacter: ambiguousCharacter
        case .unsupportedImage: unsupportedImage
        case .motionTimeout: motionTimeout
        case .backendUnavailable: backendUnavailable
        case .away where purpose == .motion: backendUnavailable
        case .away, .interrupted, .unavailable, nil:
            Problem(
                status: .serviceUnavailable,
                code: .pictureServicesAway,
                title: "Nobody can draw now",
                detail: "The services that draw do not answer now: try again in a minute.",
                retryAfter: 60
            )
        }
    }

    /// Friendly, and one for all reasons: nobody learns the list from it.
    static let wishRefused = Problem(
        status: .unprocessableContent,
        code: .wishRefused,
        title: "Let's draw something else",
        detail: "This wish cannot be drawn here: wish for something else, such as an animal, a house or a rainbow."
    )

    private static let pictureUnusable = Problem(
        status: .unprocessableContent,
        code: .pictureUnusable,
        title: "Nothing to colour",
        detail: "What was drawn cannot be coloured: say more exactly what it should be, and try again."
    )
}
