import ChilHTTP

/// Which key set: its URL, and whether an operator's exception lets it come from a private address.
///
/// A set that was fetched by an exception serves only records that have it, and a record without it, whose fetches are refused,
/// holds nobody up.
struct KeySetName: Hashable, Sendable {
    let url: String
    let isException: Bool

    init(_ url: String, _ addressGuard: AddressGuard) {
        self.url = url
        isException = HTTPURL(url).map { addressGuard.makesException(for: $0) } ?? false
    }

    /// What may be reached for it: public addresses, or the URL's own host and port.
    var addressGuard: AddressGuard {
        guard isException, let parsed = HTTPURL(url) else { return AddressGuard() }
        return AddressGuard(allowing: [AddressGuard.Exception(host: parsed.host, port: parsed.port)])
    }
}
