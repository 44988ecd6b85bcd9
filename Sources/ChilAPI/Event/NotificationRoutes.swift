import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilHTTP
import ChilStore

extension APIService {
    /// `POST auth/apple/notifications`: answered once it is stored, acted on afterwards (`EventCarrier`).
    func takeNotification(_ call: Call) async throws -> Response {
        let payload = try await Self.payload(of: call.exchange)
        guard try await take(payload, for: call.tenant, call.admission, at: call.now) else {
            throw Problem.invalidNotification
        }
        return Response(.ok)
    }

    /// `POST /apple/notifications`, for all tenants: `aud` names the candidates, and nothing happens at one before the signature is
    /// right by that tenant's own record.
    func takeSharedNotification(_ exchange: Exchange, at now: Timestamp) async throws -> Response {
        let payload = try await Self.payload(of: exchange)
        guard let audience = NotificationVerifier.claimedAudience(of: payload, at: now) else {
            throw Problem.invalidNotification
        }
        var isTaken = false
        var absence: Problem?
        for slug in try await database.run(ClientOwners(of: audience), .read, of: nil) {
            do {
                if try await take(payload, for: try await tenants.tenant(slug), at: now) { isTaken = true }
            } catch let problem as Problem where problem.status == .serviceUnavailable {
                absence = problem
            }
        }
        // Sent again, it comes to those who have not taken it yet.
        if let absence { throw absence }
        guard isTaken else { throw Problem.invalidNotification }
        return Response(.ok)
    }

    /// Verifies and stores. False: it is none of this tenant's.
    ///
    /// - Parameter admission: of a request to this tenant alone, which counts for it from here on.
    private func take(
        _ payload: [UInt8],
        for tenant: TenantContext,
        _ admission: Admission? = nil,
        at now: Timestamp
    ) async throws -> Bool {
        guard case .needsKey(let token) = NotificationVerifier.precheck(payload, providers: tenant.providers, at: now),
            case .success(let notification) = try await proven(token, of: tenant)
        else { return false }
        try await admission?.admitTenant(tenant.id, limiter)
        let takes = try notification.events.enumerated().map { index, event in
            ProviderEventTake(
                event.what,
                try ids.next(at: now),
                in: tenant.id,
                provider: notification.providerID,
                digest: notification.digest(of: index).bytes,
                happened: event.happened ?? notification.issued,
                at: now
            )
        }
        let isNew = try await ProviderEventTake.run(takes, of: tenant.id, on: database)
        if isNew.contains(true) { work.workWasQueued() }
        for (event, isNew) in zip(notification.events, isNew) {
            guard isNew, case .unknown(let kind) = event.what else { continue }
            shared.log.write(
                .warning,
                "provider event of an unknown kind",
                [("tenant", "\(tenant.id.rawValue)"), ("kind", kind)]
            )
        }
        return true
    }

    /// The member `payload` of a JSON object; the rest is the provider's to add to.
    private static func payload(of exchange: Exchange) async throws(Problem) -> [UInt8] {
        let body: [UInt8]
        do {
            body = try await exchange.body(atMost: bodyBytesMax)
        } catch {
            throw .rejected(error, bytesMax: bodyBytesMax)
        }
        guard let text = (try? StrictJSON.parse(body))?.object?["payload"]?.string else { throw .invalidNotification }
        return Array(text.utf8)
    }

    private static var bodyBytesMax: Int { 64 << 10 }
}

extension ProviderEvent {
    fileprivate var what: ProviderEventTake.What {
        switch kind {
        case .consentRevoked: .known(.consentRevoked, of: subject)
        case .accountDeleted: .known(.accountDeleted, of: subject)
        case .emailEnabled: .known(.emailEnabled, of: subject)
        case .emailDisabled: .known(.emailDisabled, of: subject)
        case .other(let word): .unknown(word)
        }
    }
}
