import ChilCore
import ChilStore

/// The quota `requests` is taken after the rate limits, and of nobody before they have shown that they may ask: else one stranger could use
/// up a tenant's month.
extension APIService {
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

    /// For whoever shows something that may turn out to be worth nothing: a refusal gives it back.
    func countUnlessRefused(_ call: Call) async throws {
        guard call.tenant.requestScopes.tenant, !call.admission.isCountedByTenant else { return }
        call.admission.isCountedByTenant = true
        call.admission.provisional =
            try await requestLeases.take(RequestLeases.Key(tenant: call.tenant.id, user: nil))
    }
}

extension Route {
    /// Whether a request of it counts for the quota `requests`. What a provider tells, what ends a session or an account, and what says or
    /// takes back a consent has to be possible whatever was used; and what anybody may ask uses up nothing.
    var isCounted: Bool {
        switch self {
        case .health, .ready, .openAPI, .notification, .sharedNotification, .logout, .endSession, .deleteMe,
            .accountDeletion, .sayConsent, .nonce, .authorize, .callback, .keys, .retention,
            .cancelPrintJob, .epsonNotice:
            false
        case .signInWithApple, .token, .refresh, .listSessions, .me, .changeMe, .exportMe, .generateDrawing,
            .uploadDrawing, .listDrawings, .drawing, .drawingImage, .changeDrawing, .deleteDrawing, .print, .printJob,
            .quota, .consents, .scan, .scanSession, .events, .moveDrawing, .listPrintJobs, .retryPrintJob,
            .listPrinters:
            true
        }
    }
}
