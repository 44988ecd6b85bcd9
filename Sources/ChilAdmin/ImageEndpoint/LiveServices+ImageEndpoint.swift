import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilGenerator
import ChilHTTP
import ChilLoop
import ChilStore
import ChilWebhook

extension LiveServices: ImageEndpointServices {
    func addImageEndpoint(_ kind: ImageEndpoint.Kind, _ draft: ImageEndpointDraft, to slug: Slug)
        async throws(AdminFault) -> (
            ImageEndpointRow, notes: [String]
        )
    {
        let tenant = try await record(of: slug)
        let service = ServiceKind(rawValue: kind.rawValue)
        guard let url = draft.url ?? service?.usualURL ?? (kind == .sketchbook ? "" : nil) else {
            throw AdminFault(.dataRefused, "where the service is was not said", remedy: "Add --url URL.")
        }
        let notes = url.isEmpty ? [] : try await notes(on: url, draft.privateEndpoint?.text)
        let usualParty = draft.url == nil ? service?.usualParty : nil
        let party = draft.party.map { $0.text.isEmpty ? nil : $0.text } ?? usualParty
        let id: ImageEndpointID = try fresh()
        let add = ImageEndpointAdd(
            id,
            to: tenant.id,
            ImageEndpointAdd.Draft(
                kind: kind,
                url: url,
                sealedKey: try sealedKey(draft, of: tenant),
                model: draft.model?.text,
                options: try checked(draft.options, kind) ?? "{}",
                position: draft.position?.number,
                timeout: .seconds(draft.timeout?.seconds ?? Self.usualTimeoutSeconds),
                allowedPrivateEndpoint: draft.privateEndpoint?.text,
                disclosedTo: party
            ),
            note: try note()
        )
        try await ask { database throws(DatabaseError) in try await add.run(on: database) }
        guard let row = try await endpoints(kind.purpose, of: tenant).first(where: { $0.id == id }) else {
            throw AdminFault(.failed, "the service is gone again", remedy: "Somebody else removes them: ask who.")
        }
        return (ImageEndpointRow(row), notes)
    }

    private static let usualTimeoutSeconds: Int64 = 120

    func imageEndpoints(for purpose: ImagePurpose, of slug: Slug) async throws(AdminFault) -> [ImageEndpointRow] {
        try await endpoints(purpose, of: try await record(of: slug)).map(ImageEndpointRow.init)
    }

    func imageEndpoint(_ number: ImageEndpointNumber, for purpose: ImagePurpose, of slug: Slug) async throws(AdminFault)
        -> ImageEndpointRow
    {
        ImageEndpointRow(try await storedEndpoint(number, purpose, of: try await record(of: slug)))
    }

    func changeImageEndpoint(
        _ number: ImageEndpointNumber,
        for purpose: ImagePurpose,
        of slug: Slug,
        _ draft: ImageEndpointDraft
    ) async throws(AdminFault) -> ImageEndpointRow {
        let tenant = try await record(of: slug)
        let known = try await storedEndpoint(number, purpose, of: tenant)
        if let url = draft.url {
            _ = try await notes(on: url, draft.privateEndpoint?.text ?? known.allowedPrivateEndpoint)
        }
        var change = ImageEndpointSet.Change()
        change.url = draft.url
        change.sealedKey = try sealedKey(draft, of: tenant)
        change.model = draft.model?.text
        change.options = try checked(draft.options, known.kind)
        change.position = draft.position?.number
        change.timeout = draft.timeout.map { .seconds($0.seconds) }
        change.allowedPrivateEndpoint = draft.privateEndpoint?.text
        change.disclosedTo = draft.party?.text
        change.state = draft.state
        let set = ImageEndpointSet(change, of: number.id, in: tenant.id, note: try note())
        guard try await ask({ database throws(DatabaseError) in try await set.run(on: database) }) else {
            throw .noSuchService(number, purpose, tenant: tenant.slug)
        }
        return ImageEndpointRow(try await storedEndpoint(number, purpose, of: tenant))
    }

    func removeImageEndpoint(_ number: ImageEndpointNumber, for purpose: ImagePurpose, of slug: Slug)
        async throws(AdminFault)
        -> ImageEndpointRow
    {
        let tenant = try await record(of: slug)
        let known = try await storedEndpoint(number, purpose, of: tenant)
        let remove = ImageEndpointRemove(number.id, from: tenant.id, note: try note())
        guard try await ask({ database throws(DatabaseError) in try await remove.run(on: database) }) else {
            throw .noSuchService(number, purpose, tenant: tenant.slug)
        }
        return ImageEndpointRow(known)
    }

