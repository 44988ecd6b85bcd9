import ChilAuth
import ChilCore
import ChilCrypto
import ChilLoop
import ChilStore

/// What an app says of the person and the device at sign-in: unsigned, so it fills what is empty and decides nothing.
struct SelfDescription {
    var deviceName: String?
    var givenName: String?
    var familyName: String?

    static let rule = TextRule(bytesMax: 200)

    init() {}

    init(_ fields: inout FieldReader) {
        givenName = fields.plainText("givenName", Self.rule)
        familyName = fields.plainText("familyName", Self.rule)
        deviceName = fields.plainText("deviceName", Self.rule)
    }
}

/// Somebody is signed in: what every answer to a sign-in is made of.
struct SignedIn {
    let grant: Grant
    let user: UserView
    let isNew: Bool

    /// The members that tell of the person, of an object that is open.
    func appendMembers(to body: inout ByteWriter) {
        body.append(",\"user\":")
        UserJSON.append(user, to: &body)
        body.append(",\"isNewUser\":")
        body.append(json: isNew)
    }
}

extension APIService {
    /// A session for a person whose identity is proven.
    ///
    /// - Parameter code: the authorization code that came with the identity token, or gave it.
    /// - Throws: `Problem.invalidIdentityToken` if the token or its nonce was used before, `.userBanned`, `.quotaExceeded(_:at:)`.
    func signIn(
        _ proof: SignIn.Proof,
        spending code: SpentCode?,
        as person: SelfDescription,
        _ call: Call
    ) async throws -> SignedIn {
        let rules = call.tenant.sessionRules
        let session = SignIn.NewSession(
            id: try ids.next(at: call.now),
            salt: try SecureRandom.bytes(RefreshTokenMinter.saltBytes),
            deviceName: person.deviceName,
            idleExpires: call.now + rules.idle,
            expires: call.now + rules.absolute,
            limit: try rules.countMax.map { SignIn.NewSession.Limit(countMax: $0, audit: try ids.next(at: call.now)) }
        )
        let signIn = SignIn(
            to: call.tenant.id,
            with: proof,
            subjectDigests: shared.subjects.all(of: proof.subject, from: proof.provider, in: call.tenant.id),
            code: code,
            givenName: person.givenName,
            familyName: person.familyName,
            newUser: try ids.next(at: call.now),
            session: session,
            caller: call.caller,
            at: call.now
        )
        let outcome =
            call.tenant.wants(.userCreated)
            ? try await signIn.answer(from: database, then: UserCreatedTell(signIn))
            : try await signIn.answer(from: database)
        // A code to be exchanged, or the token of somebody who is refused to be given back.
        if case .accepted = outcome {
            if code?.exchange != nil { work.workWasQueued() }
        } else if code?.sealedToken != nil {
            work.workWasQueued()
        }
        switch outcome {
        case .nonceRefused:
            count(.nonce, call)
            throw Problem.invalidIdentityToken
        case .replayed:
            count(.replayed, call)
            throw Problem.invalidIdentityToken
        case .outdated: throw Problem.invalidIdentityToken
        case .banned: throw Problem.userBanned
        case .overQuota(let refusal): throw Problem.quotaExceeded(refusal, at: call.now)
        case .accepted(let user, let isNew):
            let made = SignIn.MadeSession(id: session.id, salt: session.salt, idleExpires: session.idleExpires)
            return SignedIn(grant: Grant(made, of: user.id), user: user, isNew: isNew)
        case .repeated(let user, let isNew, let made):
            count(.repeated, call)
            return SignedIn(grant: Grant(made, of: user.id), user: user, isNew: isNew)
        }
    }

    private func count(_ repetition: RepeatedSignIns.Kind, _ call: Call) {
        guard let counts = repeatedSignIns.counted(repetition, in: call.tenant.id, at: loop.monotonicNow) else {
            return
        }
        shared.log.write(.info, "sign-ins repeated", [("tenant", call.tenant.slug.text)] + counts)
    }
}

extension Grant {
    /// The first tokens of a session.
    init(_ session: SignIn.MadeSession, of user: UserID) {
        self.init(user: user, session: session.id, generation: 1, salt: session.salt, ends: session.idleExpires)
    }
}

extension SignIn.Proof {
    init(_ identity: VerifiedIdentity) {
        self.init(
            provider: identity.providerID,
            clientID: identity.clientID,
            subject: identity.subject,
            transferSubject: identity.transferSubject,
            nonceDigest: identity.noncePolicy == .server ? identity.nonceDigest?.bytes : nil,
            tokenDigest: identity.tokenDigest.bytes,
            tokenIssued: identity.issued,
            tokenExpires: identity.expires,
            email: identity.email.map {
                SignIn.Email(address: $0, isVerified: identity.isEmailVerified, isPrivate: identity.isPrivateEmail)
            }
        )
    }
}
