import ChilCrypto
import ChilHTTP

/// A body of `application/x-www-form-urlencoded`: all but RFC 3986's unreserved characters are percent-encoded.
struct EpsonForm {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ name: StaticString, _ value: String) {
        append(name, Array(value.utf8))
    }

    mutating func append(_ name: StaticString, _ value: SecretBytes) {
        append(name, value.copy())
    }

    private mutating func append(_ name: StaticString, _ value: [UInt8]) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "="))
        PercentCoding.encode(value, into: &bytes)
    }
}
