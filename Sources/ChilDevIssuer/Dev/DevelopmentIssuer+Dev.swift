import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP

/// What only a stand-in has: users on demand, keys that rotate on demand, and ways to go wrong. JSON in, JSON out.
extension DevelopmentIssuer {
    /// `POST /dev/code`: what a device would get from its user: `{code, identityToken, user?}`.
    func devCode(_ body: inout DevBody, at now: Timestamp) throws -> Response {
        var draft = AuthorizationDraft(clientID: try body.required("clientId"), subject: try body.required("subject"))
        draft.redirectURI = try body.text("redirectUri")
        draft.nonce = try body.text("nonce")
        draft.codeChallenge = try body.text("codeChallenge")
        draft.email = try body.text("email")
        draft.isEmailVerified = try body.flag("emailVerified") ?? true
        draft.isPrivateEmail = try body.flag("isPrivateEmail")
        draft.givenName = try body.text("givenName")
        draft.familyName = try body.text("familyName")
        draft.algorithm = try algorithm(&body)
        draft.quirks = try body.choices("quirks")
        draft.claims = try body.claims("claims")
        try body.finish()
        let authorization = try authorize(draft, at: now)
        var members = JSONMembers()
        members.add("code", authorization.code)
        members.add("identityToken", String(decoding: authorization.identityToken, as: UTF8.self))
        if let user = authorization.user { members.add("user", raw: user) }
        return Self.json(.created, members)
    }

    /// The draft of `POST /dev/notify`.
    func devNotification(_ body: inout DevBody) throws -> NotificationDraft {
        var draft = NotificationDraft(
            clientID: try body.required("clientId"),
            kind: try body.required("type"),
            subject: try body.required("subject")
        )
        draft.shape = try body.choice("shape") ?? .string
        draft.email = try body.text("email")
        draft.isPrivateEmail = try body.flag("isPrivateEmail")
        draft.happened = try body.number("eventTime", 0...253_402_300_799_000).map {
            Timestamp(microseconds: $0 * 1_000)
        }
        draft.identifier = try body.text("jti")
        draft.algorithm = try algorithm(&body)
        draft.claims = try body.claims("claims")
        draft.hasBadSignature = try body.flag("badSignature") ?? false
        return draft
    }

    /// `POST /dev/quirks`: the standing ones from now on.
    func devQuirks(_ body: inout DevBody) throws -> Response {
        let wanted: Set<Quirk> = try body.choices("quirks")
        try body.finish()
        quirks = wanted
        return Response(.noContent)
    }

    /// `POST /dev/fail`: the next requests to an endpoint go wrong.
    func devFail(_ body: inout DevBody) throws -> Response {
        guard let endpoint: IssuerEndpoint = try body.choice("endpoint") else {
            throw DevBody.Fault(text: "endpoint is missing.")
        }
        guard let name: IssuerFault.Name = try body.choice("fault") else {
            throw DevBody.Fault(text: "fault is missing.")
        }
        let times = try body.number("times", 1...1_000_000) ?? 1
        let seconds = try body.number("seconds", 0...3_600) ?? 10
        let target = try body.text("to") ?? "http://127.0.0.1:9/"
        let code = try body.text("error") ?? "server_error"
        try body.finish()
        fail(endpoint, with: name.fault(.seconds(seconds), target, code), times: Int(times))
        return Response(.noContent)
    }

    /// `GET /dev/calls`: how often each endpoint was asked.
    func devCalls() -> Response {
        var members = JSONMembers()
        for endpoint in IssuerEndpoint.allCases { members.add(endpoint.rawValue, calls(of: endpoint).count) }
        return Self.json(.ok, members)
    }

    func algorithm(_ body: inout DevBody) throws -> JWSAlgorithm? {
        guard let algorithm: JWSAlgorithm = try body.choice("algorithm") else { return nil }
        guard canSign(with: algorithm) else {
            throw DevBody.Fault(text: "There is no \(algorithm.rawValue) key: rotate to one first.")
        }
        return algorithm
    }

    static func json(_ status: Status, _ members: JSONMembers) -> Response {
        var response = Response(status, jsonType, .bytes(members.json()))
        response.add("Cache-Control", "no-store")
        return response
    }
}
