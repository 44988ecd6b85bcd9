/// Where a scene is.
enum Place: Equatable, Sendable {
    case meadow, sea, underwater, space, night, snow
    /// Nowhere: things on a page.
    case plain
}
