import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import ChilStore

/// The body of `POST auth/apple`.
struct AppleSignIn {
    let identityToken: String
    let nonce: String?
    let userID: String?
    let givenName: String?
    let familyName: String?
    let deviceName: String?

    private static let nameRule = TextRule(bytesMax: 200)
    private static let tokenRule = TextRule(bytesMax: 32 << 10)

    init(_ object: JSONObject) throws(Problem) {
        var fields = FieldReader(object)
        identityToken = fields.requiredText("identityToken", Self.tokenRule)
        nonce = fields.text("nonce", TextRule(bytesMax: 256))
        userID = fields.text("userID", TextRule(bytesMax: 255))
        // Sent by apps that will have it exchanged; sign-in itself does not need it.
        _ = fields.text("authorizationCode", TextRule(bytesMax: 2_048))
        givenName = fields.text("givenName", Self.nameRule)
        familyName = fields.text("familyName", Self.nameRule)
        deviceName = fields.text("deviceName", Self.nameRule)
        try fields.finish()
    }
}
