import ChilCore

/// The claims of an identity token beyond those that only decide whether it is accepted.
struct IdentityClaims: Sendable {
    let subject: String
    let issuer: String
    let issued: Timestamp
    let expires: Timestamp
    let email: String?
    let isEmailVerified: Bool
    /// nil where the token does not say.
    let isPrivateEmail: Bool?
    /// For 60 days after the app moved to another team: leads from the subject with the old one to the subject with the new one.
    let transferSubject: String?

    /// OpenID Connect Core §2 has 255 ASCII characters; the store has no room for control characters.
    static let subjectRule = TextRule(bytesMax: 255)
    /// RFC 5321 §4.5.3.1: 64 octets, `@`, 255 octets.
    static let emailRule = TextRule(bytesMax: 320)

    init(_ members: JSONObject, subject: String, issuer: String, issued: Timestamp, expires: Timestamp) {
        self.issued = issued
        self.subject = subject
        self.issuer = issuer
        self.expires = expires
        email = members["email"]?.string.flatMap { Self.emailRule.fault(in: $0) == nil ? $0 : nil }
        // Without an address there is nothing that could be verified.
        isEmailVerified = email != nil && Self.flag(members["email_verified"]) == true
        isPrivateEmail = Self.flag(members["is_private_email"])
        transferSubject = members["transfer_sub"]?.string.flatMap { Self.subjectRule.fault(in: $0) == nil ? $0 : nil }
    }

    /// Apple has sent both forms, and leaves the claim out; anything else is no "true".
    private static func flag(_ value: JSONValue?) -> Bool? {
        guard let value else { return nil }
        if let flag = value.bool { return flag }
        return value.string?.isExactly("true") ?? false
    }
}
