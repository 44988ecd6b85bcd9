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
    /// Exchanged once the session is there; a fault in that is none of the sign-in's.
    let authorizationCode: String?
    let person: SelfDescription

    init(_ object: JSONObject) throws(Problem) {
        var fields = FieldReader(object)
        identityToken = fields.requiredToken("identityToken")
        nonce = fields.text("nonce", TextRule(bytesMax: 256))
        userID = fields.text("userID", TextRule(bytesMax: 255))
        authorizationCode = fields.text("authorizationCode", AuthorizationCode.rule)
        person = SelfDescription(&fields)
        try fields.finish()
    }
}
