/// Why a picture was not made, as a job keeps it. Each is told by a problem of its own (`Problem+Making.swift`).
enum MakingFault: String, Sendable, CaseIterable {
    /// A service finds that it is nothing for children.
    case refused = "wish-refused"
    /// What was made cannot be coloured: blank, black, or no picture at all.
    case unusable = "picture-unusable"
    /// No service answers.
    case away = "services-away"
    /// The services were taken away, or switched off.
    case noService = "no-service"
    /// Every service is a party's, and the guardian does not agree to any (any more).
    case noConsent = "no-consent"
    /// The picture is there, and there is no room to keep it.
    case noRoom = "no-room"
    /// Whoever worked on it broke off, more than once.
    case interrupted
    /// The drawing that should move was deleted meanwhile.
    case sourceGone = "source-gone"
    // As `MotionFault.Code` has them.
    case noCharacter = "no_character"
    case ambiguousCharacter = "ambiguous_character"
    case unsupportedImage = "unsupported_image"
    case backendUnavailable = "backend_unavailable"
    case motionTimeout = "timeout"
    /// This build does not make such pictures.
    case unavailable
}
