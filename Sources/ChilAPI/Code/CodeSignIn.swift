import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilLoop
import ChilProvider
import ChilStore

/// A code that came alone: it is exchanged first, and the identity token of the answer signs the person in.
struct CodeRequest {
    let code: String
    let clientID: String?
    /// Only to be compared with the registered one, which is the one that is sent.
    var redirectURI: String?
    /// Passed on to the provider.
    var verifier: String?
    var nonce: String?
    var person = SelfDescription()

    /// Digest of what has to come again with the code, so that whoever has the code alone gets nothing by it. Neither may have a NUL.
    var bindingDigest: [UInt8] {
        SHA256.digest(of: Array((verifier ?? "").utf8) + [0] + Array((nonce ?? "").utf8)).bytes
    }
}

extension APIService {
    /// A code is exchanged by one request: others that bring it wait for that one, and get the same session.
    ///
    /// - Throws: `CodeRefusal`, `Problem`, `DatabaseError`.
    func signIn(with request: CodeRequest, _ call: Call) async throws -> SignedIn {
        // Whose it is the provider alone knows.
        try await call.admission.admitAnybody(of: call.tenant.id, limiter)
        let (provider, client) = try client(named: request.clientID, of: call.tenant)
        if let uri = request.redirectURI, client.redirectURI?.isExactly(uri) != true {
            throw CodeRefusal.wrongRedirectURI
        }
        // What the provider posts to the callback is redeemed as an `AppCode`, by the app that made the challenge, and by nobody else.
        if client.use == .web, client.redirectURI?.isExactly(callbackURI(of: call.tenant)) == true {
            throw CodeRefusal.refused
        }
        let remote: ProviderClient
        switch provider.remote(on: loop) {
        case .success(let client): remote = client
        case .failure(.noEndpoint), .failure(.noCredentials): throw CodeRefusal.notSetUp
        case .failure(let obstacle):
            logProvider("provider cannot be called", "\(obstacle)", call)
            throw CodeRefusal.misconfigured
        }
        let code = AuthorizationCode(request.code, of: client.id)
        let take: CodeTake
        switch try await turn(with: code, boundTo: request.bindingDigest, call) {
        case .over(let known): return known
        case .mine(let taken): take = taken
        }
        do {
            return try await exchange(code, request, client, provider, remote, call)
        } catch {
            // Whatever was thrown, the next who brings the code is not kept waiting for an end that has come.
            let fault = CodeUse.Fault(of: error)
            _ = try? await CodeGiveUp(take, because: fault, at: loop.wallClock).touched(on: database)
            if let fault { throw CodeRefusal(of: fault) }
            throw error
        }
    }

    private enum Turn {
        /// What the code has given already.
        case over(SignedIn)
        /// It is this request's to exchange.
        case mine(CodeTake)
    }

    private func turn(with code: AuthorizationCode, boundTo binding: [UInt8], _ call: Call) async throws -> Turn {
        let tenant = call.tenant.id
        let deadline = loop.monotonicNow + Self.codePatience.nanoseconds
        var mayTake = true
        while true {
            let now = loop.wallClock
            // Without room no row is written either: anybody can send codes.
            let hasRoom = !exchangeRoom.isFull(for: tenant)
            if mayTake, hasRoom {
                let take = CodeTake(code.digest, boundTo: binding, of: tenant, for: Self.codeLease, at: now)
                if try await take.answer(from: database) { return .mine(take) }
            }
            let look = CodeUseLook(code.digest, boundTo: binding, of: tenant, at: now)
            guard let use = try await look.first(from: database) else {
                if !hasRoom { throw Problem.overloaded }
                // Older than a code can be.
                throw CodeRefusal.refused
            }
            switch use.state {
            case .made(let user, let isNew, let session):
                return .over(SignedIn(grant: Grant(session, of: user.id), user: user, isNew: isNew))
            case .spent: throw CodeRefusal.refused
            case .faulty(let fault): throw CodeRefusal(of: fault)
            case .underWay:
                guard loop.monotonicNow < deadline else { throw CodeRefusal.away }
                mayTake = use.leasedUntil <= now
                if !mayTake || !hasRoom { await loop.sleep(Self.codeLookPause) }
            }
        }
    }

