import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop
import ChilProvider
import ChilStore

/// A tenant's provider, ready to be called from any loop.
struct RemoteProvider: Sendable {
    let record: ChilStore.ProviderRecord
    let tenant: TenantID
    let endpoints: ProviderEndpoints
    let credentials: ProviderCredentials
    private let addressGuard: AddressGuard

    /// - Throws: status `.configuration` where it has no endpoint or no credentials, or the key does not open.
    init(_ record: ChilStore.ProviderRecord, of tenant: TenantID, sealer: Sealer) throws(AdminFault) {
        guard let tokenURL = record.rest.tokenURL.flatMap({ HTTPURL($0) }) else {
            throw AdminFault(
                .configuration,
                "the provider record of \(record.issuers.first ?? "-") has no token URL",
                remedy: "`chiladmin client set TENANT --token-url URL --revoke-url URL` sets where its REST side is."
            )
        }
        guard let sealed = record.rest.credentials else {
            throw AdminFault(
                .configuration,
                "the provider record of \(record.issuers.first ?? "-") has no credentials",
                remedy: "`chiladmin client set TENANT --team TEAM --key-id KEY --p8-file FILE` sets them."
            )
        }
        self.record = record
        self.tenant = tenant
        endpoints = ProviderEndpoints(
            tokenURL: tokenURL,
            revokeURL: record.rest.revokeURL.flatMap { HTTPURL($0) },
            migrationURL: record.rest.migrationURL.flatMap { HTTPURL($0) },
            audience: ProviderEndpoints.audience(of: record.issuers)
        )
        credentials = ProviderCredentials(
            teamID: sealed.teamID,
            keyID: sealed.keyID,
            key: try Self.key(sealed, of: tenant, sealer)
        )
        let exception = record.allowedPrivateEndpoint.flatMap { AddressGuard.Exception($0) }
        addressGuard = AddressGuard(allowing: exception.map { [$0] } ?? [])
    }

    func client(on loop: EventLoop) -> ProviderClient {
        ProviderClient(on: loop, addressGuard, endpoints, credentials)
    }

    private static func key(
        _ sealed: ProviderREST.Credentials,
        of tenant: TenantID,
        _ sealer: Sealer
    ) throws(AdminFault) -> ES256PrivateKey {
        let remedy = "Set it anew: `chiladmin client set TENANT --key-id KEY --p8-file FILE`."
        do throws(CryptoError) {
            if let key = try sealer.open(sealed.sealedKey, tenant: tenant, column: ProviderREST.sealedColumn) {
                return try ES256PrivateKey(pkcs8: key)
            }
        } catch {
            throw AdminFault(.configuration, "the provider's key is none: \(error.detail)", remedy: remedy)
        }
        throw AdminFault(
            .configuration,
            "the provider's key does not open",
            remedy: "CHIL_KEY_FILE must be the file it was sealed with. \(remedy)"
        )
    }
}

extension AdminFault {
    /// What a provider's refusal means to the operator.
    init(_ fault: ProviderFault, asking what: String) {
        switch fault {
        case .refusedGrant:
            self.init(.failed, "\(what): the provider says invalid_grant", remedy: "Sign in again with that client id.")
        case .refusedCredentials(let said):
            self.init(
                .failed,
                "\(what): the provider refuses the credentials (\(said))",
                remedy:
                    "Compare team, key id, .p8 file and client id with the provider's console, then `chiladmin client set`."
            )
        case .refusedRequest(let said):
            self.init(
                .failed,
                "\(what): the provider refuses the request (\(said))",
                remedy:
                    "Compare client id, redirect URI and URLs with the provider's console, then `chiladmin client set`."
            )
        case .away(let said):
            self.init(.tryLater, "\(what): the provider does not answer (\(said))", remedy: "Try again later.")
        }
    }
}
