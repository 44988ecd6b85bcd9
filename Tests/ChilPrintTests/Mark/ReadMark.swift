import ChilPrint
import Foundation

/// Reads a QR code with zbar: an independent reader of what was drawn.
enum ReadMark {
    /// - Parameter spot: row, column and side of modules that are painted black.
    static func text(of code: QRCode, spot: (Int, Int, Int)? = nil) throws -> String {
        let (zoom, quiet) = (4, 4)
        let side = (code.side + 2 * quiet) * zoom
        var map = Array("P5\n\(side) \(side)\n255\n".utf8)
        for y in 0..<side {
            for x in 0..<side {
                let (row, column) = (y / zoom - quiet, x / zoom - quiet)
                let isInside = (0..<code.side).contains(row) && (0..<code.side).contains(column)
                var isDark = isInside && code[row, column]
                if let (top, left, size) = spot, (top..<top + size).contains(row), (left..<left + size).contains(column)
                {
                    isDark = true
                }
                map.append(isDark ? 0 : 255)
            }
        }
        return try text(ofPicture: map, "pgm")
    }

    /// - Parameter ending: of a file's name, which says what it is.
    static func text(ofPicture picture: [UInt8], _ ending: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "chil-mark-\(UUID().uuidString).\(ending)"
        )
        try Data(picture).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try text(ofFile: file.path)
    }

    static func text(ofFile path: String) throws -> String {
        let talk = try RenderedPage.run(
            "zbarimg",
            ["--nodbus", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", path]
        )
        return talk.hasSuffix("\n") ? String(talk.dropLast()) : talk
    }
}
