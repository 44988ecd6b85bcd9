import ChilCore
import ChilCrypto
import ChilHTTP

extension DevelopmentIssuer {
    /// `GET /auth/authorize`: the page, or why there is none.
    func authorizePage(_ query: QueryItems) -> Response {
        do throws(OAuthError) {
            return AuthorizePage.question(try AuthorizeRequest(query, clients: settings.clients))
        } catch {
            return AuthorizePage.refusal(error)
        }
    }

    /// `POST /auth/authorize`: what the person chose, told to the client in the way that it asked for.
    func authorizeAnswer(_ form: QueryItems, at now: Timestamp) -> Response {
        do throws(OAuthError) {
            let request = try AuthorizeRequest(form, clients: settings.clients)
            return AuthorizePage.back(to: request, try fields(for: request, AuthorizeChoice(form), at: now))
        } catch {
            return AuthorizePage.refusal(error)
        }
    }

    private func fields(
        for request: AuthorizeRequest,
        _ choice: AuthorizeChoice,
        at now: Timestamp
    ) throws(OAuthError) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if let state = request.state { fields.append(("state", state)) }
        guard case .person(let person) = choice else {
            fields.append(("error", "user_cancelled_authorize"))
            return fields
        }
        let authorization = try Self.orServerError { () throws(CryptoError) in
            try authorize(Self.draft(request, person), at: now)
        }
        if request.wantsCode { fields.append(("code", authorization.code)) }
        if request.wantsIdentityToken {
            fields.append(("id_token", String(decoding: authorization.identityToken, as: UTF8.self)))
        }
        if request.mode == .formPost, let user = authorization.user {
            fields.append(("user", String(decoding: user, as: UTF8.self)))
        }
        return fields
    }

    private static func draft(_ request: AuthorizeRequest, _ person: AuthorizeChoice.Person) -> AuthorizationDraft {
        var draft = AuthorizationDraft(clientID: request.clientID, subject: person.subject)
        draft.redirectURI = request.redirectText
        draft.nonce = request.nonce
        draft.codeChallenge = request.codeChallenge
        if request.scope.contains("email") {
            draft.email = person.email
            draft.isPrivateEmail = person.isRelay ? true : nil
        }
        if request.scope.contains("name") {
            draft.givenName = person.givenName
            draft.familyName = person.familyName
        }
        return draft
    }
}
