import ChilHTTP

/// Answers with a fixed key set (RFC 7517 §5) where Apple has its own, and where others look first.
final class IssuerHandler: RequestHandler {
    static let paths = ["/.well-known/jwks.json", "/auth/keys"]

    private let keySet: [UInt8]

    init(keySet: [UInt8]) {
        self.keySet = keySet
    }

    func respond(to exchange: Exchange) async -> Response {
        guard Self.paths.contains(where: { exchange.head.path.elementsEqual($0.utf8) }) else {
            return text(.notFound, "The keys are at \(Self.paths.joined(separator: " and ")).\n")
        }
        guard exchange.head.method == .get || exchange.head.method == .head else {
            var response = text(.methodNotAllowed, "Use GET.\n")
            response.add("Allow", "GET, HEAD")
            return response
        }
        var response = Response(.ok, "application/json", .bytes(keySet))
        response.add("Cache-Control", "max-age=60")
        return response
    }

    func refusal(_ rejection: Rejection) -> Response {
        var response = text(rejection.status, "\(rejection.remedy)\n")
        response.closes = true
        return response
    }

    private func text(_ status: Status, _ text: String) -> Response {
        Response(status, "text/plain; charset=utf-8", .bytes(Array(text.utf8)))
    }
}
