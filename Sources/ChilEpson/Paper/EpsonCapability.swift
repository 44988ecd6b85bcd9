import ChilCore

/// What a printer can do with documents, as Epson Connect says it. Names are without `ms_`, `ps_`, `mt_` and `pt_`.
package struct EpsonCapability: Hashable, Sendable {
    package struct Paper: Hashable, Sendable {
        package let type: String
        package let sources: [String]
        package let qualities: [String]
    }

    package struct Size: Hashable, Sendable {
        package let size: String
        package let papers: [Paper]
    }

    package let colorModes: [String]
    package let sizes: [Size]

    package init(colorModes: [String], sizes: [Size]) {
        self.colorModes = colorModes
        self.sizes = sizes
    }

    init(v1 members: JSONObject) {
        self.init(
            colorModes: Self.words(members["color_modes"]),
            sizes: (members["media_sizes"]?.array ?? []).compactMap { entry in
                Self.size(entry.object, "media_size", "media_types", "media_type", "sources", "print_qualities")
            }
        )
    }

    init(v2 members: JSONObject) {
        self.init(
            colorModes: Self.words(members["colorModes"]),
            sizes: (members["paperSizes"]?.array ?? []).compactMap { entry in
                Self.size(entry.object, "paperSize", "paperTypes", "paperType", "paperSources", "printQualities")
            }
        )
    }

    /// PWG's names of the paper that is known here.
    package var media: [String] { sizes.compactMap { EpsonMedia.pwg("ms_\($0.size)") } }

    private static func size(
        _ members: JSONObject?,
        _ sizeName: String,
        _ typesName: String,
        _ typeName: String,
        _ sourcesName: String,
        _ qualitiesName: String
    ) -> Size? {
        guard let members, let size = members[sizeName]?.string else { return nil }
        let papers = (members[typesName]?.array ?? []).compactMap { entry -> Paper? in
            guard let paper = entry.object, let type = paper[typeName]?.string else { return nil }
            return Paper(
                type: bare(type),
                sources: words(paper[sourcesName]),
                qualities: words(paper[qualitiesName])
            )
        }
        return Size(size: bare(size), papers: papers)
    }

    private static func words(_ value: JSONValue?) -> [String] { (value?.array ?? []).compactMap(\.string) }

    private static func bare(_ name: String) -> String {
        ["ms_", "ps_", "mt_", "pt_"].contains { name.hasPrefix($0) } ? String(name.dropFirst(3)) : name
    }
}
