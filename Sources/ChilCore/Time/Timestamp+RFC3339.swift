extension Timestamp {
    /// The moment that an RFC 3339 date-time names; nil for anything else.
    ///
    /// Taken: `T` and `Z` in either case, one to nine digits of a second's fraction (cut to microseconds), an offset up
    /// to ±23:59. Not taken: a leap second, which POSIX time cannot say.
    package init?(rfc3339 text: String) {
        var text = text
        guard let moment = text.withUTF8({ Self.rfc3339(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = moment
    }

    private static func rfc3339(_ raw: UnsafeRawBufferPointer) -> Timestamp? {
        guard raw.count >= 20, raw.count <= 35,
            raw[4] == UInt8(ascii: "-"), raw[7] == UInt8(ascii: "-"), raw[10] | 0x20 == UInt8(ascii: "t"),
            raw[13] == UInt8(ascii: ":"), raw[16] == UInt8(ascii: ":"),
            let year = number(raw, 0, 4), let month = number(raw, 5, 2), let day = number(raw, 8, 2),
            let hour = number(raw, 11, 2), let minute = number(raw, 14, 2), let second = number(raw, 17, 2),
            hour < 24, minute < 60, second < 60, let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        var at = 19
        var fraction = 0
        if raw[at] == UInt8(ascii: ".") {
            at += 1
            let first = at
            var scale = 100_000
            while at < raw.count, let digit = number(raw, at, 1) {
                fraction += digit * scale
                scale /= 10
                at += 1
            }
            guard 1...9 ~= at - first else { return nil }
        }
        guard let offset = offsetSeconds(raw, at) else { return nil }
        let seconds = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second - offset
        return Timestamp(microseconds: Int64(seconds) * 1_000_000 + Int64(fraction))
    }

    private static func offsetSeconds(_ raw: UnsafeRawBufferPointer, _ at: Int) -> Int? {
        guard at < raw.count else { return nil }
        if raw[at] | 0x20 == UInt8(ascii: "z") { return raw.count == at + 1 ? 0 : nil }
        guard raw.count == at + 6, raw[at + 3] == UInt8(ascii: ":"), let hour = number(raw, at + 1, 2),
            let minute = number(raw, at + 4, 2), hour < 24, minute < 60
        else { return nil }
        let seconds = hour * 3_600 + minute * 60
        switch raw[at] {
        case UInt8(ascii: "+"): return seconds
        case UInt8(ascii: "-"): return -seconds
        default: return nil
        }
    }

    /// `count` digits from `at` on; the caller has checked that so many bytes are there.
    private static func number(_ raw: UnsafeRawBufferPointer, _ at: Int, _ count: Int) -> Int? {
        var value = 0
        for index in at..<at + count {
            let digit = raw[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with milliseconds.
    package var description: String {
        var writer = ByteWriter(capacity: 24)
        writer.append(rfc3339: self)
        return writer.text
    }
}
