package import ChilHTTP
import ChilLoop

/// Where an operator says that Epson Connect is.
package enum EpsonAddress {
    package enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        case notAnOrigin
        case notEncrypted
        case notPublic(String)

        package var description: String {
            switch self {
            case .notAnOrigin: "it is no https:// address without a path: give one like https://api.epsonconnect.com"
            case .notEncrypted: "it is not https://: that is for a simulator, with --allow-private"
            case .notPublic(let host):
                "'\(host)' is not a public address: that is for a simulator, with --allow-private"
            }
        }
    }

    package static func origin(_ text: String, isPrivate: Bool) throws(Fault) -> HTTPURL {
        guard let url = HTTPURL(text), url.target == "/" else { throw .notAnOrigin }
        if isPrivate { return url }
        guard url.isSecure else { throw .notEncrypted }
        if let address = SocketAddress(numericHost: url.host, port: url.port), !AddressGuard.isPublic(address) {
            throw .notPublic(url.host)
        }
        return url
    }
}
