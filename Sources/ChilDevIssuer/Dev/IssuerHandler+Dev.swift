import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop

extension IssuerHandler {
    /// `/dev/…`. JSON alone is taken, so that no web page can send it: a browser asks first, and is refused.
    func dev(_ path: String, _ exchange: Exchange) async -> Response {
        if path == "/dev/calls", exchange.head.method == .get { return issuer.devCalls() }
        guard exchange.head.method == .post else { return Self.wrongMethod("POST") }
        guard exchange.head.mediaType?.essence == "application/json" else {
            return Self.text(.unsupportedMediaType, "Send application/json.\n")
        }
        let bytes: [UInt8]
        do throws(ChilHTTP.Rejection) {
            bytes = try await exchange.body(atMost: Self.bodyBytesMax)
        } catch {
            return refusal(error)
        }
        do {
            var body = try DevBody(bytes)
            switch path {
            case "/dev/code": return try issuer.devCode(&body, at: now)
            case "/dev/notify": return try await notify(&body)
            case "/dev/rotate": return try await rotate(&body)
            case "/dev/quirks": return try issuer.devQuirks(&body)
            case "/dev/fail": return try issuer.devFail(&body)
            default: return Self.notFound
            }
        } catch let fault as DevBody.Fault {
            return Self.text(.unprocessableContent, "\(fault.text)\n")
        } catch {
            return Self.text(.internalServerError, "\(error)\n")
        }
    }

    /// `POST /dev/rotate`: a fresh key signs from now on; answers its `kid`.
    private func rotate(_ body: inout DevBody) async throws -> Response {
        let algorithm: JWSAlgorithm = try body.choice("algorithm") ?? issuer.settings.algorithm
        let style: KeyRotation = try body.choice("style") ?? .keepOld
        try body.finish()
        issuer.rotate(to: try await FreshKey.make(algorithm).get(), style)
        var members = JSONMembers()
        members.add("kid", issuer.signingKeyID(algorithm))
        return DevelopmentIssuer.json(.ok, members)
    }

    /// `POST /dev/notify`: `{payload}`, and `{status}` of the server that it was sent to, if one is named.
    private func notify(_ body: inout DevBody) async throws -> Response {
        let draft = try issuer.devNotification(&body)
        let target = try body.text("deliverTo")
        try body.finish()
        let url = try target.map { text throws(DevBody.Fault) in
            guard let url = HTTPURL(text), issuer.settings.reaches(url.host) else {
                throw DevBody.Fault(text: "deliverTo is no URL on this machine.")
            }
            return url
        }
        let payload = String(decoding: try issuer.notification(draft, at: now), as: UTF8.self)
        var members = JSONMembers()
        members.add("payload", payload)
        guard let url else { return DevelopmentIssuer.json(.ok, members) }
        var event = JSONMembers()
        event.add("payload", payload)
        let guarded = AddressGuard(allowing: [AddressGuard.Exception(host: url.host, port: url.port)])
        let request = ClientRequest(.post, url, fields: [("Content-Type", "application/json")], body: [event.json()])
        do throws(ClientFailure) {
            members.add("status", try await HTTPClient(on: loop, guarded).send(request).statusCode)
        } catch {
            members.add("failure", error.description)
        }
        return DevelopmentIssuer.json(.ok, members)
    }
}
