package import ChilCore
package import ChilHTTP
package import ChilLoop

/// Serves a `DevelopmentIssuer` on one loop, under the paths that the provider has.
package final class IssuerHandler: RequestHandler {
    package static let keyPaths = ["/.well-known/jwks.json", "/auth/keys"]

    let issuer: DevelopmentIssuer
    let loop: EventLoop
    private let clock: (@Sendable () -> Timestamp)?
    private var isStopping = false

    /// - Parameter clock: what time it is; nil: the loop's wall clock.
    package init(_ issuer: DevelopmentIssuer, on loop: EventLoop, clock: (@Sendable () -> Timestamp)? = nil) {
        self.issuer = issuer
        self.loop = loop
        self.clock = clock
    }

    var now: Timestamp { clock?() ?? loop.wallClock }

    package func respond(to exchange: Exchange) async -> Response {
        let path = String(decoding: exchange.head.path, as: UTF8.self)
        // The keys are public, whatever the name.
        if Self.keyPaths.contains(path) { return await keys(exchange) }
        guard issuer.settings.answers(to: String(decoding: exchange.head.authority ?? [], as: UTF8.self)) else {
            return Self.text(.misdirectedRequest, "Ask by the issuer's own name, or by this machine's.\n")
        }
        if path.hasPrefix("/dev/") { return await dev(path, exchange) }
        switch path {
        case "/auth/authorize": return await authorize(exchange)
        case "/auth/token": return await rest(.token, exchange)
        case "/auth/revoke": return await rest(.revoke, exchange)
        case "/auth/usermigrationinfo": return await rest(.migration, exchange)
        default: return Self.notFound
        }
    }

    package func refusal(_ rejection: Rejection) -> Response {
        var response = Self.text(rejection.status, "\(rejection.remedy)\n")
        response.closes = true
        return response
    }

    /// Begins what happens by itself: keys rotate.
    package func background() async {
        guard let rotation = issuer.settings.rotation else { return }
        let issuer = issuer
        loop.every(rotation) { [weak self] in
            guard let self, !isStopping else { return false }
            for algorithm in issuer.algorithms {
                FreshKey.make(algorithm) { made in
                    if case .success(let key) = made { issuer.rotate(to: key) }
                }
            }
            return true
        }
    }

    package func stop() {
        isStopping = true
    }

    private func keys(_ exchange: Exchange) async -> Response {
        guard exchange.head.method == .get || exchange.head.method == .head else {
            return Self.wrongMethod("GET, HEAD")
        }
        let fault = issuer.takeFault(.keys)
        issuer.note(IssuerCall(endpoint: .keys, clientID: nil, grantType: nil, redirectURI: nil, error: nil))
        if let fault, let response = fault.instead(on: loop) { return response }
        var response = Response(.ok, "application/json", .bytes(issuer.keySet))
        response.add("Cache-Control", "max-age=60")
        return await late(response, fault)
    }

    private func rest(_ endpoint: IssuerEndpoint, _ exchange: Exchange) async -> Response {
        guard exchange.head.method == .post else { return Self.wrongMethod("POST") }
        let fault = issuer.takeFault(endpoint)
        if let fault, let response = fault.instead(on: loop) {
            issuer.note(IssuerCall(endpoint: endpoint, clientID: nil, grantType: nil, redirectURI: nil, error: "fault"))
            return response
        }
        let body: [UInt8]
        do throws(Rejection) {
            body = try await exchange.body(atMost: Self.bodyBytesMax)
        } catch {
            return refusal(error)
        }
        let bearer = exchange.head.text(.authorization).flatMap {
            $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil
        }
        let response = issuer.response(to: endpoint, exchange.head.mediaType, body, bearer: bearer, at: now)
        return await late(response, fault)
    }

    /// The answer by a fault that lets the work be done first.
    private func late(_ response: Response, _ fault: IssuerFault?) async -> Response {
        switch fault {
        case .slow(let length): await loop.sleep(length)
        case .cutOff:
            var response = response
            response.body = .source(BrokenSource(byteCount: max(response.body.count, 1)))
            response.closes = true
            return response
        default: break
        }
        return response
    }

    private func authorize(_ exchange: Exchange) async -> Response {
        do throws(QueryItems.Fault) {
            switch exchange.head.method {
            case .get, .head: return issuer.authorizePage(try exchange.head.queryItems())
            case .post:
                let body: [UInt8]
                do throws(Rejection) {
                    body = try await exchange.body(atMost: Self.bodyBytesMax)
                } catch {
                    return refusal(error)
                }
                return issuer.authorizeAnswer(try QueryItems(body[...], isForm: true), at: now)
            default: return Self.wrongMethod("GET, HEAD, POST")
            }
        } catch {
            return AuthorizePage.refusal(.invalidRequest("\(error.remedy)"))
        }
    }

    static var notFound: Response {
        text(.notFound, "There are \(paths.joined(separator: ", ")).\n")
    }

    private static let paths =
        keyPaths + ["/auth/authorize", "/auth/token", "/auth/revoke", "/auth/usermigrationinfo"]
        + ["/dev/code", "/dev/notify", "/dev/rotate", "/dev/quirks", "/dev/fail", "/dev/calls"]

    static func wrongMethod(_ allowed: String) -> Response {
        var response = text(.methodNotAllowed, "Use \(allowed).\n")
        response.add("Allow", allowed)
        return response
    }

    static func text(_ status: Status, _ text: String) -> Response {
        Response(status, "text/plain; charset=utf-8", .bytes(Array(text.utf8)))
    }

    static let bodyBytesMax = 65_536
}
