extension ByteCursor {
    /// The longest integer: a sign and 19 digits.
    package static let decimalBytesMax = 20

    /// An integer in decimal.
    package mutating func append(decimal number: Int64) {
        if number < 0 { append(byte: UInt8(ascii: "-")) }
        var rest = number.magnitude
        var place = Self.digitCount(of: rest)
        let out = take(place)
        while rest >= 100 {
            let quotient = rest / 100
            place -= 2
            Self.put(Int(truncatingIfNeeded: rest &- quotient &* 100), out + place)
            rest = quotient
        }
        if rest >= 10 {
            Self.put(Int(truncatingIfNeeded: rest), out)
        } else {
            out.storeBytes(of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest), as: UInt8.self)
        }
    }

    /// Two digits of a number below 100.
    @inline(__always)
    static func put(_ number: Int, _ out: UnsafeMutableRawPointer) {
        let tens = number / 10
        let digits = UInt16(truncatingIfNeeded: tens) | UInt16(truncatingIfNeeded: number &- tens &* 10) << 8
        out.storeBytes(of: (digits | 0x3030).littleEndian, as: UInt16.self)
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
