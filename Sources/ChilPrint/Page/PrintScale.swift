/// How large a drawing is printed; the raw value is the contract's.
package enum PrintScale: String, Hashable, Sendable, CaseIterable {
    case large = "LARGE"
    case medium = "MEDIUM"
    case small = "SMALL"

    /// The edge of the box that the picture is fitted into, as a share of the printable page's edge: the whole page,
    /// half of its area (1 ∕ √2 of the edge, as A5 is to A4), a quarter of its area.
    package var edgeShare: Double {
        switch self {
        case .large: 1
        case .medium: 0.707_106_781_186_547_6
        case .small: 0.5
        }
    }
}
