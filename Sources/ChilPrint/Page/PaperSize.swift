/// A sheet, upright, in hundredths of a millimetre, the unit of `media-col` (PWG 5100.7 §6.3.1).
package struct PaperSize: Hashable, Sendable {
    /// The self-describing name (PWG 5101.1 §5), for the `media` attribute.
    package let keyword: String
    package let width: Int
    package let height: Int

    package static let a4 = Self(keyword: "iso_a4_210x297mm", width: 21_000, height: 29_700)
}
