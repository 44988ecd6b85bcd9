import ChilCore
package import ChilCrypto
package import ChilHTTP
package import ChilLoop

/// Gets tokens from Epson Connect. Not `Sendable`: it works on its loop.
package struct EpsonGranting {
    private static let tokenBytesMax = 8_192
    private static let lifetimeMax: Int64 = 86_400
    private static let usualLifetime: Int64 = 3_600

    private let site: EpsonSite
    private let wire: EpsonWire

    package init(_ site: EpsonSite, on loop: EventLoop) {
        self.site = site
        wire = EpsonWire(on: loop)
    }

    /// Where the owner of a printer gives permission. No PKCE: Epson's API has none.
    package static func authorizeURL(_ auth: HTTPURL, clientID: String, redirectURI: String, state: String) -> String {
        let query = [
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI), ("scope", "device"),
            ("state", state),
        ].map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
        return "\(auth.isSecure ? "https" : "http")://\(auth.authority)/auth/authorize?\(query)"
    }

    /// Generation 1: the printer's address is all that is asked for.
    package func password() async throws(EpsonFault) -> EpsonGrant {
        guard let address = site.address else { throw .misconfigured("The printer's address at Epson is missing.") }
        var form = EpsonForm()
        form.append("grant_type", "password")
        form.append("username", address)
        form.append("password", "")
        let grant = try await granted(form, at: site.api, "/api/1/printing/oauth2/auth/token?subject=printer")
        guard grant.deviceID != nil else { throw .answerLost("its answer has no subject_id") }
        return grant
    }

    /// Generation 2, after the owner gave permission: what the redirect brought.
    package func exchange(code: SecretBytes, redirectURI: String) async throws(EpsonFault) -> EpsonGrant {
        var form = EpsonForm()
        form.append("grant_type", "authorization_code")
        form.append("code", code)
        form.append("redirect_uri", redirectURI)
        form.append("client_id", site.clientID)
        let grant = try await granted(form, at: site.auth, "/auth/token")
        guard grant.refresh != nil else { throw .answerLost("its answer has no refresh_token") }
        return grant
    }

    /// Generation 2: the token that is shown is used up by this, whether the answer arrives or not.
    package func refreshed(_ token: SecretBytes) async throws(EpsonFault) -> EpsonGrant {
        var form = EpsonForm()
        form.append("grant_type", "refresh_token")
        form.append("refresh_token", token)
        return try await granted(form, at: site.auth, "/auth/token")
    }

    /// Generation 2: a token of the client's, for notification settings.
    package func application() async throws(EpsonFault) -> EpsonGrant {
        var form = EpsonForm()
        form.append("grant_type", "client_credentials")
        return try await granted(form, at: site.auth, "/auth/token")
    }

    private func granted(_ form: EpsonForm, at base: HTTPURL, _ path: String) async throws(EpsonFault) -> EpsonGrant {
        guard let url = EpsonSite.url(base, path) else { throw .misconfigured("The service's address is none.") }
        var credentials = Array("\(site.clientID):".utf8) + site.clientSecret.copy()
        defer { ConstantTime.cleanse(&credentials) }
        let request = ClientRequest(
            .post,
            url,
            fields: [
                ("Authorization", "Basic \(String(decoding: Base64.encode(credentials), as: UTF8.self))"),
                ("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"), ("Accept", "application/json"),
            ],
            body: [form.bytes]
        )
        let response: ClientResponse
        do throws(EpsonFault) {
            response = try await wire.send(request, site.guarding, patience: site.patience.token)
        } catch {
            throw Self.told(error)
        }
        return try Self.grant(EpsonWire.members(response))
    }

    /// RFC 6749 §5.2.
    private static func told(_ fault: EpsonFault) -> EpsonFault {
        guard case .refused(let status, let code) = fault, 400...499 ~= status else { return fault }
        switch code {
        case "invalid_grant": return .notAllowed(code)
        case "invalid_client", "unauthorized_client": return .badClient(code)
        default: return fault
        }
    }

    private static func grant(_ members: JSONObject) throws(EpsonFault) -> EpsonGrant {
        guard let access = secret("access_token", of: members) else {
            throw .answerLost("its answer has no access_token")
        }
        let seconds = members["expires_in"]?.int64 ?? members["expires_in"]?.string.flatMap { Int64($0) }
        return EpsonGrant(
            access: access,
            refresh: secret("refresh_token", of: members),
            lifetime: .seconds(min(max(seconds ?? usualLifetime, 1), lifetimeMax)),
            deviceID: members["subject_id"]?.string.flatMap { EpsonText.isWord($0) ? $0 : nil }
        )
    }

    private static func secret(_ name: String, of members: JSONObject) -> SecretBytes? {
        guard let text = members[name]?.string, 1...tokenBytesMax ~= text.utf8.count,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return SecretBytes(copying: Array(text.utf8))
    }
}
