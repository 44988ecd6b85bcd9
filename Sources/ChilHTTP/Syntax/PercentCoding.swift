/// Percent-encoding (RFC 3986 §2.1).
package enum PercentCoding {
    /// Whether each `%` is followed by two hexadecimal digits.
    static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            if bytes[index] == ASCII.percent {
                guard index + 2 < bytes.count else { return false }
                guard ASCII.hexValue(bytes[index + 1]) != nil, ASCII.hexValue(bytes[index + 2]) != nil else {
                    return false
                }
                index += 3
            } else {
                index += 1
            }
        }
        return true
    }

    /// The bytes meant, or nil if a `%` is not followed by two hexadecimal digits.
    ///
    /// - Parameter plusIsSpace: as in a form's body (`application/x-www-form-urlencoded`); in a path and a query a plus is a plus.
    package static func decode(_ bytes: UnsafeRawBufferPointer, plusIsSpace: Bool = false) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == ASCII.percent {
                guard index + 2 < bytes.count, let high = ASCII.hexValue(bytes[index + 1]),
                    let low = ASCII.hexValue(bytes[index + 2])
                else { return nil }
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(byte == ASCII.plus && plusIsSpace ? ASCII.space : byte)
                index += 1
            }
        }
        return decoded
    }

    package static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        bytes.withUnsafeBytes { decode($0, plusIsSpace: plusIsSpace) }
    }

    /// Encodes all but RFC 3986's unreserved characters, so that the result may stand in a path segment or a query value.
    package static func encode(_ text: String) -> String {
        var encoded: [UInt8] = []
        encode(text.utf8, into: &encoded)
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Adds the bytes, so encoded, to what is there.
    package static func encode(_ bytes: some Sequence<UInt8>, into encoded: inout [UInt8]) {
        for byte in bytes {
            if ASCII.isDigit(byte) || (byte | 0x20) &- 0x61 < 26 || "-._~".utf8.contains(byte) {
                encoded.append(byte)
            } else {
                encoded.append(ASCII.percent)
                encoded.append(upperHex(byte >> 4))
                encoded.append(upperHex(byte & 15))
            }
        }
    }

    private static func upperHex(_ value: UInt8) -> UInt8 { value < 10 ? ASCII.zero + value : 0x41 + value - 10 }
}
