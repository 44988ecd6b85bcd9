import ChilAuth
import ChilCore
import ChilLoop

/// Verifies the identity token that a provider gave for a code, or with one: by every check of the contract, for one client id alone.
struct CodeTokenCheck {
    let keySets: KeySetCache
    let loop: EventLoop

    /// - Parameters:
    ///   - clientID: whose code it was.
    ///   - nonce: what the token must be bound to; nil: nobody told.
    func identity(
        in token: [UInt8],
        of clientID: String,
        from provider: ProviderContext,
        _ tenant: TenantContext,
        nonce: String?
    ) async -> Result<VerifiedIdentity, KeySetCache.Refusal> {
        let records = tenant.providers.filter { $0.id == provider.id }.map { $0.narrowed(to: clientID) }
        let precheck = IdentityVerifier.precheck(
            token,
            providers: records,
            nonce: nonce,
            demand: .ifSent,
            userID: nil,
            at: loop.wallClock
        )
        switch precheck {
        case .rejected(let rejection): return .failure(.rejected(rejection))
        case .needsKey(let token): return await keySets.verified(token, provider.keySet, on: loop)
        }
    }
}
