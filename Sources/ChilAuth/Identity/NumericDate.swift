package import ChilCore

/// A `NumericDate` (RFC 7519 §2): seconds since 1970, also with a fraction or an exponent, as some issuers write it.
package enum NumericDate {
    /// 9999-12-31T23:59:59Z: nothing later fits a `Timestamp` surely, and nobody means it.
    package static let secondsMax: Int64 = 253_402_300_799

    /// The moment; nil for what is no number, negative, or out of range.
    package static func moment(_ value: JSONValue?) -> Timestamp? {
        guard let number = value?.number else { return nil }
        if let seconds = number.int64 {
            return 0...secondsMax ~= seconds ? Timestamp(seconds: seconds) : nil
        }
        guard let seconds = number.double, 0...Double(secondsMax) ~= seconds else { return nil }
        return Timestamp(microseconds: Int64((seconds * 1_000_000).rounded(.down)))
    }
}
