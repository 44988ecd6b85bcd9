package import ChilHTTP
import ChilLoop

/// Where webhooks may be sent: checked when an endpoint is set up, and again by the address guard whenever something is sent.
package enum WebhookAddress {
    /// Why an address is not taken.
    package enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        case notAURL
        case notEncrypted
        case disguisedAddress(String)
        case privateAddress(String)

        package var description: String {
            switch self {
            case .notAURL:
                "it is no https:// URL without user name and fragment: give one like https://hooks.example/chil"
            case .notEncrypted:
                "it is not https://: give an https:// URL, or allow its host and port as a private endpoint"
            case .disguisedAddress(let host): "'\(host)' is an address in disguise: write it as a.b.c.d, or give a name"
            case .privateAddress(let host):
                "'\(host)' is not a public address: allow its host and port if that is meant"
            }
        }
    }

    /// - Parameter exception: what the operator allowed for this endpoint.
    package static func url(_ text: String, allowing exception: AddressGuard.Exception?) throws(Fault) -> HTTPURL {
        guard let url = HTTPURL(text) else { throw .notAURL }
        let guarding = AddressGuard(allowing: exception.map { [$0] } ?? [])
        let isException = guarding.makesException(for: url)
        guard url.isSecure || isException else { throw .notEncrypted }
        if let address = SocketAddress(numericHost: url.host, port: url.port) {
            guard guarding.allows(address, for: url.host) else { throw .privateAddress(url.host) }
        } else if endsInNumber(url.host) {
            throw .disguisedAddress(url.host)
        }
        return url
    }

    /// Whether getaddrinfo(3) would read the name as an IPv4 address (`0x7f.1`, `2130706433`): WHATWG URL, "ends in a number".
    private static func endsInNumber(_ host: String) -> Bool {
        guard let last = host.split(separator: ".").last else { return true }
        if last.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return true }
        guard last.hasPrefix("0x") else { return false }
        return last.dropFirst(2).utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
    }
}
