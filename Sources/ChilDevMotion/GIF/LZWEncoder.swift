/// Packs pixels of eight bits as a GIF has them (GIF89a Appendix F): codes of 9 to 12 bits, the lowest bit first, in sub-blocks.
struct LZWEncoder {
    static let pixelBits = 8
    private static let clear = 1 << pixelBits
    private static let end = clear + 1
    private static let codesMax = 1 << 12
    private static let slots = 1 << 14

    private var output: [UInt8] = []
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var codeBits = pixelBits + 1
    private var nextCode = end + 1
    /// Codes by (code before, pixel), open addressing; -1: free.
    private var keys = [Int32](repeating: -1, count: slots)
    private var codes = [UInt16](repeating: 0, count: slots)

    /// All of it: minimum code size, sub-blocks, and the block that ends them.
    static func packed(_ pixels: [UInt8]) -> [UInt8] {
        var encoder = Self()
        encoder.add(pixels)
        var data: [UInt8] = [UInt8(pixelBits)]
        data.reserveCapacity(encoder.output.count + encoder.output.count / 255 + 3)
        for start in stride(from: 0, to: encoder.output.count, by: 255) {
            let block = encoder.output[start..<min(start + 255, encoder.output.count)]
            data.append(UInt8(block.count))
            data += block
        }
        data.append(0)
        return data
    }

    private mutating func add(_ pixels: [UInt8]) {
        write(Self.clear)
        guard var code = pixels.first.map({ Int($0) }) else {
            write(Self.end)
            flush()
            return
        }
        for pixel in pixels.dropFirst() {
            let key = Int32(code << 8 | Int(pixel))
            var slot = (code << 4 ^ Int(pixel) &* 0x9e5) & (Self.slots - 1)
            while keys[slot] != -1, keys[slot] != key { slot = (slot + 1) & (Self.slots - 1) }
            if keys[slot] == key {
                code = Int(codes[slot])
                continue
            }
            write(code)
            if nextCode < Self.codesMax {
                keys[slot] = key
                codes[slot] = UInt16(nextCode)
                // A reader learns a code one later than the writer: it widens when this one is used.
                if nextCode == 1 << codeBits { codeBits += 1 }
                nextCode += 1
            } else {
                write(Self.clear)
                keys = [Int32](repeating: -1, count: Self.slots)
                codeBits = Self.pixelBits + 1
                nextCode = Self.end + 1
            }
            code = Int(pixel)
        }
        write(code)
        if nextCode == 1 << codeBits, codeBits < 12 { codeBits += 1 }
        write(Self.end)
        flush()
    }

    private mutating func write(_ code: Int) {
        bits |= UInt32(code) << bitCount
        bitCount += codeBits
        while bitCount >= 8 {
            output.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }

    private mutating func flush() {
        if bitCount > 0 { output.append(UInt8(truncatingIfNeeded: bits)) }
    }
}
