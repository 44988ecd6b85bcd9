import ChilAuth
import ChilCore
import ChilHTTP

extension APIService {
    /// `POST auth/oauth2/token`: as the first app sends it, or as RFC 6749 has it.
    func token(_ call: Call) async throws -> Response {
        switch call.head.mediaType?.essence {
        case "application/json": return try await tokenAsFirstApp(call)
        case Call.formType:
            do {
                return try await tokenAsOAuth(call)
            } catch let error as OAuthError {
                return error.response
            } catch let refusal as CodeRefusal {
                return refusal.oauthError.response
            } catch let problem as Problem where problem.code == .invalidRefreshToken {
                return OAuthError.invalidGrant("The session is over: sign in again.").response
            }
        default:
            throw Problem.unsupportedMediaType("application/json or \(Call.formType)")
        }
    }

    private func tokenAsFirstApp(_ call: Call) async throws -> Response {
        var fields = FieldReader(try await call.jsonObject())
        let code = fields.requiredText("code", AuthorizationCode.rule)
        var request = CodeRequest(code: code, clientID: fields.text("clientId", Self.clientRule))
        request.nonce = fields.text("nonce", TextRule(bytesMax: 256))
        request.person = SelfDescription(&fields)
        try fields.finish()
        try await countUnlessRefused(call)
        let signedIn: SignedIn
        do {
            // A code of ours needs its verifier, which this form has no place for.
            guard !AppCode.isOne(request.code) else { throw CodeRefusal.refused }
            signedIn = try await signIn(with: request, call)
        } catch let refusal as CodeRefusal {
            throw refusal.problem
        }
        let tokens = try issue(signedIn.grant, call)
        var body = ByteWriter(capacity: 1_536)
        body.append("{\"token\":\"")
        body.append(bytes: tokens.access)
        body.append("\",\"grantType\":\"Bearer\",")
        tokens.appendMembers(to: &body)
        signedIn.appendMembers(to: &body)
        body.append("}")
        return .json(.ok, &body)
    }

    private func tokenAsOAuth(_ call: Call) async throws -> Response {
        let form = try await call.form()
        // Apps are public clients (RFC 6749 §2.1): what they would send as a secret is none.
        guard call.head.range(of: .authorization) == nil, try form.text("client_secret", Self.secretRule) == nil else {
            throw OAuthError.invalidClient
        }
        let grant: Grant
        switch try form.requiredText("grant_type", TextRule(bytesMax: 128)) {
        case "authorization_code": grant = try await signIn(with: form, call).grant
        case "refresh_token":
            let token = try form.requiredText("refresh_token", TextRule(bytesMax: 512))
            let client = try form.text("client_id", Self.clientRule)
            if let client, call.tenant.provider(of: client) == nil { throw CodeRefusal.unknownClient }
            grant = try await refreshed(token, of: client, call)
        default: throw OAuthError.unsupportedGrantType
        }
        let tokens = try issue(grant, call)
        var body = ByteWriter(capacity: IssuedTokens.answerBytes)
        body.append("{\"access_token\":\"")
        body.append(bytes: tokens.access)
        body.append("\",\"token_type\":\"Bearer\",\"expires_in\":")
        body.append(decimal: tokens.expiresIn)
        body.append(",\"refresh_token\":\"")
        body.append(unescaped: tokens.refresh)
        body.append("\"}")
        var response = Response.json(.ok, &body)
        response.add("Pragma", "no-cache")
        return response
    }

    private func signIn(with form: FormBody, _ call: Call) async throws -> SignedIn {
        var request = CodeRequest(
            code: try form.requiredText("code", AppCode.rule),
            clientID: try form.text("client_id", Self.clientRule)
        )
        request.redirectURI = try form.text("redirect_uri", TextRule(bytesMax: 2_048))
        request.verifier = try form.text("code_verifier", CodeChallenge.verifierRule)
        request.person.deviceName = try form.plainText("device_name", SelfDescription.rule)
        try await countUnlessRefused(call)
        do {
            if AppCode.isOne(request.code) { return try await redeem(request, call) }
            guard AuthorizationCode.rule.fault(in: request.code) == nil else { throw CodeRefusal.refused }
            request.nonce = try form.text("nonce", TextRule(bytesMax: 256))
            return try await signIn(with: request, call)
        } catch let problem as Problem {
            // What a sign-in is refused for has its words here too.
            switch problem.code {
            case .invalidIdentityToken: throw CodeRefusal.unproven
            case .userBanned: throw CodeRefusal.banned
            case .quotaExceeded: throw CodeRefusal.quota
            case .quotaWindowExceeded:
                throw OAuthError.unavailable(
                    "There is no room for another user for now: try again later.",
                    retryAfter: problem.retryAfter ?? 60
                )
            default: throw problem
            }
        }
    }

    private static let clientRule = TextRule(bytesMax: 255)
    private static let secretRule = TextRule(bytesMax: 8_192)
}
