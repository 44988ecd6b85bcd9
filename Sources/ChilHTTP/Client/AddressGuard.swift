import ChilCore
package import ChilLoop

/// Which addresses an outbound request may reach: public ones, and what the operator allowed by host and port.
///
/// The client connects to the address that was checked here, so a name that changes between check and use (DNS rebinding)
/// gains nothing. Ranges: IANA's special-purpose registries (RFC 6890, RFC 8190).
package struct AddressGuard: Sendable {
    /// A host and port as written in the URL, lower case, that may resolve to a private address.
    package struct Exception: Hashable, Sendable {
        let host: String
        let port: UInt16

        package init(host: String, port: UInt16) {
            self.host = host.lowercased()
            self.port = port
        }

        /// `host:port` as an operator writes it, IPv6 in brackets.
        package init?(_ text: String) {
            guard let colon = text.lastIndex(of: ":"), let port = UInt16(decimal: text[text.index(after: colon)...])
            else {
                return nil
            }
            var host = text[..<colon]
            if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
            self.init(host: String(host), port: port)
        }
    }

    private let exceptions: Set<Exception>

    package init(allowing exceptions: Set<Exception> = []) {
        self.exceptions = exceptions
    }

    /// Whether the operator's word lets this URL's host be at any address.
    package func makesException(for url: HTTPURL) -> Bool {
        exceptions.contains(Exception(host: url.host, port: url.port))
    }

    package func allows(_ address: SocketAddress, for host: String) -> Bool {
        exceptions.contains(Exception(host: host, port: address.port)) || Self.isPublic(address)
    }

    package static func isPublic(_ address: SocketAddress) -> Bool {
        switch address.family {
        case .ipv4: isPublic(ipv4: address.octets[...])
        case .ipv6: isPublic(ipv6: address.octets)
        }
    }

    private static func isPublic(ipv4 octets: ArraySlice<UInt8>) -> Bool {
        let value = octets.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return !refusedIPv4.contains { network, length in
            value >> (32 - length) == network >> (32 - length)
        }
    }

    private static func isPublic(ipv6 octets: [UInt8]) -> Bool {
        // Addresses that carry an IPv4 address are as public as that one.
        if octets[..<10].allSatisfy({ $0 == 0 }), octets[10] == 0xff, octets[11] == 0xff {
            return isPublic(ipv4: octets[12...])
        }
        if octets[0] == 0x00, octets[1] == 0x64, octets[2] == 0xff, octets[3] == 0x9b {
            return octets[4..<12].allSatisfy { $0 == 0 } && isPublic(ipv4: octets[12...])
        }
        if octets[0] == 0x20, octets[1] == 0x02 { return isPublic(ipv4: octets[2..<6]) }
        // Global unicast is 2000::/3; Teredo and the documentation ranges lie inside it.
        guard octets[0] & 0xe0 == 0x20 else { return false }
        let isTeredoOrSpecial = octets[0] == 0x20 && octets[1] == 0x01 && octets[2] < 0x02
        let isDocumentation = octets[..<4] == [0x20, 0x01, 0x0d, 0xb8] || (octets[0] == 0x3f && octets[1] == 0xff)
        return !isTeredoOrSpecial && !isDocumentation
    }

    private static let refusedIPv4: [(network: UInt32, length: UInt32)] = [
        (0x0000_0000, 8),  // this network
        (0x0a00_0000, 8),  // private
        (0x6440_0000, 10),  // shared (CGNAT)
        (0x7f00_0000, 8),  // loopback
        (0xa9fe_0000, 16),  // link-local, cloud metadata
        (0xac10_0000, 12),  // private
        (0xc000_0000, 24),  // IETF protocol assignments
        (0xc000_0200, 24),  // documentation
        (0xc058_6300, 24),  // 6to4 relay
        (0xc0a8_0000, 16),  // private
        (0xc612_0000, 15),  // benchmarking
        (0xc633_6400, 24),  // documentation
        (0xcb00_7100, 24),  // documentation
        (0xe000_0000, 4),  // multicast
        (0xf000_0000, 4),  // reserved, broadcast
    ]
}
