/// What can be read and made. The names are GraphicsMagick's: a format is always said, never guessed from the bytes.
package enum RasterFormat: String, Hashable, Sendable, CaseIterable {
    case jpeg = "JPEG"
    case png = "PNG"

    package var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        }
    }

    package init?(mediaType: String) {
        guard let format = Self.allCases.first(where: { $0.mediaType == mediaType }) else { return nil }
        self = format
    }
}

/// A whole picture in memory. What comes from outside is judged before (`ImageProbe`): its magic, its size, its dimensions.
package struct RasterImage: Hashable, Sendable {
    package let bytes: [UInt8]
    package let format: RasterFormat

    package init(_ bytes: [UInt8], _ format: RasterFormat) {
        self.bytes = bytes
        self.format = format
    }
}
