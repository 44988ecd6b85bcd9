import ChilCore

/// The claims of one identity token, in the provider's shape and with its quirks.
struct IdentityClaimsDraft: Sendable {
    let issuer: String
    let draft: AuthorizationDraft
    let issued: Timestamp
    let expires: Timestamp
    let authorized: Timestamp
    let tokenID: String
    /// `c_hash` or `at_hash`.
    let hash: (name: String, value: String)
    /// What the other team knew the user by.
    let transferSubject: String?
    let quirks: Set<Quirk>

    func json() -> [UInt8] {
        var claims = JSONMembers()
        claims.add("iss", issuer)
        claims.add("aud", draft.clientID)
        claims.add("exp", raw: date(expires))
        claims.add("iat", raw: date(issued))
        claims.add("sub", draft.subject)
        claims.add("jti", tokenID)
        if let nonce = draft.nonce, !quirks.contains(.noNonce) { claims.add("nonce", nonce) }
        claims.add(hash.name, hash.value)
        if let email = draft.email, !quirks.contains(.noEmail) {
            claims.add("email", email)
            claims.add("email_verified", raw: flag(draft.isEmailVerified))
            if let isPrivate = draft.isPrivateEmail, !quirks.contains(.noPrivateEmail) {
                claims.add("is_private_email", raw: flag(isPrivate))
            }
        }
        claims.add("auth_time", raw: date(authorized))
        claims.add("nonce_supported", raw: Array("true".utf8))
        if let transferSubject { claims.add("transfer_sub", transferSubject) }
        for extra in draft.claims { claims.put(extra.name, raw: extra.json) }
        return claims.json()
    }

    private func flag(_ flag: Bool) -> [UInt8] {
        Array((quirks.contains(.stringBooleans) ? "\"\(flag)\"" : "\(flag)").utf8)
    }

    /// Seconds; `1.796000000E9` where that is wanted.
    private func date(_ moment: Timestamp) -> [UInt8] {
        let digits = Array("\(moment.seconds)".utf8)
        guard quirks.contains(.scientificDates), digits.count > 1, moment.seconds > 0 else { return digits }
        return digits[..<1] + [UInt8(ascii: ".")] + digits[1...] + Array("E\(digits.count - 1)".utf8)
    }
}
