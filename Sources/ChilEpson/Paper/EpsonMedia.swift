/// Paper as Epson Connect calls it, beside PWG's self-describing names (PWG 5101.1 §5).
package enum EpsonMedia {
    /// By the name behind `ms_` (generation 1) and `ps_` (generation 2).
    private static let names: [(epson: String, pwg: String)] = [
        ("a3", "iso_a3_297x420mm"), ("a4", "iso_a4_210x297mm"), ("a5", "iso_a5_148x210mm"), ("a6", "iso_a6_105x148mm"),
        ("b5", "jis_b5_182x257mm"), ("letter", "na_letter_8.5x11in"), ("legal", "na_legal_8.5x14in"),
        ("kg", "na_index-4x6_4x6in"), ("l", "oe_photo-l_3.5x5in"), ("2l", "na_5x7_5x7in"),
        ("postcard", "jpn_hagaki_100x148mm"),
    ]

    /// `nil`: no paper that is known here.
    package static func pwg(_ epson: String) -> String? {
        let name = epson.dropFirst(3)
        guard epson.hasPrefix("ms_") || epson.hasPrefix("ps_") else { return nil }
        return names.first { $0.epson == name }?.pwg
    }

    /// Without `ms_` or `ps_`; `nil`: the service has no name for it.
    package static func epson(_ pwg: String) -> String? {
        names.first { $0.pwg == pwg }?.epson
    }
}
