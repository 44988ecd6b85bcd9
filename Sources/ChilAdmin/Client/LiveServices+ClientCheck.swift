import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilProvider
import ChilStore

extension LiveServices {
    func checkClients(_ choice: ProviderChoice, of slug: Slug) async throws(AdminFault) -> [ClientCheckRow] {
        let tenant = try await record(of: slug)
        let record = try choice.pick(try await providers(of: tenant), of: slug.text)
        let remote = try RemoteProvider(
            record,
            of: tenant.id,
            sealer: try sealer()
        )
        var rows: [ClientCheckRow] = []
        var faults: [AdminFault] = []
        var refusal: String?
        for client in record.clients where choice.clientID.map({ $0.text == client.id }) ?? true {
            let answer = await exchangeNothing(client, at: remote, on: try loop())
            switch answer {
            case .failure(.refusedGrant):
                rows.append(
                    ClientCheckRow(
                        clientID: client.id,
                        teamID: remote.credentials.teamID,
                        keyID: remote.credentials.keyID,
                        tokenURL: remote.endpoints.tokenURL.description
                    )
                )
            case .failure(let fault):
                if case .refusedCredentials(let said) = fault { refusal = "\(client.id): \(said)" }
                faults.append(AdminFault(fault, asking: client.id))
            case .success:
                faults.append(
                    AdminFault(
                        .failed,
                        "\(client.id): \(remote.endpoints.tokenURL) gives tokens for a made-up code",
                        remedy: "Set the provider's own token URL: `chiladmin client set \(slug) --token-url URL`."
                    )
                )
            }
        }
        // What is unclear changes nothing.
        if refusal != nil || (faults.isEmpty && choice.clientID == nil) { try await keep(refusal, of: record, tenant) }
        if let worst = faults.first(where: { $0.status == .failed }) ?? faults.first {
            throw Self.joined(faults, worst)
        }
        return rows
    }

    private func exchangeNothing(
        _ client: ProviderClientRecord,
        at remote: RemoteProvider,
        on loop: EventLoop
    ) async -> Result<TokenAnswer, ProviderFault> {
        let now = now()
        return await LoopHome(loop).run { loop in
            await remote.client(on: loop).exchange(
                code: SecretBytes(copying: Array("chiladmin-client-check".utf8)),
                clientID: client.id,
                redirectURI: client.redirectURI,
                at: now
            )
        }
    }

    private func keep(
        _ refusal: String?,
        of record: ChilStore.ProviderRecord,
        _ tenant: TenantRecord
    ) async throws(AdminFault) {
        let change = CredentialFaultSet(
            refusal,
            of: record.id,
            in: tenant.id,
            audit: try fresh(),
            by: settings.operatorName,
            at: now()
        )
        _ = try await ask { database throws(DatabaseError) in try await change.first(from: database) }
    }

    private static func joined(_ faults: [AdminFault], _ worst: AdminFault) -> AdminFault {
        AdminFault(worst.status, faults.map(\.message).joined(separator: "; "), remedy: worst.remedy)
    }
}
