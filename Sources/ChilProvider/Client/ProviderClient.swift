package import ChilAuth
package import ChilCore
package import ChilCrypto
package import ChilHTTP
package import ChilLoop

/// Calls the REST side of an identity provider, with a client secret made for each call. Not `Sendable`: it works on its loop.
///
/// One call is one connection, five seconds at most, 64 KiB of answer at most; no redirect is followed. What is secret goes by
/// TLS, or to a host and port that the operator named.
package struct ProviderClient {
    /// From the first system call to the answer's last byte.
    package static let patience = Duration.seconds(5)
    private static let connectPatience = Duration.seconds(3)

    let endpoints: ProviderEndpoints
    private let loop: EventLoop
    private let addressGuard: AddressGuard
    private let credentials: ProviderCredentials
    private let patience: Duration

    package init(
        on loop: EventLoop,
        _ addressGuard: AddressGuard,
        _ endpoints: ProviderEndpoints,
        _ credentials: ProviderCredentials,
        patience: Duration = Self.patience
    ) {
        self.loop = loop
        self.addressGuard = addressGuard
        self.endpoints = endpoints
        self.credentials = credentials
        self.patience = patience
    }

    /// Exchanges an authorization code.
    ///
    /// - Parameters:
    ///   - clientID: the `aud` of the identity token that came with the code.
    ///   - redirectURI: as the authorization request had it; nil for a code made on the device.
    ///   - verifier: what the code challenge of the authorization request was made of (RFC 7636); nil: it had none.
    ///   - nonce: what the person's app made; it is not sent, and the provider may know it: no text of an error brings it on.
    ///   - now: the wall clock, for the client secret.
    package func exchange(
        code: SecretBytes,
        clientID: String,
        redirectURI: String?,
        verifier: SecretBytes? = nil,
        nonce: SecretBytes? = nil,
        at now: Timestamp
    ) async -> Result<TokenAnswer, ProviderFault> {
        var form = FormBody()
        form.append("grant_type", "authorization_code")
        form.append("code", code)
        if let redirectURI { form.append("redirect_uri", redirectURI) }
        if let verifier { form.append("code_verifier", verifier) }
        let secrets = [code, verifier, nonce].compactMap { $0 }
        return await tokens(form, clientID: clientID, secrets: secrets, at: now)
    }

    /// Asks whether a refresh token is still good. Apple wants this at most once a day for one user.
    package func refresh(
        token: SecretBytes,
        clientID: String,
        at now: Timestamp
    ) async -> Result<TokenAnswer, ProviderFault> {
        var form = FormBody()
        form.append("grant_type", "refresh_token")
        form.append("refresh_token", token)
        return await tokens(form, clientID: clientID, secrets: [token], at: now)
    }

    /// Revokes a refresh token; one that is void already is a success too (RFC 7009 §2.2).
    package func revoke(
        token: SecretBytes,
        clientID: String,
        at now: Timestamp
    ) async -> Result<Void, ProviderFault> {
        guard let url = endpoints.revokeURL else {
            return .failure(.refusedRequest("the provider record has no revoke URL"))
        }
        var form = FormBody()
        form.append("token", token)
        form.append("token_type_hint", "refresh_token")
        do throws(ProviderFault) {
            return .success(try await post(form, to: url, clientID: clientID, secrets: [token], at: now).emptySuccess())
        } catch {
            return .failure(error)
        }
    }

    private func tokens(
        _ form: FormBody,
        clientID: String,
        secrets: [SecretBytes],
        at now: Timestamp
    ) async -> Result<TokenAnswer, ProviderFault> {
        do throws(ProviderFault) {
            let answer = try await post(form, to: endpoints.tokenURL, clientID: clientID, secrets: secrets, at: now)
            return .success(try answer.tokens())
        } catch {
            return .failure(error)
        }
    }

    /// Posts a form with the client's id and secret.
    ///
    /// - Parameter secrets: what must not come back in a text, besides the client's secret and the bearer token.
    func post(
        _ form: FormBody,
        to url: HTTPURL,
        clientID: String,
        secrets: [SecretBytes] = [],
        bearer: SecretBytes? = nil,
        at now: Timestamp
    ) async throws(ProviderFault) -> ProviderAnswer {
        guard url.isSecure || addressGuard.makesException(for: url) else {
            throw .refusedRequest("\(url) is not https, and no private endpoint was allowed for it")
        }
        let secret: SecretBytes
        do throws(CryptoError) {
            let token = try ClientSecret.token(credentials, clientID: clientID, audience: endpoints.audience, at: now)
            secret = SecretBytes(copying: token)
        } catch {
            throw .refusedCredentials(error.description)
        }
        var form = form
        form.append("client_id", clientID)
        form.append("client_secret", secret)
        var request = ClientRequest(
            .post,
            url,
            fields: [
                ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"),
            ],
            body: [form.bytes]
        )
        if let bearer {
            request.fields.append(("Authorization", "Bearer \(String(decoding: bearer.copy(), as: UTF8.self))"))
        }
        request.responseBytesMax = ProviderAnswer.bytesMax
        request.patience = patience
        request.connectPatience = min(patience, Self.connectPatience)
        do throws(ClientFailure) {
            let response = try await HTTPClient(on: loop, addressGuard).send(request)
            return ProviderAnswer(response, secrets: secrets + [secret, bearer].compactMap { $0 })
        } catch {
            throw .away(error.description)
        }
    }
}
