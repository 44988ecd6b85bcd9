import ChilCore
import ChilMediaTestSupport

/// Pictures that services might make.
enum Pages {
    /// Black lines on white, an eighth of the page.
    static let lineArt = page { column, row in column % 16 < 2 || row == 40 ? 0 : 255 }
    static let blank = page { _, _ in 255 }
    static let black = page { _, _ in 0 }
    static let solid = page { column, _ in column < 60 ? 0 : 255 }
    static let small = PNGMaker(width: 8, height: 8) { column, _ in [column % 2 * 255, 0, 0] }.file()

    static func page(_ side: Int = 96, _ grey: @escaping @Sendable (Int, Int) -> Int) -> [UInt8] {
        var maker = PNGMaker(width: side, height: side) { [grey($0, $1)] }
        maker.colourType = 0
        return maker.file()
    }

    static func base64(_ bytes: [UInt8]) -> String { String(decoding: Base64.encode(bytes), as: UTF8.self) }
}
