import ChilAuth
import ChilCore
import ChilCrypto

/// What a sign-in by browser is about, on its way through the provider in `state`: nothing of it is kept here.
///
/// base64url of key version(1) ‖ MAC(32) ‖ JSON. The MAC covers the tenant too. It is no secret, the browser has seen all of it; it
/// binds the provider's answer to what was asked for: client, nonce, and the app's challenge.
struct AuthorizationState: Equatable {
    let provider: ProviderID
    let clientID: String
    /// The app's own `state`, given back as it was.
    let appState: String
    let challenge: CodeChallenge
    /// What the identity token must be bound to.
    let nonce: String
    let expires: Timestamp

    /// How long the person may take at the provider.
    static let lifetime = Duration.seconds(600)
    private static let macBytes = 32
    private static let bytesMax = 4_096

    func text(of tenant: TenantID, _ ring: KeyRing) -> String {
        var json = ByteWriter(capacity: 512)
        json.append("{\"p\":")
        json.append(decimal: provider.rawValue)
        json.append(",\"c\":")
        json.append(json: clientID)
        json.append(",\"s\":")
        json.append(json: appState)
        json.append(",\"h\":")
        json.append(json: challenge.text)
        json.append(",\"n\":")
        json.append(json: nonce)
        json.append(",\"e\":")
        json.append(decimal: expires.seconds)
        json.append("}")
        let body = json.finish()
        let mac = Self.code(ring.currentSubkey(.state), tenant, body)
        return Base64URL.text(of: [ring.currentVersion] + mac + body)
    }

    /// Nil for what was not made here for this tenant, or has had its time.
    init?(_ text: String, of tenant: TenantID, _ ring: KeyRing, at now: Timestamp) {
        guard text.utf8.count <= Self.bytesMax, let bytes = Base64URL.decode(text), bytes.count > 1 + Self.macBytes,
            let key = ring.subkey(.state, version: bytes[0])
        else { return nil }
        let body = Array(bytes[(1 + Self.macBytes)...])
        guard ConstantTime.areEqual(Array(bytes[1...Self.macBytes]), Self.code(key, tenant, body)),
            let members = try? StrictJSON.parse(body).object,
            let provider = members["p"]?.int64, let client = members["c"]?.string, let state = members["s"]?.string,
            let challenge = members["h"]?.string.flatMap({ CodeChallenge($0) }), let nonce = members["n"]?.string,
            let expires = members["e"]?.int64, now < Timestamp(seconds: expires)
        else { return nil }
        self.provider = ProviderID(rawValue: provider)
        clientID = client
        appState = state
        self.challenge = challenge
        self.nonce = nonce
        self.expires = Timestamp(seconds: expires)
    }

    init(
        provider: ProviderID,
        clientID: String,
        appState: String,
        challenge: CodeChallenge,
        nonce: String,
        at now: Timestamp
    ) {
        self.provider = provider
        self.clientID = clientID
        self.appState = appState
        self.challenge = challenge
        self.nonce = nonce
        expires = now + Self.lifetime
    }

    private static func code(_ key: SecretBytes, _ tenant: TenantID, _ body: [UInt8]) -> [UInt8] {
        let purpose = Array("authorize|\(tenant.rawValue)|".utf8)
        return HMACSHA256(key: key).code(of: purpose + body).bytes
    }
}
