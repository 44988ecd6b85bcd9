import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import ChilStore

/// Sign-in by browser, for Android and the web: a Services ID, its redirect URI here, and a way back to the app.
extension APIService {
    /// `GET auth/apple/authorize`: sends the browser to the provider.
    func authorize(_ call: Call) throws -> Response {
        let items: QueryItems
        do {
            items = try call.head.queryItems()
        } catch {
            throw Problem.malformedRequest("\(error.remedy)")
        }
        let clientID = try items.required("client_id", TextRule(bytesMax: 255))
        let appState = try items.required("state", TextRule(bytesMax: 512))
        let challengeText = try items.required("code_challenge", TextRule(bytesMax: 128))
        guard let challenge = CodeChallenge(challengeText), (items["code_challenge_method"] ?? "S256").isExactly("S256")
        else {
            throw Problem.malformedRequest(
                "Send code_challenge as base64url of a SHA-256, with code_challenge_method=S256."
            )
        }
        guard let provider = call.tenant.provider(of: clientID), let client = provider.client(named: clientID),
            client.use == .web, let redirectURI = client.redirectURI
        else {
            throw Problem.malformedRequest(
                "Send the client_id of a Services ID that the operator has set up for browsers."
            )
        }
        guard let url = provider.authorizeURL else { throw Problem.identityProviderMisconfigured }
        let state = AuthorizationState(
            provider: provider.id,
            clientID: client.id,
            appState: appState,
            challenge: challenge,
            nonce: Base64URL.text(of: try SecureRandom.bytes(32)),
            at: call.now
        )
        // The name and the address come with the first authorization alone, and only by form_post (Apple's rule).
        return .away(
            to: "\(url)",
            [
                ("response_type", "code id_token"), ("response_mode", "form_post"), ("client_id", client.id),
                ("redirect_uri", redirectURI), ("scope", "name email"), ("nonce", state.nonce),
                ("state", state.text(of: call.tenant.id, shared.keyRing)),
            ]
        )
    }

    /// `POST auth/apple/callback`: the provider's answer, by way of the browser. It writes nothing, so it may come twice.
    func callback(_ call: Call) async throws -> Response {
        guard call.head.mediaType?.essence == Call.formType else { throw Problem.unsupportedMediaType(Call.formType) }
        let form: FormBody
        let state: AuthorizationState?
        do {
            form = try await call.form()
            state = try form.text("state", Self.stateRule).flatMap {
                AuthorizationState($0, of: call.tenant.id, shared.keyRing, at: call.now)
            }
        } catch let error as OAuthError {
            throw Problem.malformedRequest(error.text)
        }
        guard let state, let provider = call.tenant.provider(state.provider),
            let client = provider.client(named: state.clientID), let returnURL = client.returnURL
        else {
            // Whither is not known, so it ends here.
            throw Problem.malformedRequest("This sign-in is too old or was not begun here: begin again in the app.")
        }
        func back(_ name: String, _ value: String) -> Response {
            .away(to: returnURL, [(name, value), ("state", state.appState)])
        }
        do {
            if let error = try form.text("error", TextRule(bytesMax: 128)) {
                return back("error", error == "user_cancelled_authorize" ? "access_denied" : "server_error")
            }
            let code = try form.requiredText("code", AuthorizationCode.rule)
            let token = try form.requiredText("id_token", TextRule(bytesMax: 16 << 10))
            let check = CodeTokenCheck(keySets: shared.keySets, loop: loop)
            let checked = await check.identity(
                in: Array(token.utf8),
                of: client.id,
                from: provider,
                call.tenant,
                nonce: state.nonce
            )
            switch checked {
            case .failure(.away): return back("error", "temporarily_unavailable")
            case .failure(.rejected): return back("error", "access_denied")
            case .success(let identity):
                let name = try Self.name(in: form)
                let appCode = AppCode(
                    SignIn.Proof(identity),
                    code: code,
                    for: state.challenge,
                    givenName: name.given,
                    familyName: name.family,
                    at: call.now
                )
                return back("code", try appCode.text(of: call.tenant.id, shared.sealer))
            }
        } catch is OAuthError {
            return back("error", "server_error")
        }
    }

    /// The app redeems what the browser brought.
    func redeem(_ request: CodeRequest, _ call: Call) async throws -> SignedIn {
        guard let appCode = AppCode(request.code, of: call.tenant.id, shared.sealer, at: call.now),
            let verifier = request.verifier, appCode.challenge.isMade(of: verifier),
            let provider = call.tenant.provider(appCode.proof.provider),
            let client = provider.client(named: appCode.proof.clientID)
        else { throw CodeRefusal.refused }
        if let id = request.clientID, !id.isExactly(client.id) { throw CodeRefusal.refused }
        if let uri = request.redirectURI, client.returnURL?.isExactly(uri) != true {
            throw CodeRefusal.wrongRedirectURI
        }
        try await admit(appCode.proof, call)
        var person = request.person
        person.givenName = appCode.givenName
        person.familyName = appCode.familyName
        let code = AuthorizationCode(appCode.code, of: client.id)
        return try await signIn(appCode.proof, spending: try spending(code, from: provider.id, call), as: person, call)
    }

    /// The name in `user`, told with a person's first authorization; unsigned. What is no name is left out.
    private static func name(in form: FormBody) throws(OAuthError) -> (given: String?, family: String?) {
        guard let text = try form.text("user", TextRule(bytesMax: 4_096, allowsLines: true)),
            let name = try? StrictJSON.parse(Array(text.utf8)).object?["name"]?.object
        else { return (nil, nil) }
        func part(_ member: String) -> String? {
            name[member]?.string.map(\.plain).flatMap { SelfDescription.rule.fault(in: $0) == nil ? $0 : nil }
        }
        return (part("firstName"), part("lastName"))
    }

    private static let stateRule = TextRule(bytesMax: 4_096)
}

extension QueryItems {
    fileprivate func required(_ name: String, _ rule: TextRule) throws(Problem) -> String {
        guard let value = self[name], !value.isEmpty else { throw .malformedRequest("Send \(name).") }
        if let fault = rule.fault(in: value) { throw .malformedRequest("\(name) \(fault).") }
        return value
    }
}

extension Response {
    /// Sends a browser on, by GET (RFC 9110 §15.4.4). What the address carries stays out of caches and of other sites' logs.
    fileprivate static func away(to url: String, _ parameters: [(String, String)]) -> Response {
        let query = parameters.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
        var response = Response(.seeOther)
        response.add("Location", "\(url)\(url.contains("?") ? "&" : "?")\(query)")
        response.add("Cache-Control", "no-store")
        response.add("Referrer-Policy", "no-referrer")
        return response
    }
}
