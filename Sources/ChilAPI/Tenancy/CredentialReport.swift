import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// Tells the operator that a provider refuses the tenant's credentials, or takes them again: once, however many calls hear of it.
struct CredentialReport {
    let database: DatabaseClient
    let ids: IDSource
    let loop: EventLoop
    let log: ServiceLog

    /// - Parameter fault: what the provider said; `nil`: the credentials work.
    func tell(_ fault: String?, of provider: ProviderContext, in tenant: TenantID) async {
        if fault == nil, provider.credentialFault == nil { return }
        do {
            let audit: AuditID = try ids.next(at: loop.wallClock)
            let set = CredentialFaultSet(fault, of: provider.id, in: tenant, audit: audit, at: loop.wallClock)
            try await set.touched(on: database)
        } catch {
            // Whoever hears of it next tells it.
            log.write(
                .warning,
                "credential fault not stored",
                [("tenant", "\(tenant.rawValue)"), ("provider", "\(provider.id)"), ("reason", "\(error)")]
            )
        }
    }
}
