internal import CLinux
internal import Glibc

/// An IPv4 or IPv6 address with a port: what bind(2) and connect(2) take.
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    package enum Family: Sendable { case ipv4, ipv6 }

    package let family: Family
    /// Network byte order: 4 or 16 bytes.
    package let octets: [UInt8]
    package let port: UInt16

    package init(family: Family, octets: [UInt8], port: UInt16) {
        self.family = family
        self.octets = octets
        self.port = port
    }

    /// Reads a numeric address, IPv6 with or without brackets. `nil` when `host` is a name.
    package init?(numericHost host: String, port: UInt16) {
        var host = host
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, host, &four) == 1 {
            self.init(family: .ipv4, octets: withUnsafeBytes(of: &four) { [UInt8]($0) }, port: port)
        } else if inet_pton(AF_INET6, host, &six) == 1 {
            self.init(family: .ipv6, octets: withUnsafeBytes(of: &six) { [UInt8]($0) }, port: port)
        } else {
            return nil
        }
    }

    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let four = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
            self.init(
                family: .ipv4,
                octets: withUnsafeBytes(of: four.sin_addr) { [UInt8]($0) },
                port: UInt16(bigEndian: four.sin_port)
            )
        case AF_INET6:
            let six = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
            self.init(
                family: .ipv6,
                octets: withUnsafeBytes(of: six.sin6_addr) { [UInt8]($0) },
                port: UInt16(bigEndian: six.sin6_port)
            )
        default:
            return nil
        }
    }

    func withSockaddr<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        switch family {
        case .ipv4:
            var four = sockaddr_in()
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &four.sin_addr) { $0.copyBytes(from: octets) }
            return withUnsafePointer(to: &four) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        case .ipv6:
            var six = sockaddr_in6()
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &six.sin6_addr) { $0.copyBytes(from: octets) }
            return withUnsafePointer(to: &six) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
    }

    var domain: Int32 { family == .ipv4 ? AF_INET : AF_INET6 }

    /// The address without the port, as inet_ntop(3) writes it.
    package var host: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            let written = octets.withUnsafeBytes {
                inet_ntop(domain, $0.baseAddress, text.baseAddress!, socklen_t(text.count))
            }
            return written.map { String(cString: $0) } ?? ""
        }
    }

    package var description: String {
        family == .ipv4 ? "\(host):\(port)" : "[\(host)]:\(port)"
    }
}
