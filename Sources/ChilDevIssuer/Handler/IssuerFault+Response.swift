import ChilHTTP
import ChilLoop

extension IssuerFault {
    /// The answer that comes instead of any work; nil: the work is done first.
    func instead(on loop: EventLoop) -> Response? {
        switch self {
        case .error500: Self.page(.internalServerError)
        case .error503: Self.page(.serviceUnavailable)
        case .html: Self.page(.ok)
        case .empty: Response(.ok, DevelopmentIssuer.jsonType, .bytes([]))
        case .emptyObject: Response(.ok, DevelopmentIssuer.jsonType, .bytes(Array("{}".utf8)))
        case .huge: Response(.ok, DevelopmentIssuer.jsonType, .bytes([UInt8](repeating: 0x20, count: 10_000_000)))
        case .drip: Response(.ok, DevelopmentIssuer.jsonType, .source(DripSource(on: loop)))
        case .redirect(let target): Self.redirect(to: target)
        case .gzip: Self.compressed
        case .refusal(let code): Self.refusal(code)
        case .cutOff, .slow: nil
        }
    }

    private static func page(_ status: Status) -> Response {
        let html = "<!doctype html><title>\(status.reason)</title><p>\(status.reason)"
        return Response(status, "text/html; charset=utf-8", .bytes(Array(html.utf8)))
    }

    private static func redirect(to target: String) -> Response {
        var response = Response(.found)
        response.add("Location", target)
        return response
    }

    private static var compressed: Response {
        var response = Response(.ok, DevelopmentIssuer.jsonType, .bytes([0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 3]))
        response.add("Content-Encoding", "gzip")
        return response
    }

    private static func refusal(_ code: String) -> Response {
        var members = JSONMembers()
        members.add("error", code)
        return Response(.badRequest, DevelopmentIssuer.jsonType, .bytes(members.json()))
    }
}
