extension ByteWriter {
    /// RFC 3339 in UTC with milliseconds, as `2026-11-30T06:10:13.123Z`; years beyond 0000–9999 are held at their end.
    package mutating func append(rfc3339 moment: Timestamp) {
        let held = min(max(moment.microseconds, Self.firstMicrosecond), Self.lastMicrosecond)
        let milliseconds = Int(held >= 0 ? held / 1_000 : (held - 999) / 1_000)
        let days = (milliseconds >= 0 ? milliseconds : milliseconds - 86_399_999) / 86_400_000
        let ofDay = milliseconds - days * 86_400_000
        let date = CivilDate(daysSince1970: days)
        fill(24) { out in
            Self.put(date.year / 100, out, 0)
            Self.put(date.year % 100, out, 2)
            out[4] = UInt8(ascii: "-")
            Self.put(date.month, out, 5)
            out[7] = UInt8(ascii: "-")
            Self.put(date.day, out, 8)
            out[10] = UInt8(ascii: "T")
            Self.put(ofDay / 3_600_000, out, 11)
            out[13] = UInt8(ascii: ":")
            Self.put(ofDay / 60_000 % 60, out, 14)
            out[16] = UInt8(ascii: ":")
            Self.put(ofDay / 1_000 % 60, out, 17)
            out[19] = UInt8(ascii: ".")
            out[20] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: ofDay / 100 % 10)
            Self.put(ofDay % 100, out, 21)
            out[23] = UInt8(ascii: "Z")
        }
    }

    /// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59.999999Z.
    private static let firstMicrosecond: Int64 = -62_167_219_200_000_000
    private static let lastMicrosecond: Int64 = 253_402_300_799_999_999

    @inline(__always)
    private static func put(_ number: Int, _ out: UnsafeMutablePointer<UInt8>, _ at: Int) {
        out[at] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / 10)
        out[at + 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
    }
}
