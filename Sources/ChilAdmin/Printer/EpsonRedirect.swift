import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop

/// What a browser brings back from Epson, once.
final class EpsonRedirect: Sendable {
    enum Outcome: Sendable {
        case code(SecretBytes)
        case refused(String)
    }

    private let path: String
    private let state: String
    private let settled = Locked<(outcome: Outcome?, call: (@Sendable () -> Void)?)>((nil, nil))

    init(path: String, state: String) {
        self.path = path
        self.state = state
    }

    var outcome: Outcome? { settled.withLock { $0.outcome } }

    func whenSettled(_ call: @escaping @Sendable () -> Void) { settled.withLock { $0.call = call } }

    /// What the browser is told. What has not our state is somebody else's: it changes nothing.
    func answer(_ method: ChilHTTP.Method, _ path: String, _ items: QueryItems) -> (Status, String) {
        guard method == .get, path == self.path else { return (.notFound, "There is nothing here.") }
        guard let given = items["state"], ConstantTime.areEqual(given, state) else {
            return (.badRequest, "This is not what chiladmin has asked for: begin again.")
        }
        let outcome: Outcome
        if let code = items["code"], EpsonCode(argument: code) != nil {
            outcome = .code(SecretBytes(copying: Array(code.utf8)))
        } else {
            let error = String(
                (items["error"] ?? "no code").unicodeScalars.filter { 0x20...0x7E ~= $0.value }.prefix(80)
            )
            outcome = .refused(error)
        }
        let call = settled.withLock { settled -> (@Sendable () -> Void)? in
            guard settled.outcome == nil else { return nil }
            settled.outcome = outcome
            return settled.call
        }
        call?()
        return (.ok, "Thank you. You may close this window.")
    }
}

/// Serves it, for as long as it is waited for.
final class EpsonRedirectHandler: RequestHandler {
    private let inbox: EpsonRedirect

    init(_ inbox: EpsonRedirect) {
        self.inbox = inbox
    }

    func respond(to exchange: Exchange) async -> Response {
        let path = String(decoding: exchange.head.path, as: UTF8.self)
        let items = (try? exchange.head.queryItems()) ?? QueryItems()
        let (status, text) = inbox.answer(exchange.head.method, path, items)
        var response = Response(status, "text/plain; charset=utf-8", .bytes(Array("\(text)\n".utf8)))
        response.add("Cache-Control", "no-store")
        response.closes = true
        return response
    }

    func refusal(_ rejection: Rejection) -> Response {
        var response = Response(rejection.status)
        response.closes = true
        return response
    }
}