    private func exchange(
        _ code: AuthorizationCode,
        _ request: CodeRequest,
        _ client: ProviderClientRecord,
        _ provider: ProviderContext,
        _ remote: ProviderClient,
        _ call: Call
    ) async throws -> SignedIn {
        let tenant = call.tenant.id
        guard exchangeRoom.take(for: tenant) else { throw Problem.overloaded }
        let answer = await remote.exchange(
            code: code.bytes,
            clientID: client.id,
            redirectURI: client.redirectURI,
            verifier: request.verifier.map { SecretBytes(copying: Array($0.utf8)) },
            nonce: request.nonce.map { SecretBytes(copying: Array($0.utf8)) },
            at: loop.wallClock
        )
        exchangeRoom.giveBack(of: tenant)
        let tokens: TokenAnswer
        switch answer {
        case .success(let given): tokens = given
        case .failure(.refusedGrant): throw CodeRefusal.refused
        case .failure(.refusedCredentials(let said)):
            logProvider("provider refuses the credentials", said, call)
            await credentials.tell(said, of: provider, in: tenant)
            throw CodeRefusal.misconfigured
        case .failure(.refusedRequest(let said)):
            logProvider("provider refuses the exchange", said, call)
            throw CodeRefusal.refused
        case .failure(.away(let said)):
            shared.log.write(.warning, "provider away", [("request", call.id.text), ("reason", said)])
            throw CodeRefusal.away
        }
        await credentials.tell(nil, of: provider, in: tenant)
        let sealed = try tokens.refreshToken.map {
            try shared.sealer.seal($0, tenant: tenant, column: TokenRevocation.sealedColumn)
        }
        let identity: VerifiedIdentity
        do {
            identity = try await self.identity(in: tokens, of: client, from: provider, nonce: request.nonce, call)
        } catch {
            if let sealed { await giveBack(sealed, of: client, from: provider, call) }
            throw error
        }
        // Whom this refuses, of that one PostgreSQL has the token given back.
        let spent = SpentCode(digest: code.digest, exchangedFor: sealed, at: call.now)
        return try await signIn(SignIn.Proof(identity), spending: spent, as: request.person, call)
    }

    private func identity(
        in tokens: TokenAnswer,
        of client: ProviderClientRecord,
        from provider: ProviderContext,
        nonce: String?,
        _ call: Call
    ) async throws(CodeRefusal) -> VerifiedIdentity {
        guard let token = tokens.identityToken else {
            logProvider("provider gives no identity token", "", call)
            throw .unproven
        }
        let check = CodeTokenCheck(keySets: shared.keySets, loop: loop)
        switch await check.identity(in: token, of: client.id, from: provider, call.tenant, nonce: nonce) {
        case .failure(.away): throw .away
        case .failure(.rejected): throw .unproven
        case .success(let identity): return identity
        }
    }

    /// What the provider gave is nobody's here: it is revoked, or the person's consent would stand there for nothing.
    private func giveBack(
        _ sealed: [UInt8],
        of client: ProviderClientRecord,
        from provider: ProviderContext,
        _ call: Call
    ) async {
        do {
            let queue = TokenRevocationQueue(
                sealed,
                as: try ids.next(at: call.now),
                of: client.id,
                from: provider.id,
                in: call.tenant.id,
                at: loop.wallClock
            )
            try await queue.touched(on: database)
            work.workWasQueued()
        } catch {
            logProvider("provider's token not given back", "\(error)", call)
        }
    }

    /// Whose code it is: the client that was named, or the only one there is.
    private func client(
        named id: String?,
        of tenant: TenantContext
    ) throws(CodeRefusal) -> (ProviderContext, ProviderClientRecord) {
        let all = tenant.providerContexts.flatMap { provider in provider.clients.map { (provider, $0) } }
        if let id {
            guard let named = all.first(where: { $0.1.id.isExactly(id) }) else { throw .unknownClient }
            return named
        }
        let ready = all.filter { $0.0.isSetUp }
        let native = ready.filter { $0.1.use == .native }
        let candidates = native.isEmpty ? ready : native
        guard let only = candidates.first else { throw .notSetUp }
        guard candidates.count == 1 else { throw .ambiguousClient }
        return only
    }

    private func callbackURI(of tenant: TenantContext) -> String {
        "\(shared.configuration.publicURL)/\(tenant.slug.text)/auth/apple/callback"
    }

    private var credentials: CredentialReport {
        CredentialReport(database: database, ids: ids, loop: loop, log: shared.log)
    }

    private func logProvider(_ message: StaticString, _ reason: String, _ call: Call) {
        shared.log.write(
            .error,
            message,
            [("tenant", call.tenant.slug.text), ("request", call.id.text), ("reason", reason)]
        )
    }

    /// The provider's five seconds, its keys' five, and what is around them.
    private static let codeLease = Duration.seconds(15)
    /// How long a second request waits for the first.
    private static let codePatience = Duration.seconds(8)
    private static let codeLookPause = Duration.milliseconds(100)
}

extension CodeUse.Fault {
    /// What is to be remembered of a failure. Nil: the code may be tried again.
    fileprivate init?(of error: any Error) {
        if let problem = error as? Problem {
            switch problem.code {
            case .userBanned: self = .banned
            case .quotaExceeded: self = .quota
            case .invalidIdentityToken: self = .unproven
            default: return nil
            }
            return
        }
        switch error as? CodeRefusal {
        case .refused: self = .refused
        case .unproven: self = .unproven
        default: return nil
        }
    }
}

extension CodeRefusal {
    init(of fault: CodeUse.Fault) {
        switch fault {
        case .refused: self = .refused
        case .unproven: self = .unproven
        case .banned: self = .banned
        case .quota: self = .quota
        }
    }
}
