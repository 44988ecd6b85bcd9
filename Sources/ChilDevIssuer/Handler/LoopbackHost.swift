package import ChilLoop

/// What is this machine itself and nothing else (RFC 6890, RFC 6761 §6.3).
package enum LoopbackHost {
    package static func contains(_ address: SocketAddress) -> Bool {
        switch address.family {
        case .ipv4: address.octets.first == 127
        case .ipv6: address.octets.dropLast().allSatisfy { $0 == 0 } && address.octets.last == 1
        }
    }

    /// A host as a URL or a Host field has it, without port and brackets.
    static func contains(_ host: String) -> Bool {
        if let address = SocketAddress(numericHost: host, port: 0) { return contains(address) }
        return host == "localhost" || host.hasSuffix(".localhost")
    }
}
