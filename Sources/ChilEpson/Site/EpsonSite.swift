package import ChilCrypto
package import ChilHTTP

/// The two Epson Connect APIs, which have nothing in common but what they do.
package enum EpsonGeneration: String, Sendable, CaseIterable {
    /// By the printer's address at Epson: whoever knows it and has a client's secret may print.
    case v1
    /// By its owner's permission (OAuth): the token is the printer.
    case v2
}

/// Where Epson Connect is, and who asks it.
package struct EpsonSite: Sendable {
    /// Epson's own servers.
    package static let usualAPI = "https://api.epsonconnect.com"
    package static let usualAuth = "https://auth.epsonconnect.com"
    package static let usualUpload = "https://upload.epsonconnect.com"

    package let generation: EpsonGeneration
    package let api: HTTPURL
    /// Where permission is given, in generation 2.
    package let auth: HTTPURL
    /// Where pages are uploaded. The service names the place in each answer; only this one may be private.
    package let upload: HTTPURL
    /// Whether the three may be without TLS and at addresses that are not public: a simulator.
    package let isPrivate: Bool
    package let clientID: String
    package let clientSecret: SecretBytes
    /// Of generation 2.
    package let apiKey: SecretBytes?
    /// The printer's own, of generation 1.
    package let address: String?
    package var patience = EpsonPatience()

    package init(
        _ generation: EpsonGeneration,
        api: HTTPURL,
        auth: HTTPURL,
        upload: HTTPURL,
        isPrivate: Bool,
        clientID: String,
        clientSecret: SecretBytes,
        apiKey: SecretBytes? = nil,
        address: String? = nil
    ) {
        self.generation = generation
        self.api = api
        self.auth = auth
        self.upload = upload
        self.isPrivate = isPrivate
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.apiKey = apiKey
        self.address = address
    }

    /// What may be reached at the service itself.
    var guarding: AddressGuard {
        AddressGuard(allowing: isPrivate ? [Self.exception(api), Self.exception(auth)] : [])
    }

    /// What may be reached to upload a page: an answer names the place, and an answer does not get the operator's word, but for the
    /// place that the operator has named. `nil`: nobody is sent a page there.
    func guardingUpload(to url: HTTPURL) -> AddressGuard? {
        let isNamed = url.host == upload.host && url.port == upload.port && url.isSecure == upload.isSecure
        guard url.isSecure || (isNamed && isPrivate) else { return nil }
        return AddressGuard(allowing: isNamed && isPrivate ? [Self.exception(upload)] : [])
    }

    private static func exception(_ url: HTTPURL) -> AddressGuard.Exception {
        AddressGuard.Exception(host: url.host, port: url.port)
    }

    /// A URL of the service; `nil`: the path is none.
    static func url(_ base: HTTPURL, _ path: String) -> HTTPURL? {
        HTTPURL("\(base.isSecure ? "https" : "http")://\(base.authority)\(path)")
    }
}
