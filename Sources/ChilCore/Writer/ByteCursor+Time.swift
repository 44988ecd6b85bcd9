extension ByteCursor {
    /// Bytes of a moment, the quotation marks not among them.
    package static let rfc3339Bytes = 24

    /// RFC 3339 in UTC with milliseconds, as `2026-11-30T06:10:13.123Z`; years beyond 0000–9999 are held at their end.
    package mutating func append(rfc3339 moment: Timestamp) {
        let held = min(max(moment.microseconds, Self.firstMicrosecond), Self.lastMicrosecond)
        let milliseconds = Int(held >= 0 ? held / 1_000 : (held - 999) / 1_000)
        let days = (milliseconds >= 0 ? milliseconds : milliseconds - 86_399_999) / 86_400_000
        let ofDay = milliseconds - days * 86_400_000
        let date = CivilDate(daysSince1970: days)
        let out = take(Self.rfc3339Bytes)
        // What stands between the digits comes with it, and the digits are put over it.
        let pattern: StaticString = "0000-00-00T00:00:00.000Z"
        out.copyMemory(from: pattern.utf8Start, byteCount: Self.rfc3339Bytes)
        Self.put(date.year / 100, out)
        Self.put(date.year % 100, out + 2)
        Self.put(date.month, out + 5)
        Self.put(date.day, out + 8)
        Self.put(ofDay / 3_600_000, out + 11)
        Self.put(ofDay / 60_000 % 60, out + 14)
        Self.put(ofDay / 1_000 % 60, out + 17)
        out.storeBytes(
            of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: ofDay / 100 % 10),
            toByteOffset: 20,
            as: UInt8.self
        )
        Self.put(ofDay % 100, out + 21)
    }

    /// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59.999999Z.
    private static let firstMicrosecond: Int64 = -62_167_219_200_000_000
    private static let lastMicrosecond: Int64 = 253_402_300_799_999_999
}
