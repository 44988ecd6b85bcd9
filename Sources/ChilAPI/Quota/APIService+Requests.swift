import ChilCore
import ChilStore

/// The quota `requests` is taken after the rate limits and before anything else is asked of the database.
extension APIService {
    /// For a route that nobody has to be signed in for: by the tenant's limits.
    func count(_ route: Route, _ tenant: TenantContext, _ admission: Admission) async throws {
        if !route.isCounted {
            admission.isCountedByTenant = true
            admission.isCountedByUser = true
        } else if !route.needsSession {
            try await count(by: nil, tenant, admission)
        }
    }

    /// The user's limits, then the tenant's: whoever is over a limit of their own uses up nothing of what others have.
    ///
    /// - Throws: `Problem.quotaExceeded`, `Problem.databaseAway`.
    func count(by user: UserID?, _ tenant: TenantContext, _ admission: Admission) async throws {
        var own: RequestLeases.Taken?
        if let user, tenant.requestScopes.user, !admission.isCountedByUser {
            admission.isCountedByUser = true
            own = try await requestLeases.take(RequestLeases.Key(tenant: tenant.id, user: user))
        }
        guard tenant.requestScopes.tenant, !admission.isCountedByTenant else { return }
        admission.isCountedByTenant = true
        do {
            try await requestLeases.take(RequestLeases.Key(tenant: tenant.id, user: nil))
        } catch {
            if let own { requestLeases.giveBack(own) }
            throw error
        }
    }
}

extension Route {
    /// Whether a request of it counts for the quota `requests`. What a provider tells, what ends a session or an account, and what says or
    /// takes back a consent has to be possible whatever was used.
    var isCounted: Bool {
        switch self {
        case .health, .ready, .openAPI, .notification, .sharedNotification, .logout, .endSession, .deleteMe,
            .accountDeletion, .sayConsent:
            false
        case .nonce, .signInWithApple, .token, .authorize, .callback, .refresh, .listSessions, .keys, .me, .changeMe,
            .exportMe, .generateDrawing, .uploadDrawing, .listDrawings, .drawing, .drawingImage, .changeDrawing,
            .deleteDrawing,
            .print, .printJob,
            .quota, .consents, .retention, .scan, .scanSession, .events, .moveDrawing:
            true
        }
    }
}
