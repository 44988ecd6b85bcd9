import ChilAuth
import ChilCore
import ChilCrypto
import Foundation

/// Claims of an identity token, to be changed before it is signed.
struct IdentityToken {
    /// Names and values in JSON.
    var claims: [String: String]

    /// A good one for the tenant, bound to the nonce as Apple's are: by its hash.
    init(_ issuer: TestIssuer, _ tenant: Tenant, subject: String = Planted.subject(), nonce: String? = nil) {
        let now = Int(Date().timeIntervalSince1970)
        claims = [
            "iss": "\"\(issuer.url)\"", "aud": "\"\(tenant.clientID)\"", "sub": "\"\(subject)\"", "iat": "\(now)",
            "exp": "\(now + 600)", "jti": "\"\(UUID().uuidString)\"", "email": "\"\(subject)@mail.test\"",
            "email_verified": "\"true\"",
        ]
        if let nonce { claims["nonce"] = "\"\(Self.hash(nonce))\"" }
    }

    func signed(_ maker: DevelopmentTokenMaker) throws -> String {
        String(decoding: try maker.token(claims: json), as: UTF8.self)
    }

    /// With a header of one's own, and without a signature.
    func unsigned(header: String) -> String {
        "\(Base64URL.text(of: Array(header.utf8))).\(Base64URL.text(of: json))."
    }

    static func hash(_ nonce: String) -> String {
        Hex.text(of: SHA256.digest(of: Array(nonce.utf8)).bytes)
    }

    private var json: [UInt8] {
        Array("{\(claims.map { "\"\($0)\":\($1)" }.sorted().joined(separator: ","))}".utf8)
    }
}
