import ChilHTTP

/// An issuer or a key set: `https://…`, or `http://…` for development.
struct WebAddress: ArgumentValue, Hashable, Sendable {
    static let byteCountMax = 500
    static let expectation = "an https:// address (http:// for development) without user, query or fragment"

    let text: String
    let isEncrypted: Bool

    init?(argument: String) {
        guard let url = HTTPURL(argument), argument.utf8.count <= Self.byteCountMax,
            !argument.utf8.contains(UInt8(ascii: "?"))
        else { return nil }
        text = argument
        isEncrypted = url.isSecure
    }
}
