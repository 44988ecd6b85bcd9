import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilStore
import ChilWebhook

extension LiveServices: WebhookServices {
    func addWebhook(_ draft: WebhookDraft, to slug: Slug) async throws(AdminFault) -> (
        WebhookSecretRow, notes: [String]
    ) {
        let tenant = try await record(of: slug)
        let url: HTTPURL
        do throws(WebhookAddress.Fault) {
            url = try draft.checkedURL()
        } catch {
            throw AdminFault(.dataRefused, "'\(draft.url)' is not taken: \(error)", remedy: "Give another --url.")
        }
        let notes = try await notes(on: url, draft)
        let (secret, sealed) = try freshSecret(of: tenant)
        let id: WebhookEndpointID = try fresh()
        let add = ChilStore.WebhookAdd(
            id,
            to: tenant.id,
            ChilStore.WebhookAdd.Draft(
                url: draft.url,
                types: draft.types.types,
                allowedPrivateEndpoint: draft.privateEndpoint?.text,
                sealedSecret: sealed
            ),
            note: try note()
        )
        try await ask { database throws(DatabaseError) in try await add.run(on: database) }
        return (WebhookSecretRow(id: id.rawValue, secret: secret.text), notes)
    }

    /// A name that leads to a private address is refused here already; one that leads nowhere from here may from where chilapi stands.
    private func notes(on url: HTTPURL, _ draft: WebhookDraft) async throws(AdminFault) -> [String] {
        let exception = draft.privateEndpoint.map { AddressGuard.Exception(host: $0.host, port: $0.port) }
        let guarding = AddressGuard(allowing: exception.map { [$0] } ?? [])
        let addresses: [SocketAddress]
        do throws(NameResolver.Failure) {
            addresses = try await NameResolver.addresses(of: url.host, port: url.port)
        } catch {
            return ["'\(url.host)' has no address from here: \(error)."]
        }
        guard let refused = addresses.first(where: { !guarding.allows($0, for: url.host) }) else { return [] }
        throw AdminFault(
            .dataRefused,
            "'\(url.host)' is at \(refused.host), which is not public",
            remedy: "Add --allow-private \(url.host):\(url.port) if that is meant."
        )
    }

    func webhooks(of slug: Slug) async throws(AdminFault) -> [WebhookRow] {
        try await endpoints(of: try await record(of: slug)).map(WebhookRow.init)
    }

    func webhook(_ number: WebhookNumber, of slug: Slug) async throws(AdminFault) -> WebhookRow {
        WebhookRow(try await endpoint(number, of: try await record(of: slug)))
    }

    func testWebhook(_ number: WebhookNumber, of slug: Slug) async throws(AdminFault) -> WebhookTestRow {
        let tenant = try await record(of: slug)
        let endpoint = try await endpoint(number, of: tenant)
        let exception = endpoint.allowedPrivateEndpoint.flatMap { AddressGuard.Exception($0) }
        let url: HTTPURL
        do throws(WebhookAddress.Fault) {
            url = try WebhookAddress.url(endpoint.url, allowing: exception)
        } catch {
            throw AdminFault(
                .dataRefused,
                "'\(endpoint.url)' is not taken: \(error)",
                remedy: "Remove it, and add another."
            )
        }
        let secret = try open(endpoint.sealedSecret, of: tenant)
        let now = now()
        let event: WebhookEventID = try fresh()
        let message = WebhookMessage(
            event: event.rawValue,
            type: "webhook.test",
            at: now,
            tenant: tenant.slug,
            data: ""
        )
        let outcome = await LoopHome(try loop()).run { loop in
            await WebhookSender(on: loop, allowing: exception).send(message, to: url, signedBy: [secret], at: now)
        }
        let fault: String
        switch outcome {
        case .delivered(let status):
            return WebhookTestRow(id: endpoint.id.rawValue, url: endpoint.url, status: Int64(status))
        case .gone: fault = "answers 410 Gone"
        case .refused(let status): fault = "answers \(status)"
        case .away(let reason): fault = "does not answer: \(reason)"
        }
        throw AdminFault(
            .failed,
            "\(endpoint.url) \(fault)",
            remedy:
                "It has to answer 2xx within \(WebhookSender.patience.components.seconds) seconds; redirects are not followed."
        )
    }

    func rotateWebhook(_ number: WebhookNumber, of slug: Slug, overlap: Lifetime) async throws(AdminFault)
        -> WebhookSecretRow
    {
        let tenant = try await record(of: slug)
        let old = try open(try await endpoint(number, of: tenant).sealedSecret, of: tenant)
        let (secret, sealed) = try freshSecret(of: tenant)
        try await change(
            number,
            of: tenant,
            .rotate(
                sealedSecret: sealed,
                sealedOldSecret: try seal(old, WebhookEndpoint.sealedOldColumn, of: tenant),
                until: now() + .seconds(overlap.seconds)
            )
        )
        return WebhookSecretRow(id: number.id.rawValue, secret: secret.text)
    }

