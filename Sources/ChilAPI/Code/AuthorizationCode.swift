import ChilAuth
import ChilCore
import ChilCrypto
import ChilStore

/// A provider's authorization code as an app sends it. A secret: whoever has it and the tenant's key gets the user's tokens.
struct AuthorizationCode: Sendable {
    /// Apple's have about 60 bytes.
    static let rule = TextRule(bytesMax: 2_048)

    let bytes: SecretBytes
    let clientID: String
    /// SHA-256 of client id, NUL, code.
    let digest: [UInt8]

    /// - Parameter clientID: whose code it is.
    init(_ text: String, of clientID: String) {
        bytes = SecretBytes(copying: Array(text.utf8))
        self.clientID = clientID
        digest = SHA256.digest(of: Array(clientID.utf8) + [0] + Array(text.utf8)).bytes
    }
}

extension APIService {
    /// What a sign-in does with the code that came with the identity token: remembers it, and has it exchanged if the tenant can.
    func spending(_ code: AuthorizationCode, from provider: ProviderID, _ call: Call) throws -> SpentCode {
        guard call.tenant.provider(provider)?.isSetUp == true else {
            return SpentCode(digest: code.digest, beside: nil, at: call.now)
        }
        let sealed = try shared.sealer.seal(code.bytes, tenant: call.tenant.id, column: CodeExchange.sealedColumn)
        let exchange = SpentCode.Exchange(id: try ids.next(at: call.now), sealedCode: sealed)
        return SpentCode(digest: code.digest, beside: exchange, at: call.now)
    }
}
