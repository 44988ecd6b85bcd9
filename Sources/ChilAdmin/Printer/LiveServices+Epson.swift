import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilEpson
import ChilHTTP
import ChilLoop
import ChilMedia
import ChilStore

extension LiveServices {
    func addEpsonPrinter(_ draft: EpsonPrinterDraft, to slug: Slug) async throws(AdminFault) -> PrinterRow {
        let tenant = try await record(of: slug)
        let add = EpsonPrinterAdd(
            try fresh(),
            to: tenant.id,
            EpsonPrinterAdd.Draft(
                name: draft.name.text,
                kind: draft.kind,
                isDefault: draft.isDefault,
                disclosedTo: draft.disclosedTo?.text ?? Self.usualParty,
                address: draft.address?.text,
                clientID: draft.clientID.text,
                sealedSecret: try sealed(
                    "--client-secret-file",
                    draft.secretFile,
                    of: tenant,
                    EpsonAccount.secretColumn
                ),
                sealedAPIKey: try draft.apiKeyFile.map { path throws(AdminFault) in
                    try sealed("--api-key-file", path, of: tenant, EpsonAccount.apiKeyColumn)
                },
                apiURL: try Self.origin(draft.api, EpsonSite.usualAPI, "--api-url", draft.isPrivate),
                authURL: try Self.origin(draft.auth, EpsonSite.usualAuth, "--auth-url", draft.isPrivate),
                uploadURL: try Self.origin(draft.upload, EpsonSite.usualUpload, "--upload-url", draft.isPrivate),
                isPrivate: draft.isPrivate
            ),
            note: try note()
        )
        switch try await ask({ database throws(DatabaseError) in try await add.run(on: database) }) {
        case .added(let record): return PrinterRow(record)
        case .overQuota: throw .tooManyPrinters(slug)
        }
    }

    /// What Epson is called where a tenant asks for consent, unless the operator calls it otherwise.
    private static let usualParty = "epson"

    private static func origin(_ given: WebAddress?, _ usual: String, _ flag: String, _ isPrivate: Bool)
        throws(AdminFault)
        -> String
    {
        let text = given?.text ?? usual
        do throws(EpsonAddress.Fault) {
            let url = try EpsonAddress.origin(text, isPrivate: isPrivate)
            return "\(url.isSecure ? "https" : "http")://\(url.authority)"
        } catch {
            throw AdminFault(.dataRefused, "'\(text)' is not taken: \(error)", remedy: "Give another \(flag).")
        }
    }

    /// The secret in a file, without the line's end that an editor leaves.
    private func sealed(
        _ flag: String,
        _ path: String,
        of tenant: TenantRecord,
        _ column: String
    ) throws(AdminFault) -> [UInt8] {
        guard var bytes = try secret(of: flag, in: path) else {
            throw AdminFault(.dataRefused, "there is no file '\(path)'", remedy: "Name the file that holds the secret.")
        }
        defer { ConstantTime.cleanse(&bytes) }
        var end = bytes.count
        while end > 0, [0x0A, 0x0D, 0x20].contains(bytes[end - 1]) { end -= 1 }
        guard 1...Self.secretBytesMax ~= end, bytes[..<end].allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw AdminFault(
                .dataRefused,
                "'\(path)' holds no secret: 1 to \(Self.secretBytesMax) visible ASCII characters in one line",
                remedy: "Name the file that holds the secret and nothing else."
            )
        }
        return try sealed(SecretBytes(copying: Array(bytes[..<end])), of: tenant.id, column)
    }

    func sealed(_ secret: SecretBytes, of tenant: TenantID, _ column: String) throws(AdminFault) -> [UInt8] {
        let sealer = try sealer()
        do throws(CryptoError) {
            return try sealer.seal(secret, tenant: tenant, column: column)
        } catch {
            throw AdminFault(.internalFault, "nothing was sealed: \(error)", remedy: "Check OpenSSL's installation.")
        }
    }

    private static let secretBytesMax = 2_000

    /// Asks Epson Connect about a printer, from this machine and with the tokens that chilapi has too.
    func atEpson<Value: Sendable>(
        _ printer: PrinterID,
        of tenant: TenantID,
        _ body: @escaping @Sendable (EpsonClient) async throws(EpsonFault) -> Value
    ) async throws(AdminFault) -> Result<Value, EpsonFault> {
        let (database, sealer) = (try database(), try sealer())
        return await LoopHome(try loop()).run { loop in
            let vault = EpsonVault(of: printer, in: tenant, database, sealer, on: loop)
            do throws(EpsonFault) {
                return .success(try await body(EpsonClient(try await vault.site(), vault, on: loop)))
            } catch {
                return .failure(error)
            }
        }
    }

    /// What Epson Connect says of a printer.
    func epsonReport(on printer: PrinterRow, of tenant: TenantID) async throws(AdminFault) -> PrinterReport {
        let answer = try await atEpson(PrinterID(rawValue: printer.id), of: tenant) { client throws(EpsonFault) in
            (try await client.device(), try await client.capability())
        }
        switch answer {
        case .success(let (device, capability)):
            return PrinterReport(
                name: printer.name,
                uri: printer.uri,
                model: device.model,
                state: device.isConnected ? "connected" : "not connected",
                stateReasons: [],
                isAcceptingJobs: device.isConnected,
                formats: [MediaType.pdf, .png, .jpeg].map(\.rawValue),
                media: capability.media
            )
        case .failure(let fault):
            throw AdminFault(
                .failed,
                "Epson Connect did not say what printer '\(printer.name)' is",
                remedy: fault.sentence
            )
        }
    }
}

extension AdminFault {
    static func tooManyPrinters(_ slug: Slug) -> Self {
        Self(
            .dataRefused,
            "tenant '\(slug)' has as many printers as it may",
            remedy: "Remove one, or raise the limit: `chiladmin quota set \(slug) printers COUNT`."
        )
    }
}
