import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilS3
import ChilStore

/// What `doctor` asks beside the database. Each wait has an end, and nothing is sent that tells anything.
extension LiveServices {
    private static var patience: Duration { .seconds(5) }

    func publicAddress() async -> PublicAddressEvidence {
        guard let text = try? settings.requirePublicURL() else { return .notSet }
        guard let url = HTTPURL(text + "/healthz") else { return .noURL }
        guard url.isSecure else { return .plain(host: url.host) }
        var request = ClientRequest(.get, url)
        // The certificate is judged here, whatever it is.
        request.trust = .pinned(nil)
        guard let loop = try? loop() else { return .silent("no event loop") }
        switch await answer(to: request, AddressGuard(allowing: [.init(host: url.host, port: url.port)]), on: loop) {
        case .success(let response):
            guard let certificate = response.certificate else { return .silent("no certificate") }
            return .shown(until: certificate.notAfter, objection: nil, status: response.statusCode)
        case .failure(let failure):
            guard let certificate = failure.certificate else { return .silent("\(failure)") }
            return .shown(until: certificate.notAfter, objection: certificate.objection, status: nil)
        }
    }

    /// Each URL is asked once, whoever's it is.
    func evidence(
        of records: [(tenant: TenantRecord, record: ChilStore.ProviderRecord)],
        until end: Timestamp
    ) async throws(AdminFault) -> [ProviderEvidence] {
        var known: [KeySetQuestion: ProviderEvidence.KeySet] = [:]
        var found: [ProviderEvidence] = []
        let sealer = try? sealer()
        for (tenant, record) in records {
            let question = KeySetQuestion(record)
            var keySet = known[question] ?? .notAsked
            if known[question] == nil, now() < end {
                keySet = try await self.keySet(question)
                known[question] = keySet
            }
            found.append(
                ProviderEvidence(
                    tenant: tenant.slug,
                    jwksURL: record.jwksURL,
                    keySet: keySet,
                    gap: Self.gap(in: record, of: tenant.id, sealer)
                )
            )
        }
        return found
    }

    private struct KeySetQuestion: Hashable {
        let url: String
        let exception: AddressGuard.Exception?

        init(_ record: ChilStore.ProviderRecord) {
            url = record.jwksURL
            let allowed = record.allowedPrivateEndpoint.flatMap { AddressGuard.Exception($0) }
            let own = HTTPURL(url).map { AddressGuard.Exception(host: $0.host, port: $0.port) }
            exception = allowed == own ? allowed : nil
        }
    }

    private func keySet(_ question: KeySetQuestion) async throws(AdminFault) -> ProviderEvidence.KeySet {
        guard let why = await fault(of: question) else { return .fetched }
        let load = KeySetLoad(url: question.url, isException: question.exception != nil)
        let kept = try await ask { database throws(DatabaseError) in try await load.run(on: database) }
        return kept.map { .kept($0.fetchedAt, why) } ?? .missing(why)
    }

    /// `nil`: there are keys, as a service would take them.
    private func fault(of question: KeySetQuestion) async -> String? {
        guard let url = HTTPURL(question.url) else { return "no http or https URL" }
        var request = ClientRequest(
            .get,
            url,
            fields: [("Accept", "application/json"), ("Accept-Encoding", "identity")]
        )
        request.responseBytesMax = JWKSet.bytesMax
        guard let loop = try? loop() else { return "no event loop" }
        switch await answer(to: request, AddressGuard(allowing: question.exception.map { [$0] } ?? []), on: loop) {
        case .failure(let failure): return "\(failure)"
        case .success(let response):
            guard response.statusCode == 200 else { return "status \(response.statusCode)" }
            do throws(JWKSet.Fault) {
                return try JWKSet(parsing: response.body).keys.keys.isEmpty ? "no usable key in it" : nil
            } catch {
                return "\(error)"
            }
        }
    }

    private func answer(
        to request: ClientRequest,
        _ addressGuard: AddressGuard,
        on loop: EventLoop
    ) async -> Result<ClientResponse, ClientFailure> {
        var request = request
        request.patience = Self.patience
        return await LoopHome(loop).run { [request] loop in
            do throws(ClientFailure) {
                return Result<ClientResponse, ClientFailure>.success(
                    try await HTTPClient(on: loop, addressGuard).send(request)
                )
            } catch {
                return .failure(error)
            }
        }
    }

    private static func gap(in record: ChilStore.ProviderRecord, of tenant: TenantID, _ sealer: Sealer?) -> String? {
        guard record.rest.credentials != nil else {
            return record.clients.contains { $0.use == .web }
                ? "a client id for browsers, and no team and key to exchange its codes" : nil
        }
        if record.rest.tokenURL == nil { return "a team and key, and no token URL to use them at" }
        guard let sealer else { return nil }
        do throws(AdminFault) {
            _ = try RemoteProvider(record, of: tenant, sealer: sealer)
            return nil
        } catch {
            return error.message
        }
    }

    func storage() async throws(AdminFault) -> StorageEvidence? {
        let (health, slots) = try await ask { database throws(DatabaseError) in
            (
                try await database.run(StorageHealth(), .read, of: nil).first,
                try await database.run(ReplicationSlots(), .read, of: nil)
            )
        }
        guard let health else { return nil }
        var bytes: Int64?
        if health.maySeeWAL {
            bytes = try await ask { database throws(DatabaseError) in
                try await database.run(WALFolder(), .read, of: nil).first
            }
        }
        // A path of another machine's would be looked for on this one.
        let room = health.isLocal ? health.dataDirectory.flatMap { DiskRoom(of: $0) } : nil
        return StorageEvidence(health: health, walBytes: bytes, slots: slots, room: room)
    }

    var objectBucket: String? { settings.objectStore[S3Place.bucketSetting] }
}
