package import ChilCore
package import ChilDatabase

/// A verified identity token becomes a session: nonce and token spent, the user found or made, all or nothing.
///
/// `chil_sign_in` in `sql/` decides; at most one of any number of replays is accepted.
package struct SignIn: TenantStatement {
    package enum Outcome: Sendable {
        case accepted(UserView, isNew: Bool)
        /// The same token with the same code came before, and nobody has refreshed what it gave: the answer was lost.
        case repeated(UserView, isNew: Bool, MadeSession)
        /// The nonce was never issued here, has expired or is spent.
        case nonceRefused
        /// This very token was used before.
        case replayed
        /// The operator has banned the user.
        case banned
        /// A new user, and the tenant may have no more.
        case overQuota(QuotaRefusal)
        /// The token was made before consent was revoked, or before the account of that subject ended.
        case outdated
    }

    package static let access = Batch.Access.write
    package static let sql = SQL(
        entering: """
            select * from chil_sign_in(
                $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26,
                $27, $28, $29, $30, $31, $32, $33)
            """
    )

    package static let gathered: SQL? = SQL(
        gatheringCallsOf: "chil_sign_in",
        [
            .bigint, .bigint, .text, .text, .text, .bytea, .bytea, .timestamptz, .text, .boolean, .boolean,
            .text, .text, .bigint, .bigint, .bytea, .text, .text, .text, .text, .bigint, .integer,
            .bytea, .bigint, .bytea, .boolean, .bytea, .timestamptz, .timestamptz, .timestamptz, .timestamptz,
            .timestamptz, .bytea,
        ]
    )

    package let tenant: TenantID
    let proof: Proof
    let subjectDigests: [UInt8]
    let code: SpentCode?
    let givenName: String?
    let familyName: String?
    let newUser: UserID
    let session: NewSession
    let caller: Caller
    let now: Timestamp

    /// - Parameters:
    ///   - subjectDigests: what the subject is known by if its account has ended, one after another (`chil_subject_digest`).
    ///   - code: the authorization code that came with the token, or that gave it.
    ///   - givenName: set if the user has none, never overwriting; from the client, unsigned.
    ///   - newUser: the number that the user gets if there is none yet.
    package init(
        to tenant: TenantID,
        with proof: Proof,
        subjectDigests: [UInt8],
        code: SpentCode? = nil,
        givenName: String?,
        familyName: String?,
        newUser: UserID,
        session: NewSession,
        caller: Caller,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.proof = proof
        self.subjectDigests = subjectDigests
        self.code = code
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
        values.append(proof.clientID)
        values.append(proof.subject)
        values.append(proof.transferSubject)
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
        values.append(session.limit?.audit)
        values.append(int32: session.limit?.countMax)
        values.append(code?.digest)
        values.append(code?.exchange?.id)
        values.append(code?.exchange?.sealedCode)
        values.append(code?.isExchanged ?? false)
        values.append(code?.sealedToken)
        values.append(code?.expires)
        values.append(now)
        values.append(session.idleExpires)
        values.append(session.expires)
        values.append(proof.tokenIssued)
        values.append(subjectDigests)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Outcome {
        switch row.text(0) {
        case "accepted": .accepted(try UserView(row, from: 5), isNew: try row.bool(1))
        case "repeated":
            .repeated(
                try UserView(row, from: 5),
                isNew: try row.bool(1),
                MadeSession(id: try row.id(2), salt: row.bytes(3), idleExpires: try row.timestamp(4))
            )
        case "nonce": .nonceRefused
        case "replayed": .replayed
        case "banned": .banned
        case "outdated": .outdated
        case let word:
            if let refusal = QuotaRefusal(verdict: word) { .overQuota(refusal) } else { throw .unknownWord(word) }
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
