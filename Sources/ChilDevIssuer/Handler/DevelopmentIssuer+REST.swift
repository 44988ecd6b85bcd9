import ChilCore
import ChilHTTP

extension DevelopmentIssuer {
    /// A form to one of the REST endpoints, and its answer; noted for those who count.
    func response(
        to endpoint: IssuerEndpoint,
        _ mediaType: MediaType?,
        _ body: [UInt8],
        bearer: String?,
        at now: Timestamp
    ) -> Response {
        var form = QueryItems()
        let outcome = Result { () throws(OAuthError) in
            form = try Self.form(mediaType, body)
            return switch endpoint {
            case .token: try tokenAnswer(form, at: now)
            case .revoke: try revokeAnswer(form, at: now)
            case .migration: try migrationAnswer(form, bearer: bearer, at: now)
            case .keys: throw OAuthError(code: .serverError, text: "The keys are asked for with GET.")
            }
        }
        var code: OAuthError.Code?
        var response: Response
        switch outcome {
        case .success(let answer):
            response = Response(answer.status, answer.json.isEmpty ? nil : Self.jsonType, .bytes(answer.json))
        case .failure(let error):
            code = error.code
            response = Self.response(error, isBare: quirks.contains(.bareErrors))
        }
        response.add("Cache-Control", "no-store")
        response.add("Pragma", "no-cache")
        note(
            IssuerCall(
                endpoint: endpoint,
                clientID: form["client_id"],
                grantType: form["grant_type"],
                redirectURI: form["redirect_uri"],
                error: code?.rawValue
            )
        )
        return response
    }

    func note(_ call: IssuerCall) {
        state.withLock { $0.calls.add(call) }
    }

    func takeFault(_ endpoint: IssuerEndpoint) -> IssuerFault? {
        state.withLock { $0.faults.take(endpoint) }
    }

    /// `invalid_client` is 400 too: the provider does not use 401 here.
    static func response(_ error: OAuthError, isBare: Bool) -> Response {
        var members = JSONMembers()
        members.add("error", error.code.rawValue)
        if !isBare { members.add("error_description", error.text) }
        let status: Status = error.code == .serverError ? .internalServerError : .badRequest
        return Response(status, jsonType, .bytes(members.json()))
    }

    private static func form(_ mediaType: MediaType?, _ body: [UInt8]) throws(OAuthError) -> QueryItems {
        guard mediaType?.essence == "application/x-www-form-urlencoded" else {
            throw .invalidRequest("The body is not application/x-www-form-urlencoded.")
        }
        do throws(QueryItems.Fault) {
            return try QueryItems(body[...], isForm: true)
        } catch {
            throw .invalidRequest("\(error.remedy)")
        }
    }

    static let jsonType: StaticString = "application/json;charset=UTF-8"
}
