/// An absolute `http` or `https` URL (RFC 9110 §4.2): what this house sends requests to. No user name, no fragment.
package struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
    package let isSecure: Bool
    /// Lower case; an IPv6 address without its brackets.
    package let host: String
    package let port: UInt16
    /// Path and query, at least `/`.
    package let target: String

    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.bytesMax, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x5c && $0 != 0x23 })
        else {
            return nil
        }
        let rest: Substring
        if text.hasPrefix("https://") {
            isSecure = true
            rest = text.dropFirst(8)
        } else if text.hasPrefix("http://") {
            isSecure = false
            rest = text.dropFirst(7)
        } else {
            return nil
        }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.contains("@") else { return nil }
        var host = authority
        var port: UInt16 = isSecure ? 443 : 80
        let colonStart =
            authority.hasPrefix("[") ? authority.firstIndex(of: "]") ?? authority.startIndex : authority.startIndex
        if let colon = authority[colonStart...].lastIndex(of: ":") {
            let digits = authority[authority.index(after: colon)...]
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let given = UInt16(digits),
                given > 0
            else { return nil }
            port = given
            host = authority[..<colon]
        }
        if host.hasPrefix("[") {
            guard host.hasSuffix("]") else { return nil }
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ Self.isHostByte($0) }) else { return nil }
        self.host = host.lowercased()
        self.port = port
        let target = String(rest[end...])
        self.target = target.hasPrefix("/") ? target : "/" + target
    }

    /// The Host field's value: the port only if it is not the scheme's own.
    package var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    package var description: String { "\(isSecure ? "https" : "http")://\(authority)\(target)" }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x3a, 0x5f: true
        default: false
        }
    }

    private static let bytesMax = 2_048
}