    func setWebhook(_ number: WebhookNumber, of slug: Slug, to state: WebhookEndpoint.State) async throws(AdminFault)
        -> WebhookRow
    {
        let tenant = try await record(of: slug)
        try await change(number, of: tenant, state == .enabled ? .enable : .disable)
        return WebhookRow(try await endpoint(number, of: tenant))
    }

    func removeWebhook(_ number: WebhookNumber, of slug: Slug) async throws(AdminFault) -> WebhookRow {
        let tenant = try await record(of: slug)
        let endpoint = try await endpoint(number, of: tenant)
        try await change(number, of: tenant, .remove)
        return WebhookRow(endpoint)
    }

    func webhookDeliveries(
        to number: WebhookNumber?,
        state: WebhookDelivery.State?,
        countMax: Int,
        of slug: Slug
    ) async throws(AdminFault) -> [WebhookDeliveryRow] {
        let tenant = try await record(of: slug)
        let list = WebhookDeliveryList(of: tenant.id, to: number?.id, state: state, countMax: countMax)
        return try await ask { database throws(DatabaseError) in try await list.rows(from: database) }
            .map(WebhookDeliveryRow.init)
    }

    func replayWebhooks(
        _ event: WebhookEventNumber?,
        to number: WebhookNumber?,
        of slug: Slug
    ) async throws(AdminFault) -> Int64 {
        let tenant = try await record(of: slug)
        let replay = ChilStore.WebhookReplay(of: tenant.id, to: number?.id, event: event?.id, note: try note())
        return try await ask { database throws(DatabaseError) in try await replay.answer(from: database) }
    }

    private func endpoints(of tenant: TenantRecord) async throws(AdminFault) -> [WebhookEndpoint] {
        let list = WebhookEndpointList(of: tenant.id)
        return try await ask { database throws(DatabaseError) in try await list.rows(from: database) }
    }

    private func endpoint(_ number: WebhookNumber, of tenant: TenantRecord) async throws(AdminFault) -> WebhookEndpoint
    {
        guard let found = try await endpoints(of: tenant).first(where: { $0.id == number.id }) else {
            throw .noSuchWebhook(number, tenant: tenant.slug)
        }
        return found
    }

    private func change(_ number: WebhookNumber, of tenant: TenantRecord, _ change: WebhookSet.Change)
        async throws(AdminFault)
    {
        let set = WebhookSet(change, of: number.id, in: tenant.id, note: try note())
        let isDone = try await ask { database throws(DatabaseError) in try await set.run(on: database) }
        guard isDone else { throw .noSuchWebhook(number, tenant: tenant.slug) }
    }

    private func freshSecret(of tenant: TenantRecord) throws(AdminFault) -> (WebhookSecret, sealed: [UInt8]) {
        let secret: WebhookSecret
        do throws(CryptoError) {
            secret = try WebhookSecret()
        } catch {
            throw AdminFault(.internalFault, "no secret: \(error)", remedy: "Check OpenSSL's installation.")
        }
        return (secret, try seal(secret, WebhookEndpoint.sealedColumn, of: tenant))
    }

    private func seal(_ secret: WebhookSecret, _ column: String, of tenant: TenantRecord) throws(AdminFault) -> [UInt8]
    {
        let sealer = try sealer()
        do throws(CryptoError) {
            return try sealer.seal(secret.bytes, tenant: tenant.id, column: column)
        } catch {
            throw AdminFault(
                .internalFault,
                "the secret was not sealed: \(error)",
                remedy: "Check OpenSSL's installation."
            )
        }
    }

    private func open(_ sealed: [UInt8], of tenant: TenantRecord) throws(AdminFault) -> WebhookSecret {
        let sealer = try sealer()
        let opened: SecretBytes?
        do throws(CryptoError) {
            opened = try sealer.open(sealed, tenant: tenant.id, column: WebhookEndpoint.sealedColumn)
        } catch {
            throw AdminFault(
                .internalFault,
                "the secret was not opened: \(error)",
                remedy: "Check OpenSSL's installation."
            )
        }
        guard let secret = opened.flatMap({ WebhookSecret(bytes: $0) }) else {
            throw AdminFault(
                .configuration,
                "the secret does not open",
                remedy: "CHIL_KEY_FILE must be the file that it was made with; or remove the endpoint, and add it anew."
            )
        }
        return secret
    }
}

extension WebhookDeliveryRow {
    init(_ delivery: WebhookDelivery) {
        event = WebhookMessage.id(event: delivery.event.rawValue, type: delivery.type)
        endpoint = delivery.endpoint.rawValue
        type = delivery.type
        subject = delivery.subject
        state = delivery.state.rawValue
        attempts = Int64(delivery.attempts)
        status = delivery.lastStatus.map(Int64.init)
        fault = delivery.lastFault
        at = delivery.at.description
        nextAt = delivery.nextAt?.description
        endedAt = delivery.endedAt?.description
    }
}
