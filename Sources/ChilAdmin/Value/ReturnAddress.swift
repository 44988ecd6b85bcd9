import ChilHTTP

/// Where a browser is sent when the sign-in is done: a universal link, or an app's own scheme (`com.example.app://signed-in`).
///
/// A query is added to it, so it has none, and no fragment. Schemes that a browser acts on itself are refused.
struct ReturnAddress: ArgumentValue, Hashable, Sendable {
    static let byteCountMax = 500
    static let expectation =
        "https://… or an app's scheme://… without query and fragment (http:// for development)"

    let text: String
    /// nil: no web address.
    let isEncrypted: Bool?

    private static let refusedSchemes: Set<String> = [
        "about", "blob", "data", "file", "ftp", "javascript", "vbscript", "view-source", "ws", "wss",
    ]

    init?(argument: String) {
        guard (1...Self.byteCountMax).contains(argument.utf8.count),
            argument.utf8.allSatisfy({
                (0x21...0x7E).contains($0) && $0 != 0x3F && $0 != 0x23 && $0 != 0x22 && $0 != 0x5C
            })
        else { return nil }
        if argument.hasPrefix("https://") || argument.hasPrefix("http://") {
            guard let url = HTTPURL(argument) else { return nil }
            isEncrypted = url.isSecure
        } else {
            guard let colon = argument.utf8.firstIndex(of: 0x3A), argument[colon...].hasPrefix("://") else {
                return nil
            }
            let scheme = argument[..<colon]
            // RFC 3986 §3.1
            guard let first = scheme.utf8.first, (0x61...0x7A).contains(first),
                scheme.utf8.allSatisfy({
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
                }),
                scheme != "http", scheme != "https", !Self.refusedSchemes.contains(String(scheme))
            else { return nil }
            isEncrypted = nil
        }
        text = argument
    }
}
