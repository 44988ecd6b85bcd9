/// How the simulator misbehaves, once or always.
package enum MotionQuirk: String, Sendable, CaseIterable {
    /// Half a minute passes before the answer.
    case slow
    /// The connection breaks without an answer.
    case drop
    /// The connection breaks in the middle of the GIF.
    case half
    /// A GIF that ends in the middle, by its length a whole answer.
    case cut
    /// A GIF of one frame.
    case still
    case gigantic
    case garbage
    case html
    case redirect
    /// What the example service says with 200 when it has made no GIF.
    case gifNotFound = "gif-not-found"
    /// A field of the form is missing, says FastAPI.
    case field = "field-missing"
    case noHumanoid = "no-humanoid"
    case noSkeleton = "no-skeleton"
    case twoSkeletons = "two-skeletons"
    case noContour = "no-contour"
    case channels
    case torchserve = "torchserve-down"
    case internalError = "internal-error"
    case busy
}
