package import ChilPrint

/// How a page is printed: everything is said, for the generations differ in what they take for granted.
package struct EpsonPrintSettings: Hashable, Sendable {
    /// Without `ms_` and `ps_`.
    package let size: String
    /// Without `mt_` and `pt_`.
    package let type: String
    package let quality: String
    package let source: String
    package let colorMode: String

    /// The best that the printer says it can do on that paper. `nil`: the service has no name for the paper, or the printer does not take it.
    package init?(for paper: PaperSize, _ capability: EpsonCapability?) {
        guard let name = EpsonMedia.epson(paper.keyword) else { return nil }
        size = name
        guard let capability, !capability.sizes.isEmpty else {
            (type, quality, source, colorMode) = ("plainpaper", "normal", "auto", "color")
            return
        }
        guard let offered = capability.sizes.first(where: { $0.size == name }) else { return nil }
        let stock = offered.papers.first { $0.type == "plainpaper" } ?? offered.papers.first
        type = stock?.type ?? "plainpaper"
        quality = Self.pick("normal", of: stock?.qualities)
        source = Self.pick("auto", of: stock?.sources)
        colorMode = Self.pick("color", of: capability.colorModes)
    }

    private static func pick(_ wish: String, of offer: [String]?) -> String {
        guard let offer, !offer.isEmpty, !offer.contains(wish) else { return wish }
        return offer[0]
    }

    /// Copies are pages, and must not land on each other's back.
    func v1(named name: String) -> [UInt8] {
        EpsonText.json([
            ("job_name", .text(name)), ("print_mode", .text("document")),
            (
                "print_setting",
                .object([
                    ("media_size", .text("ms_\(size)")), ("media_type", .text("mt_\(type)")),
                    ("borderless", .flag(false)), ("print_quality", .text(quality)), ("source", .text(source)),
                    ("color_mode", .text(colorMode)), ("2_sided", .text("none")), ("reverse_order", .flag(false)),
                    ("copies", .number(1)), ("collate", .flag(true)),
                ])
            ),
        ])
    }

    func v2(named name: String) -> [UInt8] {
        EpsonText.json([
            ("jobName", .text(name)), ("printMode", .text("document")),
            (
                "printSettings",
                .object([
                    ("paperSize", .text("ps_\(size)")), ("paperType", .text("pt_\(type)")),
                    ("borderless", .flag(false)), ("printQuality", .text(quality)), ("paperSource", .text(source)),
                    ("colorMode", .text(colorMode)), ("doubleSided", .text("none")), ("reverseOrder", .flag(false)),
                    ("copies", .number(1)), ("collate", .flag(true)),
                ])
            ),
        ])
    }
}
