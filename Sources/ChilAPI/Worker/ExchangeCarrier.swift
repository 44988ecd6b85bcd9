import ChilAuth
import ChilCore
import ChilDatabase
import ChilLoop
import ChilProvider
import ChilStore

/// Exchanges codes that came with an identity token, so that the provider's token is there when the account ends. Not `Sendable`.
///
/// The person is signed in already: whatever goes wrong here is written down with the identity and fails nothing else. A provider that
/// does not answer is asked again as long as the code lives. If it took the code all the same, that is lost either way.
final class ExchangeCarrier {
    private struct Known {
        let context: TenantContext
        let until: Int64
    }

    private let loop: EventLoop
    private let shared: SharedState
    private let database: DatabaseClient
    private let stopping: StopFlag
    private let check: CodeTokenCheck
    private let credentials: CredentialReport
    private var tenants: [TenantID: Known] = [:]

    init(_ shared: SharedState, _ database: DatabaseClient, on loop: EventLoop, _ ids: IDSource, _ stopping: StopFlag) {
        self.shared = shared
        self.database = database
        self.loop = loop
        self.stopping = stopping
        check = CodeTokenCheck(keySets: shared.keySets, loop: loop)
        credentials = CredentialReport(database: database, ids: ids, loop: loop, log: shared.log)
    }

    private enum Step {
        case end(CodeExchangeEnd.Gain)
        case again(because: String)
    }

    /// Exchanges one code, or leaves it in the queue for later.
    func work(on item: WorkItem) async throws {
        // The next process takes it up: what is sent now might not be stored.
        if stopping.isRaised { return }
        let waiting = try await CodeExchangeLoad(ExchangeID(rawValue: item.subject), in: item.tenant).first(
            from: database
        )
        guard let waiting else {
            _ = try await WorkFinish(item).run(on: database)
            return
        }
        switch try await step(waiting, item) {
        case .end(let gain):
            let outcome = try await stored(CodeExchangeEnd(item, of: waiting, with: gain, at: loop.wallClock))
            if outcome == .orphan, case .token = gain { shared.work.ring() }
            if case .nothing(let reason) = gain { log(.warning, "code not exchanged", item, reason) }
        case .again(let reason):
            log(.info, "code exchange put off", item, reason)
            _ = try await WorkPostpone(item, by: Self.pause(after: item.attempts)).run(on: database)
        }
    }

    /// What the provider gave it gives once: if it cannot be stored now (the end of a large account holds the row for seconds), then later,
    /// for as long as the lease is sure to last.
    private func stored(_ end: CodeExchangeEnd) async throws -> CodeExchangeEnd.Outcome {
        let deadline = loop.monotonicNow + Self.storePatience.nanoseconds
        while true {
            do {
                return try await end.answer(from: database)
            } catch {
                guard loop.monotonicNow < deadline, !stopping.isRaised else { throw error }
                await loop.sleep(Self.storePause)
            }
        }
    }

    private func step(_ waiting: CodeExchange, _ item: WorkItem) async throws -> Step {
        guard loop.wallClock < waiting.expires else {
            return .end(.nothing(because: "the code was not exchanged within its five minutes"))
        }
        guard let tenant = try await tenant(item.tenant) else { return .end(.nothing(because: "the tenant is gone")) }
        guard let provider = tenant.provider(waiting.provider), let client = provider.client(named: waiting.clientID)
        else {
            return .end(.nothing(because: "the operator removed the client id"))
        }
        let sealed = waiting.sealedCode
        guard let code = try shared.sealer.open(sealed, tenant: item.tenant, column: CodeExchange.sealedColumn) else {
            return .end(.nothing(because: "the code was sealed by another key: CHIL_KEY_FILE must be one for all"))
        }
        let remote: ProviderClient
        switch provider.remote(on: loop) {
        case .success(let client): remote = client
        case .failure(let obstacle): return .end(.nothing(because: "\(obstacle)"))
        }
        let answer = await remote.exchange(
            code: code,
            clientID: client.id,
            redirectURI: client.redirectURI,
            at: loop.wallClock
        )
        switch answer {
        case .success(let tokens):
            let gain = try await gain(tokens, waiting, provider, tenant)
            await credentials.tell(nil, of: provider, in: item.tenant)
            return gain
        case .failure(.refusedCredentials(let said)):
            log(.error, "provider refuses the credentials", item, said)
            await credentials.tell(said, of: provider, in: item.tenant)
            // The operator may be quicker than the code is old.
            return .again(because: said)
        case .failure(.refusedGrant): return .end(.nothing(because: "invalid_grant"))
        case .failure(.refusedRequest(let said)): return .end(.nothing(because: said))
        case .failure(.away(let said)): return .again(because: said)
        }
    }

