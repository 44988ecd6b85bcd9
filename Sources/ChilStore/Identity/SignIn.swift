package import ChilCore
package import ChilDatabase

/// A verified identity token becomes a session: nonce and token spent, the user found or made, all or nothing.
///
/// `chil_sign_in` in `sql/` decides; at most one of any number of replays is accepted.
package struct SignIn: TenantStatement {
    package enum Outcome: Sendable {
        case accepted(UserView, isNew: Bool)
        /// The nonce was never issued here, has expired or is spent.
        case nonceRefused
        /// This very token was used before.
        case replayed
        /// A new user, and the tenant may have no more.
        case overQuota
    }

    /// An address from the token's signed claims.
    package struct Email: Sendable {
        package let address: String
        package let isVerified: Bool?
        package let isPrivate: Bool?

        package init(address: String, isVerified: Bool?, isPrivate: Bool?) {
            self.address = address
            self.isVerified = isVerified
            self.isPrivate = isPrivate
        }
    }

    /// What the token proved.
    package struct Proof: Sendable {
        package let provider: ProviderID
        package let subject: String
        /// SHA-256 of the nonce; `nil` where the provider's policy demands none of the server's.
        package let nonceDigest: [UInt8]?
        /// SHA-256 of what is signed in the token.
        package let tokenDigest: [UInt8]
        package let tokenExpires: Timestamp
        package let email: Email?

        package init(
            provider: ProviderID,
            subject: String,
            nonceDigest: [UInt8]?,
            tokenDigest: [UInt8],
            tokenExpires: Timestamp,
            email: Email?
        ) {
            self.provider = provider
            self.subject = subject
            self.nonceDigest = nonceDigest
            self.tokenDigest = tokenDigest
            self.tokenExpires = tokenExpires
            self.email = email
        }
    }

    /// The session to be made. Its generation is 1.
    package struct NewSession: Sendable {
        package let id: SessionID
        /// 16 random bytes.
        package let salt: [UInt8]
        package let deviceName: String?
        package let idleExpires: Timestamp
        package let expires: Timestamp

        package init(id: SessionID, salt: [UInt8], deviceName: String?, idleExpires: Timestamp, expires: Timestamp) {
            self.id = id
            self.salt = salt
            self.deviceName = deviceName
            self.idleExpires = idleExpires
            self.expires = expires
        }
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        select * from chil_sign_in(
            $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
        """
    )

    package let tenant: TenantID
    let proof: Proof
    let givenName: String?
    let familyName: String?
    let newUser: UserID
    let session: NewSession
    let caller: Caller
    let now: Timestamp

    /// - Parameters:
    ///   - givenName: set if the user has none, never overwriting; from the client, unsigned.
    ///   - newUser: the number that the user gets if there is none yet.
    package init(
        to tenant: TenantID,
        with proof: Proof,
        givenName: String?,
        familyName: String?,
        newUser: UserID,
        session: NewSession,
        caller: Caller,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.proof = proof
        self.givenName = givenName
        self.familyName = familyName
        self.newUser = newUser
        self.session = session
        self.caller = caller
        self.now = now
    }

    /// Replays of one token wait for each other in the loop rather than inside PostgreSQL.
    package var contention: Batch.ContentionKey? {
        var row: Int64 = 0
        for byte in proof.tokenDigest.prefix(8) { row = row << 8 | Int64(byte) }
        return Batch.ContentionKey(tenant: tenant, row: row)
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(proof.provider)
        values.append(proof.subject)
        values.append(proof.nonceDigest)
        values.append(proof.tokenDigest)
        values.append(proof.tokenExpires)
        values.append(proof.email?.address)
        values.append(flag: proof.email?.isVerified)
        values.append(flag: proof.email?.isPrivate)
        values.append(givenName)
        values.append(familyName)
        values.append(newUser)
        values.append(session.id)
        values.append(session.salt)
        values.append(session.deviceName)
        values.append(caller.userAgent)
        values.append(caller.address)
        values.append(caller.requestID)
        values.append(now)
        values.append(session.idleExpires)
        values.append(session.expires)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        switch row.text(0) {
        case "accepted": .accepted(try UserView(row, from: 2), isNew: try row.bool(1))
        case "nonce": .nonceRefused
        case "replayed": .replayed
        case "quota": .overQuota
        case let word: throw .unknownWord(word)
        }
    }
}

extension BoundValues {
    mutating func append(flag: Bool?) {
        if let flag { append(flag) } else { appendNull() }
    }

    mutating func append(int32 number: Int32?) {
        if let number { append(int32: number) } else { appendNull() }
    }
}
