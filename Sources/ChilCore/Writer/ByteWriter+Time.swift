extension ByteWriter {
    /// RFC 3339 in UTC with milliseconds, as `2026-11-30T06:10:13.123Z`; years beyond 0000–9999 are held at their end.
    package mutating func append(rfc3339 moment: Timestamp) {
        append(atMost: ByteCursor.rfc3339Bytes) { $0.append(rfc3339: moment) }
    }
}