    // MARK: Also for tests of services

    func storedEndpoint(_ number: ImageEndpointNumber, _ purpose: ImagePurpose, of tenant: TenantRecord)
        async throws(AdminFault)
        -> ImageEndpoint
    {
        guard let found = try await endpoints(purpose, of: tenant).first(where: { $0.id == number.id }) else {
            throw .noSuchService(number, purpose, tenant: tenant.slug)
        }
        return found
    }

    /// The key that a service wants to be shown; `nil`: none.
    func openedKey(of endpoint: ImageEndpoint, in tenant: TenantRecord) throws(AdminFault) -> SecretBytes? {
        guard let sealed = endpoint.sealedKey else { return nil }
        let sealer = try sealer()
        let opened: SecretBytes?
        do throws(CryptoError) {
            opened = try sealer.open(sealed, tenant: tenant.id, column: ImageEndpoint.sealedColumn)
        } catch {
            throw AdminFault(
                .internalFault,
                "the key was not opened: \(error)",
                remedy: "Check OpenSSL's installation."
            )
        }
        guard let opened else {
            throw AdminFault(
                .configuration,
                "the key does not open",
                remedy: "CHIL_KEY_FILE must be the file that it was sealed with; or give the key again: --key-file."
            )
        }
        return opened
    }

    /// The URL of a service, as far as it may be called.
    func checkedURL(_ text: String, _ privateEndpoint: String?) throws(AdminFault) -> HTTPURL {
        do throws(WebhookAddress.Fault) {
            return try WebhookAddress.url(text, allowing: privateEndpoint.flatMap { AddressGuard.Exception($0) })
        } catch {
            throw AdminFault(.dataRefused, "'\(text)' is not taken: \(error)", remedy: "Give another --url.")
        }
    }

    private func endpoints(_ purpose: ImagePurpose, of tenant: TenantRecord) async throws(AdminFault) -> [ImageEndpoint]
    {
        let list = ImageEndpointList(for: purpose, of: tenant.id)
        return try await ask { database throws(DatabaseError) in try await list.rows(from: database) }
    }

    /// A name that leads to a private address is refused here already; one that leads nowhere from here may from where chilapi stands.
    private func notes(on text: String, _ privateEndpoint: String?) async throws(AdminFault) -> [String] {
        let url = try checkedURL(text, privateEndpoint)
        let exception = privateEndpoint.flatMap { AddressGuard.Exception($0) }
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

    private func checked(_ options: String?, _ kind: ImageEndpoint.Kind) throws(AdminFault) -> String? {
        guard let options else { return nil }
        guard kind.purpose == .generation else { return options }
        do throws(ServiceOptions.Fault) {
            _ = try ServiceOptions(parsing: options)
        } catch {
            throw AdminFault(.dataRefused, "the options are not taken: \(error)", remedy: "Give other --options.")
        }
        return options
    }

    /// The key without the line's end that an editor leaves.
    ///
    /// - Parameter flag: for which it may have been typed.
    func serviceKey(inFile path: String, of flag: String? = nil) throws(AdminFault) -> [UInt8] {
        guard var bytes = try secret(of: flag, in: path) else {
            throw AdminFault(.dataRefused, "there is no file '\(path)'", remedy: "Name the file that holds the key.")
        }
        defer { ConstantTime.cleanse(&bytes) }
        var end = bytes.count
        while end > 0, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D || bytes[end - 1] == 0x20 { end -= 1 }
        guard 1...Self.keyBytesMax ~= end, bytes[..<end].allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw AdminFault(
                .dataRefused,
                "'\(path)' holds no key: 1 to \(Self.keyBytesMax) visible ASCII characters in one line",
                remedy: "Name the file that holds the key and nothing else."
            )
        }
        return Array(bytes[..<end])
    }

    private func sealedKey(_ draft: ImageEndpointDraft, of tenant: TenantRecord) throws(AdminFault) -> [UInt8]? {
        guard let path = draft.keyFile else { return nil }
        var bytes = try serviceKey(inFile: path, of: "--key-file")
        defer { ConstantTime.cleanse(&bytes) }
        let sealer = try sealer()
        do throws(CryptoError) {
            return try sealer.seal(
                SecretBytes(copying: bytes),
                tenant: tenant.id,
                column: ImageEndpoint.sealedColumn
            )
        } catch {
            throw AdminFault(
                .internalFault,
                "the key was not sealed: \(error)",
                remedy: "Check OpenSSL's installation."
            )
        }
    }

    private static let keyBytesMax = 1_000
}
