import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import ChilStore

/// Opens what is sealed in an account.
struct EpsonSealer {
    private let sealer: Sealer
    private let tenant: TenantID

    init(_ sealer: Sealer, _ tenant: TenantID) {
        self.sealer = sealer
        self.tenant = tenant
    }

    func seal(_ secret: SecretBytes, _ column: String) throws(EpsonFault) -> [UInt8] {
        do throws(CryptoError) {
            return try sealer.seal(secret, tenant: tenant, column: column)
        } catch {
            throw .misconfigured("A secret was not sealed (\(error)); check OpenSSL's installation.")
        }
    }

    /// `nil`: there is none, or it does not open.
    func open(_ sealed: [UInt8]?, _ column: String) -> SecretBytes? {
        guard let sealed else { return nil }
        do throws(CryptoError) { return try sealer.open(sealed, tenant: tenant, column: column) } catch { return nil }
    }

    func site(of account: EpsonAccount) throws(EpsonFault) -> EpsonSite {
        let generation: EpsonGeneration
        switch account.kind {
        case .epsonV1: generation = .v1
        case .epsonV2: generation = .v2
        case .ipp: throw .misconfigured("The printer is none of Epson Connect's; add it again.")
        }
        guard let api = HTTPURL(account.apiURL), let auth = HTTPURL(account.authURL),
            let upload = HTTPURL(account.uploadURL)
        else { throw .misconfigured("The service's addresses are none; remove the printer and add it again.") }
        let apiKey = open(account.sealedAPIKey, EpsonAccount.apiKeyColumn)
        guard let secret = open(account.sealedSecret, EpsonAccount.secretColumn),
            account.sealedAPIKey == nil || apiKey != nil
        else {
            throw .misconfigured(
                "The client's secret was sealed by another key file; CHIL_KEY_FILE must be one for all, or add the printer again."
            )
        }
        return EpsonSite(
            generation,
            api: api,
            auth: auth,
            upload: upload,
            isPrivate: account.isPrivate,
            clientID: account.clientID,
            clientSecret: secret,
            apiKey: apiKey,
            address: account.address
        )
    }
}
