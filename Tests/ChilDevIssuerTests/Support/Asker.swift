import ChilCore
import ChilHTTP
import ChilLoop
import ChilTestSupport

/// A client on a loop of its own.
final class Asker: Sendable {
    private let thread: LoopThread
    private let home: LoopHome
    private let exceptions: Set<AddressGuard.Exception>
    let origin: String

    init(_ origin: String) throws {
        self.origin = origin
        thread = try LoopThread()
        home = LoopHome(thread.loop)
        guard let url = HTTPURL(origin) else { throw NoURL() }
        exceptions = [AddressGuard.Exception(host: url.host, port: url.port)]
    }

    struct NoURL: Error {}

    deinit {
        thread.loop.stop()
    }

    func send(
        _ method: Method,
        _ path: String,
        _ contentType: String? = nil,
        _ body: String = "",
        patience: Duration = .seconds(10)
    ) async throws -> ClientResponse {
        guard let url = HTTPURL(origin + path) else { throw NoURL() }
        var request = ClientRequest(
            method,
            url,
            body: body.isEmpty ? [] : [Array(body.utf8)]
        )
        if let contentType { request.fields.append(("Content-Type", contentType)) }
        request.patience = patience.patient
        let sent = request
        return try await home.run { [exceptions] loop in
            try await HTTPClient(on: loop, AddressGuard(allowing: exceptions)).send(sent)
        }
    }

    func form(_ path: String, _ fields: [String: String], patience: Duration = .seconds(10)) async throws
        -> ClientResponse
    {
        let body = fields.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
        return try await send(.post, path, "application/x-www-form-urlencoded", body, patience: patience)
    }

    func json(_ path: String, _ body: String) async throws -> ClientResponse {
        try await send(.post, path, "application/json", body)
    }
}

extension ClientResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
    var object: JSONObject? { (try? StrictJSON.parse(body))?.object }
}
