import ChilHTTP

/// A host and a port: `127.0.0.1:8081`, `[::1]:8081`, `keys.example:443`.
struct HostPort: ArgumentValue, Hashable, Sendable {
    static let expectation = "HOST:PORT with a port from 1 to 65535, IPv6 in brackets"

    /// Without brackets, in lower case.
    let host: String
    let port: UInt16

    /// It is what may stand before the path of a URL, with its port.
    init?(argument: String) {
        let ending = argument.utf8.reversed().prefix { (0x30...0x39).contains($0) }.count
        let portMark = argument.utf8.dropLast(ending).last
        guard ending > 0, portMark == UInt8(ascii: ":"), !argument.utf8.contains(where: { $0 == 0x2F || $0 == 0x3F }),
            let url = HTTPURL("http://\(argument)/")
        else { return nil }
        host = url.host
        port = url.port
    }

    /// As it is written: IPv6 in brackets.
    var text: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
