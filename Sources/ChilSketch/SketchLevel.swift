/// How much there is to colour.
package enum SketchLevel: String, CaseIterable, Sendable {
    /// For the youngest: few things, large, thick lines.
    case easy
    case medium
    /// Patterns on everything, and more around it.
    case detailed

    /// The pen's width in parts of the page's shorter side.
    var pen: Double {
        switch self {
        case .easy: 0.0135
        case .medium: 0.0105
        case .detailed: 0.0085
        }
    }
}
