/// Why a drawing does not move.
package struct MotionFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// Published words: never renamed.
    package enum Code: String, Sendable, CaseIterable {
        /// Nobody was found in the drawing who could move.
        case noCharacter = "no_character"
        /// More than one was found, or one that cannot be told apart.
        case ambiguousCharacter = "ambiguous_character"
        /// The service cannot read the picture.
        case unsupportedImage = "unsupported_image"
        /// The service is down, or answers what it should not.
        case backendUnavailable = "backend_unavailable"
        /// It took longer than it may.
        case timeout

        /// Whether the drawing is the reason: the same drawing fails again, at any service.
        package var isOfDrawing: Bool {
            switch self {
            case .noCharacter, .ambiguousCharacter, .unsupportedImage: true
            case .backendUnavailable, .timeout: false
            }
        }
    }

    package let code: Code
    /// For the operator: what came, and what to do. Nothing of the drawing.
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "\(code.rawValue): \(detail)" }
}
