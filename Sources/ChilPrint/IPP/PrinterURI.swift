/// Where a printer listens (RFC 3510 `ipp`, RFC 7472 `ipps`).
package struct PrinterURI: Hashable, Sendable, CustomStringConvertible {
    package enum Refusal: String, Error, Hashable, Sendable {
        case empty = "Write the printer's address as ipp://host/ipp/print."
        case tooLong = "The address is longer than the 1,023 bytes of IPP; use a shorter one."
        case wrongScheme = "The address must begin with ipp:// or ipps://; use one of them instead of http or a socket."
        case credentials = "An address must not hold a user or a password; remove what is before the @."
        case host = "The host is missing or is no name or address; write ipp://host/ipp/print."
        case port = "The port must be a number from 1 to 65535; correct it or leave it out."
        case path = "The path may hold only the characters of a URI, without ? and #; correct it or leave it out."

        package var sentence: String { rawValue }
    }

    package static let byteCountMax = 1_023
    package static let standardPort = 631
    /// The resource of every IPP Everywhere printer (PWG 5100.14 §4.2), for an address without a path.
    package static let standardPath = "/ipp/print"

    package let isSecure: Bool
    /// Without brackets if it is an IPv6 address.
    package let host: String
    package let port: Int
    package let path: String
    private let isLiteralV6: Bool

    package init(_ text: String) throws(Refusal) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Self.byteCountMax else { throw .tooLong }
        let lowered = text.lowercased()
        if lowered.hasPrefix("ipps://") {
            isSecure = true
        } else if lowered.hasPrefix("ipp://") {
            isSecure = false
        } else {
            throw .wrongScheme
        }
        let rest = text.utf8.dropFirst(isSecure ? 7 : 6)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        if authority.contains(UInt8(ascii: "@")) { throw .credentials }

        let afterHost: Substring.UTF8View
        if authority.first == UInt8(ascii: "[") {
            let inside = authority.dropFirst().prefix { $0 != UInt8(ascii: "]") }
            afterHost = authority.dropFirst(inside.count + 1)
            guard afterHost.first == UInt8(ascii: "]"), Self.isV6(inside) else { throw .host }
            host = String(decoding: inside, as: UTF8.self).lowercased()
            isLiteralV6 = true
        } else {
            let inside = authority.prefix { $0 != UInt8(ascii: ":") }
            afterHost = authority.dropFirst(inside.count)
            guard Self.isName(inside) else { throw .host }
            host = String(decoding: inside, as: UTF8.self).lowercased()
            isLiteralV6 = false
        }
        port = try Self.port(afterHost.drop { $0 == UInt8(ascii: "]") })

        let path = rest.dropFirst(authority.count)
        guard Self.isPath(path) else { throw .path }
        self.path = path.isEmpty ? Self.standardPath : String(decoding: path, as: UTF8.self)
    }

    /// The form that is sent as `printer-uri`; the port is named unless it is the standard one.
    package var description: String {
        let shown = isLiteralV6 ? "[\(host)]" : host
        return "\(isSecure ? "ipps" : "ipp")://\(shown)\(port == Self.standardPort ? "" : ":\(port)")\(path)"
    }

    private static func port(_ text: Substring.UTF8View) throws(Refusal) -> Int {
        guard let colon = text.first else { return standardPort }
        let digits = text.dropFirst()
        guard colon == UInt8(ascii: ":"), (1...5).contains(digits.count), digits.allSatisfy(isDigit),
            let port = Int(String(decoding: digits, as: UTF8.self)), (1...65_535).contains(port)
        else { throw .port }
        return port
    }

    private static func isName(_ host: Substring.UTF8View) -> Bool {
        (1...253).contains(host.count) && host.first != UInt8(ascii: "-")
            && host.allSatisfy {
                isDigit($0) || isLetter($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
                    || $0 == UInt8(ascii: "_")
            }
    }

    private static func isV6(_ host: Substring.UTF8View) -> Bool {
        (2...45).contains(host.count) && host.contains(UInt8(ascii: ":"))
            && host.allSatisfy { byte in
                isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
                    || byte == UInt8(ascii: ":")
                    || byte == UInt8(ascii: ".")
            }
    }

    /// RFC 3986 §3.3, with well-formed percent signs.
    private static func isPath(_ path: Substring.UTF8View) -> Bool {
        var hexDigitsDue = 0
        for byte in path {
            if hexDigitsDue > 0 {
                guard isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20) else {
                    return false
                }
                hexDigitsDue -= 1
            } else if byte == UInt8(ascii: "%") {
                hexDigitsDue = 2
            } else if !isDigit(byte) && !isLetter(byte) && !"/-._~!$&'()*+,;=:@".utf8.contains(byte) {
                return false
            }
        }
        return hexDigitsDue == 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
    private static func isLetter(_ byte: UInt8) -> Bool {
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
    }
}
