extension ByteWriter {
    /// An integer in decimal.
    package mutating func append(decimal number: Int64) {
        if number < 0 { append(byte: UInt8(ascii: "-")) }
        var rest = number.magnitude
        let count = Self.digitCount(of: rest)
        fill(count) { out in
            var at = count - 1
            while at > 0 {
                let quotient = rest / 10
                out[at] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest &- quotient &* 10)
                rest = quotient
                at -= 1
            }
            out[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
        }
    }

    /// An integer in decimal.
    @inlinable
    package mutating func append(decimal number: Int) {
        append(decimal: Int64(number))
    }

    private static func digitCount(of number: UInt64) -> Int {
        var count = 1
        var rest = number
        while rest >= 10_000 {
            rest /= 10_000
            count += 4
        }
        if rest >= 1_000 { return count + 3 }
        if rest >= 100 { return count + 2 }
        return rest >= 10 ? count + 1 : count
    }
}
