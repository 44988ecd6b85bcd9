import ChilCrypto

/// A body of `application/x-www-form-urlencoded`: all but RFC 3986's unreserved characters are percent-encoded.
struct FormBody {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ name: StaticString, _ value: String) {
        append(name, Array(value.utf8))
    }

    mutating func append(_ name: StaticString, _ value: SecretBytes) {
        append(name, value.copy())
    }

    mutating func append(_ name: StaticString, _ value: [UInt8]) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "="))
        for byte in value {
            if Self.isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), Self.digit(byte >> 4), Self.digit(byte & 15)]
            }
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }
}
