import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop
import ChilProvider
import ChilTestSupport

let testNow = Timestamp(seconds: 1_796_000_000)
let testClientID = "com.example.app"

func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }

/// Calls a stand-in from a loop of its own.
struct TestClient: Sendable {
    let credentials: ProviderCredentials
    let endpoints: ProviderEndpoints
    let addressGuard: AddressGuard
    var patience = ProviderClient.patience.patient

    init(_ provider: ScriptedProvider, allowed: Bool = true) throws {
        credentials = ProviderCredentials(teamID: "A1B2C3D4E5", keyID: "F6G7H8I9J0", key: try ES256PrivateKey())
        endpoints = ProviderEndpoints(
            tokenURL: HTTPURL(provider.url + "/auth/token")!,
            revokeURL: HTTPURL(provider.url + "/auth/revoke")!,
            migrationURL: HTTPURL(provider.url + "/auth/usermigrationinfo")!,
            audience: "https://appleid.apple.com"
        )
        let exception = AddressGuard.Exception(host: "127.0.0.1", port: provider.port)
        addressGuard = AddressGuard(allowing: allowed ? [exception] : [])
    }

    init(_ endpoints: ProviderEndpoints, _ credentials: ProviderCredentials) {
        self.credentials = credentials
        self.endpoints = endpoints
        addressGuard = AddressGuard()
    }

    func run<Value: Sendable>(_ body: @Sendable (ProviderClient) async -> Value) async throws -> Value {
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            thread.join()
        }
        let (credentials, endpoints, addressGuard, patience) = (credentials, endpoints, addressGuard, patience)
        return await LoopHome(thread.loop).run { loop in
            await body(ProviderClient(on: loop, addressGuard, endpoints, credentials, patience: patience))
        }
    }

    func exchange(code: String = "c0.0.abc.DEF", redirectURI: String? = nil) async throws
        -> Result<TokenAnswer, ProviderFault>
    {
        try await run { client in
            await client.exchange(code: secret(code), clientID: testClientID, redirectURI: redirectURI, at: testNow)
        }
    }
}

/// An answer with a JSON body.
func json(_ status: String, _ body: String, fields: String = "") -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
}

extension Result {
    var fault: Failure? {
        if case .failure(let fault) = self { fault } else { nil }
    }
}
