import ChilCore
import ChilCrypto
import ChilHTTP
package import ChilLoop

/// The operations of Epson Connect of either generation, each one request (and one more when the token was refused). Not `Sendable`.
package struct EpsonClient {
    package let site: EpsonSite
    let loop: EventLoop
    let wire: EpsonWire
    private let tokens: any EpsonTokens

    package init(_ site: EpsonSite, _ tokens: any EpsonTokens, on loop: EventLoop) {
        self.site = site
        self.tokens = tokens
        self.loop = loop
        wire = EpsonWire(on: loop)
    }

    /// A path, given what the service calls the printer (generation 1).
    typealias Path = (_ device: String) -> String

    /// Sends a request with a token, and once more with another if that one is refused: a refused request was not carried out.
    func call(
        _ method: ChilHTTP.Method,
        _ path: Path,
        _ body: [UInt8]? = nil
    ) async throws(EpsonFault) -> ClientResponse {
        let token = try await tokens.token(insteadOf: nil)
        do throws(EpsonFault) {
            return try await send(method, path, body, token)
        } catch {
            guard error.isTokenRefused else { throw error }
        }
        let other = try await tokens.token(insteadOf: token)
        do throws(EpsonFault) {
            return try await send(method, path, body, other)
        } catch {
            // A fresh token is refused too: it is not the token.
            throw error.isTokenRefused ? .badClient(error.code ?? "token refused") : error
        }
    }

    private func send(
        _ method: ChilHTTP.Method,
        _ path: Path,
        _ body: [UInt8]?,
        _ token: EpsonToken
    ) async throws(EpsonFault) -> ClientResponse {
        if site.generation == .v1, token.deviceID == nil {
            throw .misconfigured("The service's name of the printer is missing.")
        }
        guard let url = EpsonSite.url(site.api, path(token.deviceID ?? "")) else {
            throw .misconfigured("The service's address is none.")
        }
        return try await wire.send(
            request(method, url, body, token.access),
            site.guarding,
            patience: site.patience.call
        )
    }

    func request(_ method: ChilHTTP.Method, _ url: HTTPURL, _ body: [UInt8]?, _ access: SecretBytes) -> ClientRequest {
        var request = ClientRequest(
            method,
            url,
            fields: [
                ("Authorization", "Bearer \(String(decoding: access.copy(), as: UTF8.self))"),
                ("Accept", "application/json"),
            ]
        )
        if let key = site.apiKey { request.fields.append(("x-api-key", String(decoding: key.copy(), as: UTF8.self))) }
        if let body {
            request.fields.append(("Content-Type", "application/json"))
            request.body = [body]
        }
        return request
    }

    /// `true`, and `"true"` too.
    static func flag(_ value: JSONValue?) -> Bool? {
        value?.bool ?? value?.string.map { $0.lowercased() == "true" }
    }
}
