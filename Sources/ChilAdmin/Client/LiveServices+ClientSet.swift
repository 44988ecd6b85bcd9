import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilStore

extension LiveServices {
    func setProvider(_ change: ProviderChange, of slug: Slug) async throws(AdminFault) -> [ClientRow] {
        let tenant = try await record(of: slug)
        let record = try change.choice.pick(try await providers(of: tenant), of: slug.text)
        guard record.isDevelopment || change.unencrypted.isEmpty else {
            throw AdminFault(
                .dataRefused,
                "http:// is for development: \(change.unencrypted.joined(separator: ", "))",
                remedy: "Use https://, or make the record with `chiladmin client add --development`."
            )
        }
        var settings = change.settings
        if let credentials = change.credentials {
            settings.credentials = .set(try seal(credentials, for: record, of: tenant.id))
        }
        let clientUse = try clientUse(change)
        let set = ProviderSet(settings, of: record.id, in: tenant.id, clientUse: clientUse, note: try note())
        let isDone = try await ask { database throws(DatabaseError) in try await set.run(on: database) }
        guard isDone else {
            throw AdminFault(.tryLater, "somebody else removed the record at once", remedy: "Look, then try again.")
        }
        return try await providers(of: tenant).filter { $0.id == record.id }.flatMap(ClientRow.rows)
    }

    private func seal(
        _ draft: ProviderChange.Credentials,
        for record: ChilStore.ProviderRecord,
        of tenant: TenantID
    ) throws(AdminFault) -> ProviderREST.Credentials {
        guard let teamID = draft.teamID?.text ?? record.rest.credentials?.teamID else {
            throw AdminFault(
                .dataRefused,
                "the record has no team yet",
                remedy: "Give --team TEAM too: the ten letters and digits of the provider's console."
            )
        }
        let sealer = try sealer()
        let key = try providerKey(inFile: draft.keyFile, of: "--p8-file")
        do throws(CryptoError) {
            let sealed = try sealer.seal(try key.pkcs8(), tenant: tenant, column: ProviderREST.sealedColumn)
            return ProviderREST.Credentials(teamID: teamID, keyID: draft.keyID.text, sealedKey: sealed)
        } catch {
            throw AdminFault(
                .internalFault,
                "the key was not sealed: \(error)",
                remedy: "Check OpenSSL's installation."
            )
        }
    }

    /// A team's key as the provider gave it out.
    ///
    /// - Parameter flag: for which it may have been typed.
    func providerKey(inFile path: String, of flag: String? = nil) throws(AdminFault) -> ES256PrivateKey {
        guard var text = try secret(of: flag, in: path) else {
            throw AdminFault(.dataRefused, "there is no file '\(path)'", remedy: "Name the .p8 file.")
        }
        defer { ConstantTime.cleanse(&text) }
        do throws(ProviderKeyFile.Fault) {
            return try ProviderKeyFile.key(parsing: text)
        } catch {
            throw AdminFault(
                .dataRefused,
                "'\(path)': \(error)",
                remedy: "The file is the one that the provider's console offered once, AuthKey_KEYID.p8 at Apple."
            )
        }
    }

    private func clientUse(_ change: ProviderChange) throws(AdminFault) -> ProviderSet.ClientUse? {
        guard let use = change.use, let clientID = change.choice.clientID?.text else { return nil }
        let client =
            switch use {
            case .native: ProviderClientRecord(native: clientID)
            case .web(let redirectURI, let returnURL):
                ProviderClientRecord(web: clientID, redirectURI: redirectURI.text, returnURL: returnURL.text)
            }
        return ProviderSet.ClientUse(client, note: try note())
    }
}
