import ChilAuth
import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop
import ChilProvider
import ChilStore

/// One provider record as requests and workers need it to call the provider. Not `Sendable`: it opens its key when first asked.
final class ProviderContext {
    /// Why the provider cannot be called.
    enum Obstacle: Error, Equatable, CustomStringConvertible {
        case noEndpoint
        case noCredentials
        case sealedByAnotherKey
        case badKey(String)

        var description: String {
            switch self {
            case .noEndpoint: "the provider record has no token URL: chiladmin client set --token-url"
            case .noCredentials:
                "the provider record has no credentials: chiladmin client set --team --key-id --p8-file"
            case .sealedByAnotherKey:
                "the provider's key does not open: CHIL_KEY_FILE must be the file chiladmin used, or chiladmin client set it anew"
            case .badKey(let reason): "the provider's key is no P-256 key (\(reason)): chiladmin client set it anew"
            }
        }
    }

    let id: ProviderID
    let tenant: TenantID
    let issuers: [String]
    let clients: [ProviderClientRecord]
    let keySet: KeySetName
    let authorizeURL: HTTPURL?
    let endpoints: ProviderEndpoints?
    /// What the operator allowed for this record, and for no other.
    let exceptions: Set<AddressGuard.Exception>
    /// What the provider said when it last refused the credentials; nil: it did not.
    let credentialFault: String?

    private let sealer: Sealer
    private let sealed: ProviderREST.Credentials?
    private var opened: Result<ProviderCredentials, Obstacle>?

    init(_ record: ChilStore.ProviderRecord, of tenant: TenantID, sealer: Sealer) {
        id = record.id
        self.tenant = tenant
        issuers = record.issuers
        clients = record.clients
        authorizeURL = record.rest.authorizeURL.flatMap { HTTPURL($0) }
        endpoints = record.rest.tokenURL.flatMap { HTTPURL($0) }.map { tokenURL in
            ProviderEndpoints(
                tokenURL: tokenURL,
                revokeURL: record.rest.revokeURL.flatMap { HTTPURL($0) },
                migrationURL: record.rest.migrationURL.flatMap { HTTPURL($0) },
                audience: ProviderEndpoints.audience(of: record.issuers)
            )
        }
        exceptions = record.allowedPrivateEndpoint.flatMap { AddressGuard.Exception($0) }.map { [$0] } ?? []
        keySet = KeySetName(record.jwksURL, AddressGuard(allowing: exceptions))
        credentialFault = record.rest.credentialFault
        sealed = record.rest.credentials
        self.sealer = sealer
    }

    /// The audience by that name, exactly.
    func client(named id: String) -> ProviderClientRecord? {
        clients.first { $0.id.isExactly(id) }
    }

    /// Whether there is somebody to ask, and something to show him.
    var isSetUp: Bool { endpoints != nil && sealed != nil }

    var addressGuard: AddressGuard { AddressGuard(allowing: exceptions) }

    /// What calls the provider as the tenant, on the caller's loop.
    func remote(on loop: EventLoop) -> Result<ProviderClient, Obstacle> {
        guard let endpoints else { return .failure(.noEndpoint) }
        return credentials.map { ProviderClient(on: loop, addressGuard, endpoints, $0) }
    }

    /// Opened once: a key costs a hundred microseconds, and most requests need none.
    private var credentials: Result<ProviderCredentials, Obstacle> {
        if let opened { return opened }
        let result = open()
        opened = result
        return result
    }

    private func open() -> Result<ProviderCredentials, Obstacle> {
        guard let sealed else { return .failure(.noCredentials) }
        do throws(CryptoError) {
            guard let key = try sealer.open(sealed.sealedKey, tenant: tenant, column: ProviderREST.sealedColumn) else {
                return .failure(.sealedByAnotherKey)
            }
            return .success(
                ProviderCredentials(teamID: sealed.teamID, keyID: sealed.keyID, key: try ES256PrivateKey(pkcs8: key))
            )
        } catch {
            return .failure(.badKey(error.detail))
        }
    }
}
