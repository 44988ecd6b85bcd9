/// A few pixels of a picture, red, green and blue by turns, a byte each.
package struct PixelSample: Sendable {
    package let width: Int
    package let height: Int
    package let bytes: [UInt8]

    init?(width: Int, height: Int, bytes: [UInt8]) {
        guard width > 0, height > 0, bytes.count == width * height * 3 else { return nil }
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// Netpbm's binary PPM (ppm(5)), 8 bits a sample, without comments: as GraphicsMagick writes it.
    init?(portablePixmap file: [UInt8]) {
        var numbers: [Int] = []
        var index = 2
        guard file.starts(with: Array("P6".utf8)) else { return nil }
        while numbers.count < 3 {
            while index < file.count, [0x20, 0x0A, 0x0D, 0x09].contains(file[index]) { index += 1 }
            let digits = file[min(index, file.count)...].prefix(6).prefix { (0x30...0x39).contains($0) }
            guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
            numbers.append(number)
            index += digits.count
        }
        guard numbers[2] == 255, index < file.count else { return nil }
        self.init(width: numbers[0], height: numbers[1], bytes: Array(file[(index + 1)...]))
    }
}
