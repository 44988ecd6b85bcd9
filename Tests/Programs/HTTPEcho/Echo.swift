import ChilHTTP
import ChilLoop

final class Echo: RequestHandler {
    func respond(to exchange: Exchange) async -> Response {
        let head = exchange.head
        do {
            if head.path.elementsEqual("/echo".utf8) {
                return Response(.ok, "text/plain", .bytes([UInt8](head.allFieldLines)))
            }
            let body = try await exchange.body(atMost: 1 << 20)
            guard head.path.elementsEqual("/".utf8) || head.isForWholeServer else { return Response(.notFound) }
            return Response(.ok, "text/plain", .bytes(head.method == .post ? body : Array("ok".utf8)))
        } catch {
            return refusal(error)
        }
    }

    func refusal(_ rejection: Rejection) -> Response {
        var response = Response(rejection.status, "text/plain", .bytes(Array("\(rejection.remedy)\n".utf8)))
        response.closes = true
        return response
    }
}
