import ChilCore

/// Pictures that the terminal paints itself.
enum TerminalPicture {
    /// Takes away what kitty's protocol painted; others swallow it.
    static let clearing = "\u{1B}_Ga=d,q=2\u{1B}\\"

    /// kitty's graphics protocol: RGB in pieces of at most 4096 letters, scaled into so many cells.
    static func kitty(_ picture: Picture, columns: Int, rows: Int) -> [UInt8] {
        let letters = Base64.encode(picture.bytes)
        var bytes: [UInt8] = []
        var first = 0
        while first < letters.count {
            let last = min(first + 4_096, letters.count)
            let head =
                first == 0
                ? "a=T,f=24,s=\(picture.width),v=\(picture.height),c=\(columns),r=\(rows),C=1,q=2," : ""
            bytes += "\u{1B}_G\(head)m=\(last < letters.count ? 1 : 0);".utf8
            bytes += letters[first..<last]
            bytes += "\u{1B}\\".utf8
            first = last
        }
        return bytes
    }

    /// Sixels (DEC STD 070): six rows at a time, by the colours of a 6 × 6 × 6 cube.
    static func sixel(_ picture: Picture, width: Int, height: Int) -> [UInt8] {
        var bytes = Array("\u{1B}P0;1q\"1;1;\(width);\(height)".utf8)
        let colours = (0..<height).flatMap { y in
            (0..<width).map { x in cube(picture[x * picture.width / width, y * picture.height / height]) }
        }
        for colour in Set(colours).sorted() {
            let (red, green, blue) = (colour / 36, colour / 6 % 6, colour % 6)
            bytes += "#\(colour);2;\(red * 20);\(green * 20);\(blue * 20)".utf8
        }
        for top in stride(from: 0, to: height, by: 6) {
            let band = min(6, height - top)
            for colour in Set(colours[top * width..<(top + band) * width]).sorted() {
                bytes += "#\(colour)".utf8
                bytes += run(
                    (0..<width).map { x in
                        (0..<band).reduce(UInt8(0)) { bits, y in
                            colours[(top + y) * width + x] == colour ? bits | 1 << UInt8(y) : bits
                        }
                    }
                )
                bytes.append(UInt8(ascii: "$"))
            }
            bytes.append(UInt8(ascii: "-"))
        }
        return bytes + "\u{1B}\\".utf8
    }

    /// The same again is written once with its number.
    private static func run(_ sixels: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var index = 0
        while index < sixels.count {
            var end = index + 1
            while end < sixels.count, sixels[end] == sixels[index] { end += 1 }
            if end - index > 3 { bytes += "!\(end - index)".utf8 }
            bytes += Array(repeating: sixels[index] + 63, count: end - index > 3 ? 1 : end - index)
            index = end
        }
        return bytes
    }

    private static func cube(_ colour: RGB) -> Int {
        func step(_ value: UInt8) -> Int { (Int(value) * 5 + 127) / 255 }
        return 36 * step(colour.red) + 6 * step(colour.green) + step(colour.blue)
    }
}
