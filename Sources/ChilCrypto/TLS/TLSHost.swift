internal import Glibc

/// Whom the certificate must name: a DNS name or an address, never a pattern.
///
/// It is strict because OpenSSL isn't: an empty name switches the check off, one that begins with a dot matches every
/// sub-domain, and a C string ends at its first NUL (X509_check_host(3)).
enum TLSHost: Equatable {
    /// Without the root's dot. Goes into SNI too.
    case name(String)
    /// 4 or 16 bytes. An address is never sent as SNI (RFC 6066 §3).
    case address([UInt8])

    init(_ host: String) throws(TLSFault) {
        if let octets = Self.octets(of: host) {
            self = .address(octets)
            return
        }
        let bytes = Array(host.utf8)
        let name = bytes.last == Self.dot ? bytes.dropLast() : bytes[...]
        let labels = name.split(separator: Self.dot, omittingEmptySubsequences: false)
        guard name.count <= Self.nameBytesMax, labels.allSatisfy(Self.isLabel) else {
            throw TLSFault(code: .badHost, detail: "a host name or numeric address is wanted")
        }
        self = .name(String(decoding: name, as: UTF8.self))
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        !label.isEmpty && label.count <= labelBytesMax
            && label.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true  // 0-9 A-Z a-z - _
                default: false
                }
            }
    }

    private static func octets(of host: String) -> [UInt8]? {
        // inet_pton(3) reads a C string.
        guard !host.utf8.contains(0) else { return nil }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, host, &four) == 1 { return withUnsafeBytes(of: four) { [UInt8]($0) } }
        if inet_pton(AF_INET6, host, &six) == 1 { return withUnsafeBytes(of: six) { [UInt8]($0) } }
        return nil
    }

    private static let dot = UInt8(ascii: ".")
    /// RFC 1035 §2.3.4.
    private static let nameBytesMax = 253
    private static let labelBytesMax = 63
}
