/// The 64 letters of RFC 4648 §4 or §5 and the way back; both forms share this machine.
struct Base64Alphabet: Sendable {
    private let letters: [UInt8]
    private let values: [UInt8]
    private let padded: Bool

    /// Marks a byte that is no letter.
    private static let notALetter: UInt8 = 0xFF

    init(letter62: UInt8, letter63: UInt8, padded: Bool) {
        var letters = Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))
        letters += Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
        letters += Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
        letters += [letter62, letter63]
        var values = [UInt8](repeating: Self.notALetter, count: 256)
        for (value, letter) in letters.enumerated() {
            values[Int(letter)] = UInt8(value)
        }
        self.letters = letters
        self.values = values
        self.padded = padded
    }

    func encodedCount(of count: Int) -> Int {
        padded ? (count + 2) / 3 * 4 : (count * 4 + 2) / 3
    }

    func encode(_ raw: UnsafeRawBufferPointer) -> [UInt8] {
        var text: [UInt8] = []
        append(raw, to: &text)
        return text
    }

    /// Adds the letters of `raw` to a text.
    func append(_ raw: UnsafeRawBufferPointer, to text: inout [UInt8]) {
        let size = encodedCount(of: raw.count)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { out in
            letters.withUnsafeBufferPointer { letters in
                var source = 0
                var target = 0
                while source + 3 <= raw.count {
                    let group = UInt32(raw[source]) << 16 | UInt32(raw[source + 1]) << 8 | UInt32(raw[source + 2])
                    out[target] = letters[Int(group >> 18)]
                    out[target + 1] = letters[Int(group >> 12 & 63)]
                    out[target + 2] = letters[Int(group >> 6 & 63)]
                    out[target + 3] = letters[Int(group & 63)]
                    source += 3
                    target += 4
                }
                let rest = raw.count - source
                if rest > 0 {
                    let group = UInt32(raw[source]) << 16 | (rest == 2 ? UInt32(raw[source + 1]) << 8 : 0)
                    out[target] = letters[Int(group >> 18)]
                    out[target + 1] = letters[Int(group >> 12 & 63)]
                    target += 2
                    if rest == 2 {
                        out[target] = letters[Int(group >> 6 & 63)]
                        target += 1
                    }
                }
                while target < size {
                    out[target] = UInt8(ascii: "=")
                    target += 1
                }
            }
            text.append(contentsOf: out)
        }
    }

    /// Nothing but the one canonical text of some bytes is taken: a second spelling would be a second token.
    func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let letterCount = letterCount(of: text) else { return nil }
        let rest = letterCount % 4
        guard rest != 1 else { return nil }
        let size = letterCount / 4 * 3 + (rest == 0 ? 0 : rest - 1)
        var sound = true
        let decoded = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: size) { out in
            sound = values.withUnsafeBufferPointer { values in
                var seen: UInt8 = 0
                var source = 0
                var target = 0
                while source + 4 <= letterCount {
                    let a = values[Int(text[source])]
                    let b = values[Int(text[source + 1])]
                    let c = values[Int(text[source + 2])]
                    let d = values[Int(text[source + 3])]
                    seen |= a | b | c | d
                    let group = UInt32(a) << 18 | UInt32(b) << 12 | UInt32(c) << 6 | UInt32(d)
                    out[target] = UInt8(truncatingIfNeeded: group >> 16)
                    out[target + 1] = UInt8(truncatingIfNeeded: group >> 8)
                    out[target + 2] = UInt8(truncatingIfNeeded: group)
                    source += 4
                    target += 3
                }
                guard rest > 0 else { return seen < 64 }
                let a = values[Int(text[source])]
                let b = values[Int(text[source + 1])]
                seen |= a | b
                out[target] = a << 2 | b >> 4
                if rest == 2 { return seen < 64 && b & 0x0F == 0 }
                let c = values[Int(text[source + 2])]
                seen |= c
                out[target + 1] = b << 4 | c >> 2
                return seen < 64 && c & 0x03 == 0
            }
            return sound ? [UInt8](out) : []
        }
        return sound ? decoded : nil
    }

    /// The letters without padding; nil if the padding is not exactly what the form wants.
    private func letterCount(of text: UnsafeRawBufferPointer) -> Int? {
        guard padded else { return text.count }
        guard text.count % 4 == 0 else { return nil }
        var count = text.count
        while count > 0, text.count - count < 2, text[count - 1] == UInt8(ascii: "=") {
            count -= 1
        }
        return count
    }
}
