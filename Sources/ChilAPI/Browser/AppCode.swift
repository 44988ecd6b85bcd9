import ChilAuth
import ChilCore
import ChilCrypto
import ChilStore

/// What the browser carries to the app at the end of a sign-in: all that the provider proved, sealed, and the provider's own code.
///
/// `chl_ac_` and base64url. Worth nothing without the app's verifier, and only until the provider's code has had its time. It is spent
/// together with that code, so one that is redeemed twice gives the session of the first time, or nothing.
struct AppCode {
    let proof: SignIn.Proof
    /// The provider's, to be exchanged once the session is there.
    let code: String
    let challenge: CodeChallenge
    let givenName: String?
    let familyName: String?
    let expires: Timestamp

    static let prefix = "chl_ac_"
    /// As the app sends it.
    static let rule = TextRule(bytesMax: 8_192)
    /// What the sealing binds it to.
    private static let column = "auth.app_code"

    static func isOne(_ text: String) -> Bool {
        text.utf8.starts(with: prefix.utf8)
    }

    func text(of tenant: TenantID, _ sealer: Sealer) throws -> String {
        var json = ByteWriter(capacity: 1_024)
        json.append("{\"p\":")
        json.append(decimal: proof.provider.rawValue)
        json.append(",\"c\":")
        json.append(json: proof.clientID)
        json.append(",\"u\":")
        json.append(json: proof.subject)
        json.append(",\"d\":")
        json.append(json: Base64URL.text(of: proof.tokenDigest))
        json.append(",\"x\":")
        json.append(decimal: proof.tokenExpires.microseconds)
        json.append(",\"i\":")
        json.append(decimal: proof.tokenIssued.microseconds)
        json.append(",\"k\":")
        json.append(json: code)
        json.append(",\"h\":")
        json.append(json: challenge.text)
        json.append(",\"e\":")
        json.append(decimal: expires.seconds)
        func append(_ name: StaticString, _ text: String?) {
            guard let text else { return }
            json.append(name)
            json.append(json: text)
        }
        append(",\"t\":", proof.transferSubject)
        append(",\"g\":", givenName)
        append(",\"f\":", familyName)
        append(",\"m\":", proof.email?.address)
        if let isVerified = proof.email?.isVerified {
            json.append(",\"v\":")
            json.append(json: isVerified)
        }
        if let isPrivate = proof.email?.isPrivate {
            json.append(",\"r\":")
            json.append(json: isPrivate)
        }
        json.append("}")
        var plain = json.finish()
        defer { ConstantTime.cleanse(&plain) }
        let sealed = try sealer.seal(SecretBytes(copying: plain), tenant: tenant, column: Self.column)
        return Self.prefix + Base64URL.text(of: sealed)
    }

    init(
        _ proof: SignIn.Proof,
        code: String,
        for challenge: CodeChallenge,
        givenName: String?,
        familyName: String?,
        at now: Timestamp
    ) {
        self.proof = proof
        self.code = code
        self.challenge = challenge
        self.givenName = givenName
        self.familyName = familyName
        expires = now + SpentCode.lifetime
    }

    /// Nil for what was not sealed here for this tenant, or has had its time.
    init?(_ text: String, of tenant: TenantID, _ sealer: Sealer, at now: Timestamp) {
        guard Self.isOne(text), let sealed = Base64URL.decode(String(text.dropFirst(Self.prefix.count))),
            let plain = try? sealer.open(sealed, tenant: tenant, column: Self.column),
            let members = try? StrictJSON.parse(plain.copy()).object,
            let provider = members["p"]?.int64, let client = members["c"]?.string, let subject = members["u"]?.string,
            let digest = members["d"]?.string.flatMap({ Base64URL.decode($0) }), let tokenExpires = members["x"]?.int64,
            let tokenIssued = members["i"]?.int64,
            let code = members["k"]?.string, let challenge = members["h"]?.string.flatMap({ CodeChallenge($0) }),
            let expires = members["e"]?.int64, now < Timestamp(seconds: expires)
        else { return nil }
        proof = SignIn.Proof(
            provider: ProviderID(rawValue: provider),
            clientID: client,
            subject: subject,
            transferSubject: members["t"]?.string,
            // It was bound to this sign-in by the state.
            nonceDigest: nil,
            tokenDigest: digest,
            tokenIssued: Timestamp(microseconds: tokenIssued),
            tokenExpires: Timestamp(microseconds: tokenExpires),
            email: members["m"]?.string.map {
                SignIn.Email(address: $0, isVerified: members["v"]?.bool, isPrivate: members["r"]?.bool)
            }
        )
        self.code = code
        self.challenge = challenge
        givenName = members["g"]?.string
        familyName = members["f"]?.string
        self.expires = Timestamp(seconds: expires)
    }
}
