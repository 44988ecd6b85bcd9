import ChilLoop

/// An IP address without a port, in 128 bits: IPv4 as `::ffff:a.b.c.d` (RFC 4291 §2.5.5.2), however it was written.
struct NetworkAddress: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(_ address: SocketAddress) {
        func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        switch address.family {
        case .ipv4: self.init(high: 0, low: Self.mapped | number(address.octets))
        case .ipv6: self.init(high: number(address.octets.prefix(8)), low: number(address.octets.suffix(8)))
        }
    }

    /// Numeric, without brackets, port or zone.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.textBytesMax, !text.utf8.contains(UInt8(ascii: "[")),
            let address = SocketAddress(numericHost: String(text), port: 0)
        else { return nil }
        self.init(address)
    }

    var isIPv4: Bool { high == 0 && low & ~0xffff_ffff == Self.mapped }

    /// What one subscriber has: the IPv4 address, or the /64 of an IPv6 one.
    var network: NetworkAddress { isIPv4 ? self : NetworkAddress(high: high, low: 0) }

    /// What one site may have at most: the /48 of an IPv6 address (RFC 6177 §2). Of an IPv4 address: nothing.
    var site: NetworkAddress? { isIPv4 ? nil : NetworkAddress(high: high & ~0xffff, low: 0) }

    /// As inet_ntop(3) writes it.
    var text: String {
        var octets: [UInt8] = []
        if isIPv4 {
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: low).bigEndian) { octets.append(contentsOf: $0) }
            return SocketAddress(family: .ipv4, octets: octets, port: 0).host
        }
        for word in [high, low] { withUnsafeBytes(of: word.bigEndian) { octets.append(contentsOf: $0) } }
        return SocketAddress(family: .ipv6, octets: octets, port: 0).host
    }

    private static let mapped: UInt64 = 0xffff_0000_0000
    private static let textBytesMax = 45
}