    /// What was given is kept only if it is this person's: with a code of somebody else's, that one's consent would be revoked when
    /// this account ends.
    private func gain(
        _ tokens: TokenAnswer,
        _ waiting: CodeExchange,
        _ provider: ProviderContext,
        _ tenant: TenantContext
    ) async throws -> Step {
        guard let refreshToken = tokens.refreshToken else {
            return .end(.nothing(because: "the provider gave no refresh token"))
        }
        guard let identityToken = tokens.identityToken else {
            return .end(.nothing(because: "the provider gave no identity token"))
        }
        let identity = await check.identity(in: identityToken, of: waiting.clientID, from: provider, tenant, nonce: nil)
        switch identity {
        case .success(let identity):
            guard isOwner(identity.subject, of: waiting, tenant.id) else {
                return .end(.nothing(because: "the code was another person's"))
            }
        case .failure(let refusal):
            return .end(.nothing(because: "the provider's identity token was refused: \(refusal)"))
        }
        let sealed = try shared.sealer.seal(refreshToken, tenant: tenant.id, column: TokenRevocation.sealedColumn)
        return .end(.token(sealed))
    }

    private func isOwner(_ subject: String, of waiting: CodeExchange, _ tenant: TenantID) -> Bool {
        switch waiting.owner {
        case .subject(let owner): owner.isExactly(subject)
        case .ended(let digest): shared.subjects.isDigest(digest, of: subject, from: waiting.provider, in: tenant)
        }
    }

    /// Read anew after a second: this loop hears of changes, the worker does not.
    private func tenant(_ id: TenantID) async throws -> TenantContext? {
        let now = loop.monotonicNow
        if let known = tenants[id], now < known.until { return known.context }
        guard let entry = try await TenantDirectory.entry(id: id, from: database) else { return nil }
        let context = try TenantContext(
            entry,
            publicURL: shared.configuration.publicURL,
            sealer: shared.sealer,
            loadedAt: now,
            at: loop.wallClock
        )
        if tenants.count >= Self.tenantsMax { tenants.removeAll() }
        tenants[id] = Known(context: context, until: now + Self.tenantLife)
        return context
    }

    private func log(_ level: ServiceLog.Level, _ message: StaticString, _ item: WorkItem, _ reason: String) {
        shared.log.write(
            level,
            message,
            [("tenant", "\(item.tenant.rawValue)"), ("exchange", "\(item.subject)"), ("reason", reason)]
        )
    }

    /// 1, 2, 4 … 32 s, and up to half of that more, so that what failed together is not tried together.
    private static func pause(after attempts: Int32) -> Duration {
        let milliseconds: Int64 = 1_000 << Int64(min(max(attempts - 1, 0), 5))
        return .milliseconds(milliseconds + Int64.random(in: 0...milliseconds / 2))
    }

    /// The lease has two minutes, of which a call to the provider and its keys takes ten seconds at most.
    private static let storePatience = Duration.seconds(90)
    private static let storePause = Duration.seconds(1)
    private static let tenantsMax = 256
    private static let tenantLife: Int64 = 1_000_000_000
}
