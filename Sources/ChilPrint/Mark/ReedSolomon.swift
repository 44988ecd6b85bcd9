/// Error correction of QR codes (ISO/IEC 18004 §7.5): bytes as elements of GF(2⁸) by x⁸ + x⁴ + x³ + x² + 1.
enum ReedSolomon {
    /// The `count` codewords that belong behind `data`.
    static func check(_ data: some Sequence<UInt8>, count: Int) -> [UInt8] {
        let generator = generator(of: count)
        var rest = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for (index, coefficient) in generator.enumerated() { rest[index] ^= product(coefficient, factor) }
        }
        return rest
    }

    /// (x − α⁰)(x − α¹)…, without its leading 1.
    private static func generator(of count: Int) -> [UInt8] {
        var polynomial = [UInt8](repeating: 0, count: count)
        polynomial[count - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in 0..<count {
                polynomial[index] = product(polynomial[index], root)
                if index + 1 < count { polynomial[index] ^= polynomial[index + 1] }
            }
            root = product(root, 2)
        }
        return polynomial
    }

    static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result = 0
        for bit in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7) * 0x11D
            if right >> bit & 1 == 1 { result ^= Int(left) }
        }
        return UInt8(result)
    }
}
