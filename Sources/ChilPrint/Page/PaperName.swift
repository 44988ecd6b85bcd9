/// The papers that a person or a tenant can ask for; the raw value is the contract's.
package enum PaperName: String, Hashable, Sendable, CaseIterable {
    case a3, a4, a5, a6
    /// JIS B5, which is larger than ISO's.
    case b5
    case letter, legal
    /// Epson's KG, "postcard" to photo shops.
    case photo4x6 = "4x6"
    /// 89 × 127 mm.
    case photoL = "l"
    /// Twice that: 2L.
    case photo5x7 = "5x7"
    /// Hagaki.
    case postcard

    package var size: PaperSize {
        switch self {
        case .a3: PaperSize(keyword: "iso_a3_297x420mm", width: 29_700, height: 42_000)
        case .a4: PaperSize(keyword: "iso_a4_210x297mm", width: 21_000, height: 29_700)
        case .a5: PaperSize(keyword: "iso_a5_148x210mm", width: 14_800, height: 21_000)
        case .a6: PaperSize(keyword: "iso_a6_105x148mm", width: 10_500, height: 14_800)
        case .b5: PaperSize(keyword: "jis_b5_182x257mm", width: 18_200, height: 25_700)
        case .letter: PaperSize(keyword: "na_letter_8.5x11in", width: 21_590, height: 27_940)
        case .legal: PaperSize(keyword: "na_legal_8.5x14in", width: 21_590, height: 35_560)
        case .photo4x6: PaperSize(keyword: "na_index-4x6_4x6in", width: 10_160, height: 15_240)
        case .photoL: PaperSize(keyword: "oe_photo-l_3.5x5in", width: 8_890, height: 12_700)
        case .photo5x7: PaperSize(keyword: "na_5x7_5x7in", width: 12_700, height: 17_780)
        case .postcard: PaperSize(keyword: "jpn_hagaki_100x148mm", width: 10_000, height: 14_800)
        }
    }

    /// Epson Connect's name without what stands before it: `ms_` in its first version, `ps_` in its second.
    private var epsonName: String {
        switch self {
        case .a3, .a4, .a5, .a6, .b5, .letter, .legal, .postcard: rawValue
        case .photo4x6: "kg"
        case .photoL: "l"
        case .photo5x7: "2l"
        }
    }

    package var epsonV1: String { "ms_" + epsonName }
    package var epsonV2: String { "ps_" + epsonName }

    package init?(epsonV1 name: String) {
        guard let paper = Self.allCases.first(where: { $0.epsonV1 == name }) else { return nil }
        self = paper
    }

    package init?(epsonV2 name: String) {
        guard let paper = Self.allCases.first(where: { $0.epsonV2 == name }) else { return nil }
        self = paper
    }

    /// The paper of this size, however the printer calls it.
    package init?(_ size: PaperSize) {
        guard let paper = Self.allCases.first(where: { $0.size.isAsLarge(as: size) }) else { return nil }
        self = paper
    }
}
